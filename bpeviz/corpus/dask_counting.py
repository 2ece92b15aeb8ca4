"""Counting on Dask: workers count texts too long for one machine, and their counts are merged into a Corpus.

    ranges    the cat in t|he hat sat |on the mat      a job is a range of bytes
    counted   the cat in the| hat sat on| the mat      up to the end of the stretch at its end

A pattern splits a stretch the same way wherever it occurs, and a search from any character of a stretch finds
the same end. So two neighbouring jobs find the border between them independently: nothing is counted twice or
left out, and merged in order the counts are those of one process. If no stretch ends in a text, or the
pattern has no stretches, one job counts it all.
"""

import codecs
import re
import secrets
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from os import PathLike, fspath
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO

from bpeviz.corpus.blocks import blocks_of_parts
from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.counting import Counts, add_counts, count_blocks
from bpeviz.errors import CorpusError
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.text.utf8 import Errors, decode_parts

if TYPE_CHECKING:
    from dask.bag import Item
    from fsspec.core import OpenFile

__all__ = ["RANGE_BYTES", "corpus_from_dask"]

#: The default length of a range: some seconds of work, far more than it takes to send and merge.
RANGE_BYTES = 64_000_000
#: How many bytes to search first for the end of a stretch; each further try takes twice as many.
_LOOK = 1 << 16
#: How many counts one task merges.
_MERGED = 8
#: A character in UTF-8 has at most this many bytes after its first.
_BEHIND_FIRST = 3
#: After the last byte of any file.
_END = sys.maxsize
#: With this, bytes that are not UTF-8 are encoded to the same bytes again.
_KEPT = "surrogateescape"

_Path = str | PathLike[str]


@dataclass(frozen=True)
class _Job:
    """Bytes of a file from ``start`` up to ``end``, or to the end of the file.

    ``call`` makes the jobs of different calls different: Dask reuses the result of an equal job, but the file
    may have changed since.
    """

    file: "OpenFile"
    start: int
    end: int
    call: str


def corpus_from_dask(
    paths: _Path | Iterable[_Path],
    split: str | SplitPattern = "gpt2",
    *,
    scheduler: str | None = None,
    range_bytes: int = RANGE_BYTES,
    errors: Errors = "strict",
) -> Corpus:
    """Return the corpus of UTF-8 files, counted on Dask: the same as Corpus.from_files with this ``split``.

    The pattern cuts the texts now. Give that of the recipe to train with: RECIPES[name].split_pattern().

    ``paths`` are files that every worker can read, each a separate text: paths, URLs of fsspec, or patterns
    such as ``s3://bucket/*.txt``, whose files are taken in order of name. ``scheduler`` is an address such as
    ``tcp://host:8786``; with None, Dask uses its own configuration, or else this machine's processes.
    Scheduler and workers need this package. A job counts about ``range_bytes`` of a file and has a few
    megabytes of it in memory at a time, or one stretch if that is longer. If a worker is lost, another counts
    its part again. ``errors`` is as in Corpus.from_files.

    Raises SplitPatternError, and CorpusError for files that cannot be found or read or are not UTF-8, if Dask
    is not installed, or can't count.
    """
    pattern = get_split_pattern(split)
    listed = [paths] if isinstance(paths, str | PathLike) else paths
    if not isinstance(listed, Iterable):
        raise CorpusError(f"corpus_from_dask takes paths, not {type(paths).__name__}.")
    if isinstance(range_bytes, bool) or not isinstance(range_bytes, int) or range_bytes < 1:
        raise CorpusError(f"range_bytes must be a whole number of at least 1, not {range_bytes!r}.")
    try:
        from dask.bag import from_sequence
    except ModuleNotFoundError as error:
        raise _not_installed(error.name or "dask") from None
    jobs = list(_jobs(paths, pattern, range_bytes))
    if not jobs:
        return Corpus(MappingProxyType({}), pattern)
    counts = from_sequence(jobs, partition_size=1).map(partial(_count, pattern=pattern, errors=errors))
    merged = counts.reduction(_merged, _merged, split_every=_MERGED)
    return Corpus(MappingProxyType(_computed(merged, scheduler)), pattern)


def _computed(counts: "Item", scheduler: str | None) -> Counts:
    try:
        if scheduler is None:
            found: Counts = counts.compute()
            return found
        return _computed_there(counts, scheduler)
    except BrokenProcessPool:
        why = "one of its processes was killed, probably because memory ran out. Use fewer of them."
        raise _not_counted(scheduler, why) from None


def _computed_there(counts: "Item", scheduler: str) -> Counts:
    try:
        from distributed import Client, KilledWorker
        from distributed.client import FutureCancelledError
    except ModuleNotFoundError as error:
        raise _not_installed(error.name or "distributed") from None
    try:
        with Client(scheduler, set_as_default=False) as client:
            found: Counts = counts.compute(scheduler=client)
            return found
    except KilledWorker:
        why = (
            "several workers ended over the same part, perhaps because memory ran out. Give them more of it."
        )
    except FutureCancelledError:
        why = "the scheduler was lost. Look for the reason in its log."
    except (OSError, ValueError) as error:
        why = f"the scheduler cannot be reached ({str(error) or type(error).__name__}). Check its address."
    raise _not_counted(scheduler, why) from None


