"""The corpus files named when the server was started: ``bpeviz app corpus/*.txt``.

A browser never names a path. It can only choose among these files, by their numbers.
"""

from bpeviz.corpus.corpus_files import CorpusFiles

__all__ = ["start_with", "started_with"]

_files: CorpusFiles | None = None


def start_with(files: CorpusFiles | None) -> None:
    """Offer these files to every session of this server."""
    global _files  # noqa: PLW0603
    _files = files


def started_with() -> CorpusFiles | None:
    """Return the files that this server was started with; None if there are none."""
    return _files
