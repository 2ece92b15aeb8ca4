"""Searching the files of a corpus for a word, a few megabytes in memory at a time."""

import time
from collections.abc import Callable, Iterator
from typing import BinaryIO

from bpeviz.corpus.corpus_files import CorpusFiles, Place
from bpeviz.errors import CorpusError

__all__ = ["MOST_WORD_BYTES", "find_word"]

#: The longest word to search for.
MOST_WORD_BYTES = 1_000
#: How much is read at once.
CHUNK_BYTES = 4_000_000
#: How long a search may take. It reads several hundred megabytes a second from most disks.
SEARCH_SECONDS = 20.0


def find_word(
    files: CorpusFiles,
    word: str,
    place: Place,
    *,
    backwards: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Place | None:
    """Return the next occurrence of ``word`` after ``place``, or the one before it; None if there is none.

    After the last file the search continues in the first one, up to ``place`` itself. It compares bytes, so
    upper and lower case differ. Raises CorpusError for a word that is empty or too long, for a search that
    takes more than SEARCH_SECONDS, and for a file that can't be read.
    """
    wanted = word.encode("utf-8", "surrogatepass")
    if not 0 < len(wanted) <= MOST_WORD_BYTES:
        raise CorpusError(f"Search for a word of 1 to {MOST_WORD_BYTES:,} bytes.")
    until = clock() + SEARCH_SECONDS
    for number, first, last in _ranges(files, place, backwards=backwards):
        with files.files[number].open() as file:
            for start in _starts(first, last, backwards=backwards):
                if clock() > until:
                    raise CorpusError(
                        f"The search took more than {SEARCH_SECONDS:g} seconds, and stopped in "
                        f"{files.files[number].name}. Pick that file, and search from there."
                    )
                found = _found(file, wanted, start, min(last, start + CHUNK_BYTES), backwards=backwards)
                if found is not None:
                    return Place(number, found)
    return None


def _ranges(files: CorpusFiles, place: Place, *, backwards: bool) -> Iterator[tuple[int, int, int]]:
    """Yield the offsets at which the word may begin, in the order of the search: file, first, end."""
    sizes = [file.byte_total for file in files.files]
    before = [(n, 0, sizes[n]) for n in range(place.file)]
    after = [(n, 0, sizes[n]) for n in range(place.file + 1, len(sizes))]
    if backwards:
        yield place.file, 0, place.offset
        yield from reversed(before)
        yield from reversed(after)
        yield place.file, place.offset, sizes[place.file]
    else:
        yield place.file, place.offset + 1, sizes[place.file]
        yield from after
        yield from before
        yield place.file, 0, place.offset + 1


def _starts(first: int, end: int, *, backwards: bool) -> Iterator[int]:
    """Where the chunks of a range begin."""
    starts = range(first, end, CHUNK_BYTES)
    return iter(reversed(starts) if backwards else starts)


def _found(file: BinaryIO, wanted: bytes, start: int, end: int, *, backwards: bool) -> int | None:
    """Where the word begins between ``start`` and ``end``: it may reach beyond."""
    file.seek(start)
    data = file.read(end - start + len(wanted) - 1)
    at = data.rfind(wanted) if backwards else data.find(wanted)
    return None if at < 0 else start + at
