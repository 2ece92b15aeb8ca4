"""The characters of a text as an array, their kinds, and where they begin in UTF-8."""

from functools import cache

import numpy as np
import numpy.typing as npt
import regex

__all__ = ["byte_offsets", "characters", "kinds_of"]


def characters(text: str) -> npt.NDArray[np.uint32]:
    """Return the code point of each character."""
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def byte_offsets(text: str) -> npt.NDArray[np.int64]:
    """How many bytes lie before each character, and before the end."""
    data = np.frombuffer(text.encode("utf-8"), np.uint8)
    return np.append(np.flatnonzero((data & 0xC0) != 0x80), len(data))


def kinds_of(
    codes: npt.NDArray[np.uint32] | npt.NDArray[np.uint8], kinds: tuple[str, ...]
) -> npt.NDArray[np.int8]:
    """For each character the number of its kind: 1 for the first of ``kinds``, 0 for none.

    A kind is a regular expression of one character, which no other kind matches.
    """
    return _kind_of_character(int(codes.max(initial=0)).bit_length(), kinds)[codes]


@cache
def _kind_of_character(bits: int, kinds: tuple[str, ...]) -> npt.NDArray[np.int8]:
    """Return the kind of every code point of at most so many bits, according to the ``regex`` package.

    Asking for all of Unicode takes as long as counting a megabyte, and few texts need more than 16 bits.
    """
    table = np.zeros(min(1 << bits, 0x110000), np.int8)
    every = np.arange(len(table), dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    for number, kind in enumerate(kinds, 1):
        for match in regex.finditer(f"(?:{kind})+", every, concurrent=False):
            table[match.start() : match.end()] = number
    return table
