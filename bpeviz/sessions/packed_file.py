"""A file that is saved with a session, compressed by zlib."""

import zlib
from dataclasses import dataclass

from bpeviz.cached import cached_property
from bpeviz.errors import TokenizerFileError
from bpeviz.sessions.store import text_digest

__all__ = ["PackedFile"]

#: Level 9 takes twice the time and saves a thousandth more of a rank file.
LEVEL = 6


@dataclass(frozen=True)
class PackedFile:
    """A file: its ``name``, its ``byte_total`` unpacked, and its ``packed`` bytes."""

    name: str
    byte_total: int
    packed: bytes

    @classmethod
    def of(cls, name: str, content: bytes) -> "PackedFile":
        """Pack a file."""
        return cls(name, len(content), zlib.compress(content, LEVEL))

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the packed bytes, by which they are saved."""
        return text_digest(self.packed)

    def content(self) -> bytes:
        """Return the file as it was. Never unpacks more than ``byte_total`` bytes and one.

        Raises TokenizerFileError if the bytes cannot be unpacked: anybody may have written them.
        """
        reader = zlib.decompressobj()
        try:
            content = reader.decompress(self.packed, self.byte_total + 1)
        except zlib.error:
            content = b""
        if len(content) != self.byte_total or not reader.eof:
            raise TokenizerFileError(self.name, "its saved copy is damaged. Remove it and upload it again.")
        return content
