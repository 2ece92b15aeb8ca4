"""The short name of bpeviz.corpus.dask_counting, for code that calls bpeviz."""

from bpeviz.corpus.dask_counting import RANGE_BYTES, corpus_from_dask

__all__ = ["RANGE_BYTES", "corpus_from_dask"]
