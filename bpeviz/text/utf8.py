"""UTF-8 text from strings, from bytes, and from files that are read part by part."""

import codecs
from collections.abc import Iterator
from typing import Literal, Protocol

from bpeviz.errors import CorpusError

__all__ = ["Errors", "Readable", "check_text", "decode_parts", "decode_utf8", "text_of"]

#: What happens to bytes that are not UTF-8: they are refused, or replaced by U+FFFD.
Errors = Literal["strict", "replace"]


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


def decode_utf8(data: bytes, name: str, errors: Errors = "strict") -> str:
    """Decode a file's bytes as UTF-8; ``name`` is the file's name in errors. Raises CorpusError."""
    try:
        return data.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise _not_utf8(name, error.start) from None


def _not_utf8(path: str, byte_offset: int) -> CorpusError:
    return CorpusError(
        f"{path} is not UTF-8: the byte at offset {byte_offset:,} cannot be decoded. "
        "Convert the file to UTF-8, or choose to replace invalid bytes."
    )


def decode_parts(file: Readable, name: str, errors: Errors = "strict", *, offset: int = 0) -> Iterator[str]:
    """Yield the same part by part, for a file that is read from ``offset`` as needed. Raises OSError too."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors)
    while data := file.read(PART):
        yield _decoded(decoder, data, name, offset)
        offset += len(data)
    yield _decoded(decoder, b"", name, offset)


def _decoded(decoder: codecs.IncrementalDecoder, data: bytes, name: str, offset: int) -> str:
    """Decode the data at ``offset``; without data, what the decoder held back."""
    held_back, _ = decoder.getstate()
    try:
        return decoder.decode(data, final=not data)
    except UnicodeDecodeError as error:
        raise _not_utf8(name, offset - len(held_back) + error.start) from None