def _not_installed(package: str) -> CorpusError:
    return CorpusError(
        f"Counting on Dask needs the package {package}, which is not installed. "
        'Install it with pip install "bpeviz[dask]", or in a checkout with '
        "pip install -r requirements/dask.txt."
    )


def _not_counted(scheduler: str | None, why: str) -> CorpusError:
    return CorpusError(f"Dask could not count on {scheduler or 'this machine'}: {why}")


def _jobs(paths: _Path | Iterable[_Path], pattern: SplitPattern, range_bytes: int) -> Iterator[_Job]:
    """Yield the ranges of all files, in order."""
    call = secrets.token_hex(8)
    for path in [paths] if isinstance(paths, str | PathLike) else paths:
        if not isinstance(path, str | PathLike):
            raise CorpusError(f"A file is given by its path, not by {type(path).__name__}.")
        for file, size in _files(fspath(path)):
            one = pattern.stretch is None or not size
            starts = [0] if one else range(0, size or 0, range_bytes)
            for start, end in zip(starts, [*starts[1:], _END], strict=True):
                yield _Job(file, start, end, call)


def _files(name: str) -> list[tuple["OpenFile", int | None]]:
    """Return the files that a path, URL or pattern stands for, and how many bytes each has."""
    import fsspec

    try:
        files = [(file, _size(file)) for file in fsspec.open_files(name)]
    except (OSError, ValueError, ImportError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CorpusError(f"{name} cannot be read: {why.rstrip('.')}.") from None
    if not files:
        raise CorpusError(f"No file matches {name}. Check the path.")
    return files


def _size(file: "OpenFile") -> int | None:
    """Return the length of a file in bytes; None if its server does not say."""
    info = file.fs.info(file.path)
    if info["type"] == "directory":
        raise IsADirectoryError(f"it is a folder; for the files in it, write {file.full_name}/*")
    size: int | None = info["size"]
    return size


def _merged(counts: Iterable[Counts]) -> Counts:
    """All counts together. The given ones are not changed, because Dask may need them again."""
    merged: Counts = {}
    for others in counts:
        add_counts(merged, others)
    return merged


def _count(job: _Job, pattern: SplitPattern, errors: Errors) -> Counts:
    """Return the counts of one range; this runs on a worker."""
    name = job.file.full_name
    try:
        with job.file as file:
            start, end = _borders(file, job, pattern)
            parts = decode_parts(_Part(file, start, end), name, errors, offset=start)
            return count_blocks(blocks_of_parts(parts, pattern), pattern, processes=1)
    except OSError as error:
        raise CorpusError(f"{name} cannot be read: {error.strerror or error}.") from None


class _Part:
    """The bytes of a file from ``start`` up to ``end``, read in order."""

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        file.seek(start)
        self._file, self._left = file, end - start

    def read(self, size: int) -> bytes:
        data = self._file.read(min(size, self._left))
        self._left -= len(data)
        return data


def _borders(file: BinaryIO, job: _Job, pattern: SplitPattern) -> tuple[int, int]:
    """From which byte to which a job counts; the same byte twice if an earlier job counts it all."""
    if pattern.stretch is None:
        return 0, _END
    stretch = re.compile(pattern.stretch)
    start = _end_of_stretch(file, job.start, stretch, job.end) if job.start else 0
    if start > job.end + _BEHIND_FIRST:
        return start, start
    return start, _END if job.end == _END else _end_of_stretch(file, job.end, stretch, _END)


def _end_of_stretch(file: BinaryIO, position: int, stretch: re.Pattern[str], limit: int) -> int:
    """Return the byte where the stretch ends that holds the first character at or after ``position``.

    If it is after ``limit``, the result may be any place after ``limit``. Bytes that are not UTF-8 are
    separate characters here; counting refuses or replaces them.
    """
    first = max(0, position - _BEHIND_FIRST)
    file.seek(first)
    data, wanted = b"", _LOOK
    while True:
        more = file.read(wanted - len(data))
        data += more
        text = codecs.getincrementaldecoder("utf-8")(_KEPT).decode(data, final=not more)
        start = _character_at(text, position - first)
        found = stretch.match(text, start)
        if found and found.end() < len(text):
            return first + len(text[: found.end()].encode("utf-8", _KEPT))
        if not more or first + len(data) > limit + 2 * _BEHIND_FIRST:
            return first + len(data)
        wanted *= 2


def _character_at(text: str, position: int) -> int:
    """Return the first character that begins at or after a byte."""
    behind = 0
    for index, character in enumerate(text):
        if behind >= position:
            return index
        behind += len(character.encode("utf-8", _KEPT))
    return len(text)
