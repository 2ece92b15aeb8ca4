"""Pre-token counts in compressed bytes, as saved sessions hold them, and back.

The counts are one MessagePack map from pre-token to count, in the order of the corpus, compressed by zlib.
Anybody may have written such bytes, so reading checks their size before it uses memory for them.
"""

import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from bpeviz.decoders import msgpack_decoder
from bpeviz.errors import CorpusError

__all__ = ["MOST_PRE_TOKENS", "PackedCounts", "pack_counts", "unpack_counts"]

#: Level 6 takes three times as long and saves a twelfth more.
LEVEL = 1
#: The most distinct pre-tokens to read: each takes about 200 bytes of memory.
MOST_PRE_TOKENS = 8_000_000


@dataclass(frozen=True)
class PackedCounts:
    """Counts as ``packed`` bytes: ``byte_total`` bytes unpacked, and the SHA-256 of the packed ones."""

    packed: bytes
    byte_total: int
    digest: str


def pack_counts(counts: Mapping[str, int]) -> PackedCounts:
    """Pack counts."""
    written = msgspec.msgpack.encode(dict(counts))
    packed = zlib.compress(written, LEVEL)
    return PackedCounts(packed, len(written), hashlib.sha256(packed).hexdigest())


def unpack_counts(packed: bytes, byte_total: int) -> dict[str, int]:
    """Return the counts; never unpacks more than ``byte_total`` bytes and one. Corpus.from_counts checks
    each.

    Raises CorpusError for bytes that pack_counts didn't write.
    """
    reader = zlib.decompressobj()
    try:
        written = reader.decompress(packed, byte_total + 1)
    except zlib.error:
        raise _unreadable("they are damaged") from None
    if len(written) != byte_total or not reader.eof or reader.unused_data:
        raise _unreadable("they have the wrong size")
    if _entries(written) > MOST_PRE_TOKENS:
        raise _unreadable(f"they have more than {MOST_PRE_TOKENS:,} distinct pre-tokens")
    try:
        counts: dict[str, int] = msgpack_decoder(dict[str, int]).decode(written)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise _unreadable(f"they are not counts ({error})") from None
    return counts


def _unreadable(why: str) -> CorpusError:
    return CorpusError(
        f"The pre-token counts in this saved session can't be read: {why}. Save it again, or count the "
        "files again with bpeviz train … --out run.bpeviz."
    )


def _entries(written: bytes) -> int:
    """How many entries a MessagePack map says it has. Other values are refused when they are decoded."""
    match written[:1]:
        case b"\xde":
            return int.from_bytes(written[1:3], "big")
        case b"\xdf":
            return int.from_bytes(written[1:5], "big")
    return 0
