"""The short name of bpeviz.corpus.count_files, for code that calls bpeviz."""

from bpeviz.corpus.count_files import COUNT_FILES, check_counts_name, read_counts, write_counts

__all__ = ["COUNT_FILES", "check_counts_name", "read_counts", "write_counts"]
