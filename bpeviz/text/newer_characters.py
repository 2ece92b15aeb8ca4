"""Characters that the ``regex`` package knows, but not the libraries that a tokenizer comes from.

``tokenizers`` and tiktoken split by the tables of an older Unicode: a letter that Unicode 17 brought is no
letter for them. To split as they do, such characters are replaced before the search by one that is not
assigned in either, and the text is cut at the same places.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import regex

from bpeviz.text.characters import characters

__all__ = ["without_newer_characters"]

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
    stand_ins = _stand_ins()[codes]
    if not stand_ins.any():
        return text
    return np.where(stand_ins > 0, stand_ins, codes).astype("<u4").tobytes().decode("utf-32-le")


@cache
def _stand_ins() -> npt.NDArray[np.uint16]:
    """For every code point the one that replaces it, 0 for those that stay."""
    # imported here: only texts beyond ASCII need it
    from tokenizers import Regex
    from tokenizers.pre_tokenizers import Split

    codes = np.arange(_LAST, dtype="<u4")  # beyond it every assigned character is old
    codes[0xD800:0xE000] = ord(" ")
    every = codes.tobytes().decode("utf-32-le")
    table = np.zeros(0x110000, np.uint16)
    for found in regex.finditer(_ASSIGNED, every, concurrent=False):
        table[found.start() : found.end()] = _UNASSIGNED
    for _, (start, end) in Split(Regex(_ASSIGNED), "removed", invert=True).pre_tokenize_str(every):
        table[start:end] = 0
    table[_CHANGED] = _AS_BEFORE
    return table
