"""Files on disk as one corpus: what to count, and parts of them to show.

    files = CorpusFiles.of(["a.txt", "b.txt"])
    part = files.part(Place(1, 500_000_000), most_bytes=8_000_000)
    part.text

A part is cut where every named split pattern ends a pre-token. So it splits alone as it does in its file, and
the corpus of the files has all its pre-tokens. Nothing reads a whole file.
"""

import errno
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from bpeviz.cached import cached_property
from bpeviz.errors import CorpusError
from bpeviz.text.file_names import as_path
from bpeviz.text.utf8 import Errors, decode_utf8

__all__ = ["CorpusFile", "CorpusFiles", "Part", "Place"]

#: Where a text may be cut: before a space after a character that is none, or after the only line end between
#: two such characters. A slash after a line end belongs to it in o200k. ``_is_cut`` checks characters beyond
#: ASCII.
_CUTS = re.compile(rb"(?<=[!-~\x80-\xff])(?= )|(?<=[!-~\x80-\xff]\n)(?=[!-.0-~\x80-\xff])")
#: How far from the wished place the first search for a cut goes, in bytes; each further one goes 8 times as
#: far.
_NEAR = 1_000
#: How far before a place its part begins at best: about a line.
_BEFORE = 80


class Place(NamedTuple):
    """A byte of a corpus: the number of its file, and its offset in the file."""

    file: int
    offset: int


@dataclass(frozen=True)
class CorpusFile:
    """A file by its absolute path, with its size and the time of its last change when it was listed."""

    path: str
    byte_total: int
    changed_ns: int

    @property
    def name(self) -> str:
        """The name without folders; bytes that are not UTF-8 are shown as question marks."""
        return Path(self.path).name.encode("utf-8", "replace").decode("utf-8")

    def open(self) -> BinaryIO:
        """Return the file, open for reading. Raises CorpusError if it changed or can't be read."""
        try:
            file = as_path(self.path).open("rb")
        except OSError as error:
            raise CorpusError(f"{self.name} can't be read: {error.strerror}. Check the file.") from None
        now = os.fstat(file.fileno())
        if (now.st_size, now.st_mtime_ns) != (self.byte_total, self.changed_ns):
            file.close()
            raise CorpusError(f"{self.name} has changed since it was opened. Start again with the new file.")
        return file


@dataclass(frozen=True)
class Part:
    """A part of a file: its ``text``, which begins at ``place`` and has ``byte_total`` bytes there.

    The text may have more bytes than the file has there, because each invalid byte is replaced by three."""

    place: Place
    byte_total: int
    text: str


