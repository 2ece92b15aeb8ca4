"""The characters of a text as an array, their kinds, where they begin in UTF-8, and which are newer than the
libraries that a tokenizer comes from.

``tokenizers`` and tiktoken split by the tables of an older Unicode than the ``regex`` package: a letter that
Unicode 17 brought is no letter for them. To split as they do, such characters are replaced before the search
by one that is not assigned in either, and the text is cut at the same places.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import regex

__all__ = [
    "as_in_older_unicode",
    "byte_offsets",
    "characters",
    "kinds_of",
    "length_of_character",
    "without_newer_characters",
]


def characters(text: str) -> npt.NDArray[np.uint32]:
    """Return the code point of each character."""
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def byte_offsets(text: str) -> npt.NDArray[np.int64]:
    """How many bytes lie before each character, and before the end."""
    data = np.frombuffer(text.encode("utf-8"), np.uint8)
    return np.append(np.flatnonzero((data & 0xC0) != 0x80), len(data))


def length_of_character(first_byte: int) -> int:
    """Return how many bytes a character has in UTF-8, by its first one."""
    return 1 + (first_byte >= 0xC0) + (first_byte >= 0xE0) + (first_byte >= 0xF0)


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


_UNASSIGNED = 0x0378
#: The only character whose category changed, from a lower-case letter to another letter, and one like it was.
_CHANGED, _AS_BEFORE = 0x0295, 0x0250
_LAST = 0x34000
_ASSIGNED = r"[\p{L}\p{M}\p{N}\p{P}\p{S}]+"


def without_newer_characters(text: str) -> str:
    """Return the text with one unassigned character for each that is newer than the tables of
    ``tokenizers``."""
    if text.isascii():
        return text
    codes = characters(text)
    if not _stand_ins()[codes].any():
        return text
    return as_in_older_unicode(codes).astype("<u4").tobytes().decode("utf-32-le")


def as_in_older_unicode(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return the code points with an unassigned one for each that the tables of ``tokenizers`` lack."""
    stand_ins = _stand_ins()[codes]
    return np.where(stand_ins > 0, stand_ins, codes).astype(np.uint32)


@cache
def _stand_ins() -> npt.NDArray[np.uint16]:
    """For every code point the one that replaces it, 0 for those that stay."""
    # imported here: only texts beyond ASCII need it
    from bpeviz.text.library import normalizer_of

    codes = np.arange(_LAST, dtype="<u4")  # beyond it every assigned character is old
    codes[0xD800:0xE000] = ord(" ")
    every = codes.tobytes().decode("utf-32-le")
    assigned = "".join(regex.findall(_ASSIGNED, every, concurrent=False))
    without_old = normalizer_of({"type": "Replace", "pattern": {"Regex": _ASSIGNED}, "content": ""})
    table = np.zeros(0x110000, np.uint16)
    table[characters(without_old(assigned))] = _UNASSIGNED
    table[_CHANGED] = _AS_BEFORE
    return table
