"""Blocks: long texts cut where no pre-token can cross, so that each block can be split alone.

    text   the cat in| the hat| sat on the mat        a block ends where a stretch of the pattern ends
    file   read a few megabytes at a time, never whole

For a pattern without stretches, such as a custom one, a text is one block.
"""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from io import TextIOBase
from os import PathLike, fspath
from typing import BinaryIO

from bpeviz.errors import CorpusError
from bpeviz.text.file_names import as_path
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.text.utf8 import Errors, check_text, decode_parts

__all__ = [
    "BLOCK_CHARACTERS",
    "Source",
    "blocks_of_file",
    "blocks_of_parts",
    "blocks_of_text",
    "check_open_file",
    "in_groups",
]

#: A file by its path, or one open for reading bytes, such as standard input.
Source = str | PathLike[str] | BinaryIO

#: The least length of a block, except for the last of a text. Short enough to be counted while its pieces are
#: in the processor's cache, which saves a third of the time; long enough that one more block costs little.
BLOCK_CHARACTERS = 32_000
#: The most length of a block of a file: an endless stream without a place to cut would fill the memory.
MOST_BLOCK_CHARACTERS = 500_000_000


def blocks_of_text(text: str, pattern: SplitPattern) -> Iterator[str]:
    """Return the blocks of one text, in order; joined they are the text. Raises CorpusError."""
    check_text(text)
    return blocks_of_parts([text], pattern)


def blocks_of_file(source: Source, pattern: SplitPattern, errors: Errors = "strict") -> Iterator[str]:
    """Yield the blocks of a UTF-8 file, read as the caller asks for them.

    Raises CorpusError if the file is not UTF-8, unless ``errors`` replaces invalid bytes by U+FFFD, and
    CorpusError if it cannot be read.
    """
    try:
        with _opened(source) as file:
            yield from blocks_of_parts(decode_parts(file, _name_of(source), errors), pattern)
    except OSError as error:
        raise CorpusError(f"{_name_of(source)} cannot be read: {error.strerror}.") from None


def _opened(source: Source) -> AbstractContextManager[BinaryIO]:
    if isinstance(source, str | PathLike):
        return as_path(source).open("rb")
    check_open_file(source)
    return nullcontext(source)


def check_open_file(source: object) -> None:
    """Raise CorpusError for what is no file that is open for bytes."""
    if isinstance(source, TextIOBase) or not hasattr(source, "read"):
        raise CorpusError(
            f"A file is a path or a file that is open for bytes, not {type(source).__name__}. "
            'Give its path, or open it with mode "rb".'
        )


def _name_of(source: Source) -> str:
    """Return the name of a file in errors. Python calls standard input ``<stdin>``, and files without a name
    have a number or none."""
    if isinstance(source, str | PathLike):
        return fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) and not name.startswith("<") else "standard input"


def blocks_of_parts(parts: Iterable[str], pattern: SplitPattern) -> Iterator[str]:
    """Yield the blocks of a text that comes in parts.

    A text without an end of a stretch is searched only when it has doubled, so that it is not joined and read
    again for every part.
    """
    waiting: list[str] = []
    length, enough = 0, BLOCK_CHARACTERS
    for part in parts:
        if waiting and length + len(part) > MOST_BLOCK_CHARACTERS:
            raise CorpusError(
                f"More than {MOST_BLOCK_CHARACTERS:,} characters of a file have no place between them where "
                f"the split pattern ({pattern.name}) can cut. Break the file into several"
                f"{'' if pattern.name == 'gpt2' else ', or take another split pattern, such as gpt2'}."
            )
        waiting.append(part)
        length += len(part)
        if length <= enough:
            continue
        text, start = "".join(waiting), 0
        while (end := _end_of_block(text, start, pattern)) is not None:
            yield text[start:end]
            start = end
        waiting = [text[start:]]
        length = len(text) - start
        enough = max(BLOCK_CHARACTERS, 2 * length)
    if length:
        yield "".join(waiting)


def _end_of_block(text: str, start: int, pattern: SplitPattern) -> int | None:
    """Return the first end of a stretch that leaves the block long enough; None if there may be none."""
    return pattern.end_of_stretch(text, start + BLOCK_CHARACTERS)


def in_groups(blocks: Iterable[str], least: int) -> Iterator[list[str]]:
    """Blocks in groups, each but the last of at least so many characters together."""
    group: list[str] = []
    length = 0
    for block in blocks:
        group.append(block)
        length += len(block)
        if length >= least:
            yield group
            group, length = [], 0
    if group:
        yield group
