"""Packs: a header and arrays in one piece of bytes, which Python sends to a component.

A pack is a little-endian uint32 (the header's length), a JSON header, then the arrays that the header
lists, in its order. ``pack.js`` reads it.
"""

import json
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from bpeviz.core.gap_ranks import INSIDE, NEVER, SKIPPED, WALL, GapRanks

__all__ = ["pack", "short_gap_ranks"]

#: In gap ranks of two bytes, these stand for the values that are not ranks.
_SHORT = {INSIDE: 0xFFFC, NEVER: 0xFFFD, SKIPPED: 0xFFFE, WALL: 0xFFFF}


def pack(header: dict[str, Any], **arrays: npt.NDArray[Any]) -> bytes:
    """Write the header, with the ``arrays`` listed in it, then the arrays."""
    little_endian = {name: a.astype(a.dtype.newbyteorder("<"), copy=False) for name, a in arrays.items()}
    listed = [{"name": name, "type": a.dtype.str[1:], "length": a.size} for name, a in little_endian.items()]
    encoded = json.dumps({**header, "arrays": listed}).encode("utf-8")
    contents = (np.ascontiguousarray(a).data for a in little_endian.values())
    return b"".join([struct.pack("<I", len(encoded)), encoded, *contents])


def short_gap_ranks(gap_ranks: GapRanks) -> npt.NDArray[np.uint16] | GapRanks:
    """Gap ranks in two bytes each, which halves what we send; unchanged if a rank is too high."""
    ranks = gap_ranks[gap_ranks < NEVER]
    if ranks.size and ranks.max() >= _SHORT[INSIDE]:
        return gap_ranks
    short = gap_ranks.astype(np.uint16)
    for value, sent in _SHORT.items():
        short[gap_ranks == value] = sent
    return short
