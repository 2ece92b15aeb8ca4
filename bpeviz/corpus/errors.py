"""Errors of counting pre-tokens."""

from bpeviz.text.errors import CorpusError

__all__ = [
    "ClusterError",
    "CorpusTooLargeError",
    "CountingError",
    "CountsFileError",
    "DaskUnavailableError",
    "PackedCountsError",
]


class CorpusTooLargeError(CorpusError):
    """Counts that stand for too much text: its ``byte_total``, and the ``limit``."""

    def __init__(self, byte_total: int, limit: int) -> None:
        super().__init__(
            f"The counts stand for more than {limit:,} bytes of text, which is too many to add up. "
            "Look for a count that is too large."
        )
        self.byte_total = byte_total
        self.limit = limit


class CountingError(CorpusError):
    """One of several ``processes`` that counted pre-tokens ended before its work."""

    def __init__(self, processes: int) -> None:
        super().__init__(
            f"One of {processes} processes that counted pre-tokens was stopped from outside, perhaps because "
            "memory ran out. Count with processes=1, or fewer than before."
        )
        self.processes = processes


class DaskUnavailableError(CorpusError):
    """Dask or a ``package`` that it needs is not installed. Only counting on a cluster needs it."""

    def __init__(self, package: str) -> None:
        super().__init__(
            f"Counting on Dask needs the package {package}, which is not installed. "
            'Install it with pip install "bpeviz[dask]", or in a checkout with '
            "pip install -r requirements-dask.txt."
        )
        self.package = package


class ClusterError(CorpusError):
    """Dask could not count. ``scheduler`` is the one asked for (None: its own); ``why`` is a sentence with
    the remedy."""

    def __init__(self, scheduler: str | None, why: str) -> None:
        super().__init__(f"Dask could not count on {scheduler or 'this machine'}: {why}")
        self.scheduler = scheduler
        self.why = why


class PackedCountsError(CorpusError):
    """The counts in a saved session are not usable; ``why`` says what is wrong with them."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"The pre-token counts in this saved session can't be read: {why}. Save it again, or count the "
            "files again with bpeviz train … --out run.bpeviz."
        )
        self.why = why


class CountsFileError(CorpusError):
    """A file of pre-token counts, ``file_name``, cannot be read or written; ``why`` includes the remedy."""

    def __init__(self, file_name: str, why: str) -> None:
        super().__init__(f"{file_name}: {why}")
        self.file_name = file_name
        self.why = why
