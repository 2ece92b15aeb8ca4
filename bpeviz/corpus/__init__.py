"""Pre-tokens and how often each occurs; counting files, CSV and Parquet, on Dask too.

- ``corpus``: the Corpus, from texts, files or counts; without a split pattern it keeps its texts (``kept``);
- ``blocks``, ``counting``: long texts in blocks, counted by several processes;
- ``pieces``: the pre-tokens of a long text, each distinct piece of it split once;
- ``count_files``: counts in CSV and Parquet files;
- ``dask_counting``: counting on a cluster.
"""
