"""Base symbols that a library gives, placed on the bytes of the text that they stand for.

    text        "É x", lowercased, with a space before it
    symbols     ␣   é   ␣   x
    bytes       0   2   1   1        the first stands for no byte of the text

A library says which characters of the text each symbol comes from. A symbol ends where no later one begins
before: of several that come from the same characters the last has their bytes, and the others have none,
unless they spell these bytes; then each has its own. Bytes that normalization drops belong to the symbol
before them. Bytes that the pre-tokenizer removes belong to no symbol.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import Spelling

__all__ = ["FoundSymbols", "place_symbols"]

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FoundSymbols:
    """What a library found in a text.

    ``ids``: the id of each symbol, as the tokenizer numbers them; ``starts`` and ``ends``: the bytes of the
    text that it comes from; ``words``: the number of its pre-token, ascending; ``wholes``: for each pre-token
    the id of the token that replaces all of it, or -1. Empty for a file without such tokens.
    """

    ids: npt.NDArray[np.int32]
    starts: Numbers
    ends: Numbers
    words: npt.NDArray[np.int32]
    wholes: npt.NDArray[np.int32]


def place_symbols(
    text: bytes,
    found: FoundSymbols,
    symbol_bytes: Mapping[int, bytes],
    is_dropped: Callable[[str], bool],
) -> Spelling:
    """Return the symbols of a whole text, with the number of its bytes that each stands for.

    ``symbol_bytes`` has the bytes of each symbol by its id; ``is_dropped`` says whether normalization leaves
    nothing of a part of the text. The last pre-token of the spelling is empty: bytes may be left over after
    the last symbol.
    """
    count = len(found.ids)
    if not count:
        kept = np.zeros(0, np.int32)
        return Spelling(kept, kept, np.zeros(1, np.int32), np.array([len(text)], np.int32))
    furthest = np.maximum.accumulate(found.ends)
    still_to_come = np.minimum.accumulate(np.r_[found.starts[1:], len(text)][::-1])[::-1]
    ends_here = furthest <= still_to_come
    done = np.maximum.accumulate(np.where(ends_here, furthest, 0))
    before = np.r_[0, done[:-1]]
    begins_here = np.r_[True, ends_here[:-1]]
    next_start = np.r_[np.minimum(found.starts, still_to_come), len(text)]
    gaps = np.maximum(next_start - np.r_[before, done[-1]], 0) * np.r_[begins_here, True]
    gap_of_group = gaps[:-1][begins_here][np.cumsum(begins_here) - 1]
    widths = np.where(ends_here, done - before - gap_of_group, 0)
    _share(text, found, widths, symbol_bytes)
    first = np.r_[True, found.words[1:] != found.words[:-1], True]
    skipped = np.zeros(int(first.sum()), np.int64)
    word_of = np.cumsum(first) - 1
    for at in np.flatnonzero(gaps).tolist():
        position = int(before[at]) if at < count else int(done[-1])
        lost = text[position : position + int(gaps[at])].decode("utf-8", "replace")
        if first[at] and not is_dropped(lost):
            skipped[word_of[at]] = gaps[at]
        else:
            widths[at - 1 if at else np.argmax(ends_here)] += gaps[at]
    lengths = np.bincount(word_of[:-1], minlength=len(skipped))
    return Spelling(
        found.ids,
        widths.astype(np.int32),
        lengths.astype(np.int32),
        skipped.astype(np.int32),
        None if widths.all() else ~ends_here & (widths == 0),
    )


def _share(text: bytes, found: FoundSymbols, widths: Numbers, symbol_bytes: Mapping[int, bytes]) -> None:
    """Share the bytes that several symbols come from: changes ``widths`` in place."""
    same = np.r_[
        False,
        (found.starts[1:] == found.starts[:-1])
        & (found.ends[1:] == found.ends[:-1])
        & (found.words[1:] == found.words[:-1]),
    ]
    starts = np.flatnonzero(~same)
    sizes = np.diff(np.r_[starts, len(same)])
    ids = found.ids.tolist()
    known: dict[tuple[bytes, tuple[int, ...]], list[int]] = {}
    for start, size in zip(starts[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        symbols = tuple(ids[start : start + size])
        width = int(widths[start + size - 1])
        end = int(found.ends[start])
        key = text[end - width : end], symbols
        if key not in known:
            known[key] = _shares(key[0], [symbol_bytes.get(i, b"") for i in symbols])
        widths[start : start + size] = known[key]


def _shares(part: bytes, symbols: Sequence[bytes]) -> list[int]:
    """How many bytes of a part of the text each of its symbols stands for."""
    for first in range(len(symbols)):
        if b"".join(symbols[first:]) == part:
            return [0] * first + [len(symbol) for symbol in symbols[first:]]
    return [0] * (len(symbols) - 1) + [len(part)]
