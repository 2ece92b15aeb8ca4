"""Text in UTF-8, from strings, from bytes, and from files that are read part by part. Files may be UTF-16
too, if their mark says it."""

import codecs
import warnings
from collections.abc import Iterator
from typing import Literal, Protocol

from bpeviz.errors import CorpusError, CorpusWarning
from bpeviz.text.file_kinds import BEGINNING, LONGEST_MARK, encoding_of, kind_of_file
from bpeviz.words import in_short

__all__ = ["MARK_DROPPED", "Errors", "Readable", "check_text", "decode_parts", "decode_utf8", "text_of"]

#: What happens to bytes that are not UTF-8: they are refused, or replaced by U+FFFD.
Errors = Literal["strict", "replace"]


#: The warning for a file that begins with a byte order mark.
MARK_DROPPED = "the byte order mark at its start is no text, and was left out."


class Readable(Protocol):
    """Something to read bytes from, until there are none."""

    def read(self, size: int, /) -> bytes: ...


#: How many bytes of a file, or characters of a text, are handled at once.
PART = 1_000_000


def check_text(text: str) -> None:
    """Raise CorpusError if ``text`` has no UTF-8 form, or is not a string."""
    if not isinstance(text, str):
        raise CorpusError(f"A text must be a string, not {type(text).__name__}; decode bytes first.")
    for start in range(0, len(text), PART):
        try:
            text[start : start + PART].encode("utf-8")
        except UnicodeEncodeError as error:
            position = start + error.start
            raise CorpusError(
                f"Character {position:,} is U+{ord(text[position]):04X}, half of a surrogate pair, which "
                "UTF-8 cannot hold. Remove it, or decode the text again from its source."
            ) from None


def text_of(data: bytes) -> str | None:
    """Return the text that bytes are in UTF-8; None if they are not whole characters."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def decode_utf8(data: bytes, name: str, errors: Errors = "strict", *, offset: int | None = None) -> str:
    """Decode a file's bytes; ``name`` is the file's name in errors. Raises CorpusError.

    A mark at its start says the encoding, and is no text: without one, it is UTF-8. ``offset`` is that of a
    part of a file, which must be UTF-8.
    """
    _check_errors(errors)
    codec, mark = _encoding(data, name, offset)
    try:
        return data[len(mark) :].decode(codec, errors)
    except UnicodeDecodeError as error:
        raise _cannot_be_decoded(name, codec, (offset or 0) + len(mark) + error.start) from None


def decode_parts(
    file: Readable, name: str, errors: Errors = "strict", *, offset: int | None = None, quiet: bool = False
) -> Iterator[str]:
    """Yield the same part by part, for a file that is read as needed. Raises OSError too. ``quiet``: without
    a warning for a mark."""
    _check_errors(errors)
    data = file.read(PART)
    while len(data) < min(BEGINNING, max(PART, len(LONGEST_MARK))) and (more := file.read(PART)):
        data += more
    codec, mark = _encoding(data, name, offset, quiet=quiet)
    decoder = codecs.getincrementaldecoder(codec)(errors)
    place = (offset or 0) + len(mark)
    data = data[len(mark) :]
    while data or (data := file.read(PART)):
        yield _decoded(decoder, data, name, codec, place)
        place += len(data)
        data = b""
    yield _decoded(decoder, b"", name, codec, place)


def _check_errors(errors: object) -> None:
    if errors not in ("strict", "replace"):
        raise CorpusError(f'errors is "strict" or "replace", not {in_short(ascii(errors))}.')


def _encoding(data: bytes, name: str, offset: int | None, *, quiet: bool = False) -> tuple[str, bytes]:
    """Return the codec of a file by its first bytes, and the mark to drop. Raises CorpusError for what is no
    text, and warns if it drops a mark."""
    if offset:
        return "utf-8", b""
    if kind := kind_of_file(data[:BEGINNING]):
        raise CorpusError(f"{name} is {kind.what}. {kind.remedy}")
    encoding, mark = encoding_of(data)
    if encoding == "utf-8":
        if mark and not quiet:
            warnings.warn(f"{name}: {MARK_DROPPED}", CorpusWarning, stacklevel=2)
        return "utf-8", mark
    if offset is not None:
        raise CorpusError(
            f"{name} is {encoding.upper()}, and only UTF-8 can be read in parts. Convert it to UTF-8."
        )
    ends = "be" if mark.endswith(b"\xff") else "le"
    return f"{encoding}-{ends}", mark


def _cannot_be_decoded(path: str, codec: str, byte_offset: int) -> CorpusError:
    encoding = codec.upper().removesuffix("-LE").removesuffix("-BE")
    return CorpusError(
        f"{path} is not {encoding}: the byte at offset {byte_offset:,} cannot be decoded. "
        "Convert the file to UTF-8, or choose to replace invalid bytes."
    )


def _decoded(decoder: codecs.IncrementalDecoder, data: bytes, name: str, codec: str, offset: int) -> str:
    """Decode the data at ``offset``; without data, what the decoder held back."""
    held_back, _ = decoder.getstate()
    try:
        return decoder.decode(data, final=not data)
    except UnicodeDecodeError as error:
        raise _cannot_be_decoded(name, codec, offset - len(held_back) + error.start) from None