@dataclass(frozen=True)
class CorpusFiles:
    """Files that are one corpus, each a separate text; ``errors`` says what happens to invalid UTF-8."""

    files: tuple[CorpusFile, ...]
    errors: Errors = "strict"

    @classmethod
    def of(cls, paths: Iterable[str | os.PathLike[str]], errors: Errors = "strict") -> "CorpusFiles":
        """Return the files at these paths. Raises CorpusError for one that is missing, or is no file."""
        return cls(tuple(map(_listed, paths)), errors)

    @cached_property
    def byte_total(self) -> int:
        """The bytes of all files together."""
        return sum(file.byte_total for file in self.files)

    @property
    def name(self) -> str:
        """The name of the only file, or how many there are."""
        return self.files[0].name if len(self.files) == 1 else f"{len(self.files):,} files"

    @property
    def beginning(self) -> Place:
        """Where the first file that is not empty begins."""
        return Place(next((n for n, file in enumerate(self.files) if file.byte_total), 0), 0)

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the paths, sizes and times, to find out whether two lists have the same files."""
        listed = [(file.path, file.byte_total, file.changed_ns) for file in self.files]
        return hashlib.sha256(repr((listed, self.errors)).encode("utf-8", "surrogatepass")).hexdigest()

    def opened(self) -> Iterator[BinaryIO]:
        """Each file in order, open while the caller uses it. Raises CorpusError."""
        for each in self.files:
            with each.open() as file:
                yield file

    def part(self, place: Place, most_bytes: int) -> Part:
        """Return the part that begins at the first possible cut from ``place`` on.

        Its text has at most ``most_bytes`` bytes. Raises CorpusError if the text can't be cut there, or the
        file can't be read.
        """
        part = self._cut(place, most_bytes)
        if len(part.text.encode("utf-8")) > most_bytes:  # each invalid byte became three
            return self._cut(place, most_bytes // 3)
        return part

    def _cut(self, place: Place, most_bytes: int) -> Part:
        """Return the part that takes at most so many bytes of its file."""
        first = min(8, place.offset)
        data, enough = self._read(place, first, most_bytes)
        start = 0 if place.offset == 0 else _first_cut(data, first)
        end = len(data) if len(data) <= enough else _last_cut(data, start, enough)
        name = self.files[place.file].name
        if start is None or end is None:
            raise CorpusError(
                f"{name} can't be cut between bytes {place.offset + 1:,} and "
                f"{place.offset - first + min(len(data), enough):,}: there is no space and no line end "
                "(\\n) between words. Choose another part."
            )
        text = decode_utf8(data[start:end], name, self.errors, offset=place.offset - first + start)
        return Part(Place(place.file, place.offset - first + start), end - start, text)

    def part_with(self, place: Place, most_bytes: int) -> Part:
        """Return the part that begins as shortly before ``place`` as possible, a line at best.

        Raises CorpusError: see part.
        """
        before = _BEFORE
        while True:
            with suppress(CorpusError):  # there may be a cut further before
                part = self.part(Place(place.file, max(0, place.offset - before)), most_bytes)
                if part.place.offset <= place.offset < part.place.offset + part.byte_total:
                    return part
            if before >= min(place.offset, most_bytes):
                raise CorpusError(
                    f"{self.files[place.file].name} has no place to cut before byte {place.offset:,}. "
                    "Choose another part."
                )
            before *= 8

    def _read(self, place: Place, before: int, most_bytes: int) -> tuple[bytes, int]:
        """Return the bytes of a file from ``before`` bytes before a place on, and how many of them a part may
        take. There are more of them only to see the whole character after the part."""
        enough = before + most_bytes
        with self.files[place.file].open() as opened:
            opened.seek(place.offset - before)
            return opened.read(enough + 3), enough


def _listed(path: str | os.PathLike[str]) -> CorpusFile:
    try:
        place = as_path(path).resolve(strict=True)
        found = place.stat()
        if not place.is_file():
            raise OSError(errno.EINVAL, "it is not a file")
    except (OSError, RuntimeError) as error:  # Python 3.11 raises RuntimeError for a loop of links
        why = getattr(error, "strerror", None) or "its links lead in a circle"
        raise CorpusError(f"{path} can't be used as a corpus: {why}. Give the names of text files.") from None
    return CorpusFile(str(place), found.st_size, found.st_mtime_ns)


def _first_cut(data: bytes, start: int) -> int | None:
    """Return the first cut at or after ``start``."""
    return next((at.start() for at in _CUTS.finditer(data, start) if _is_cut(data, at.start())), None)


def _last_cut(data: bytes, start: int | None, end: int) -> int | None:
    """Return the last cut after ``start`` and not after ``end``."""
    if start is None:
        return None
    near = _NEAR
    while True:
        first = max(start + 1, end - near)
        cuts = [at.start() for at in _CUTS.finditer(data, first, end + 1) if _is_cut(data, at.start())]
        if cuts or first == start + 1:
            return cuts[-1] if cuts else None
        near *= 8


def _is_cut(data: bytes, at: int) -> bool:
    """Return whether the characters around a match of _CUTS are not white space beyond ASCII."""
    end = at - (data[at - 1 : at] == b"\n")
    left = data[max(0, end - 4) : end].decode("utf-8", "replace")[-1]
    right = data[at : at + 4].decode("utf-8", "replace")[0]
    return not left.isspace() and (right == " " or not right.isspace())
