"""Counting the pre-tokens of long texts piece by piece, without an object for each.

    blocks         the cat; the cat sat | on the mat      cut into pieces
    distinct       "the" 1, " cat;" 1, " the" 2 …         each is split once
    pre-tokens     "the" 1, " cat" 2, ";" 1, " the" 2 …

Texts stay bytes, with an array of where their parts end; pyarrow finds the distinct ones, first seen first.

A piece splits the same way wherever it occurs. It begins at white space that follows anything else. No named
pattern has a pre-token across such a place, or looks across it to decide. So a text may be split piece by
piece, and pieces in any order may be joined and split together.

A piece is one or more stretches (see split_patterns), which a regular expression finds. Pieces are found by
whole-array steps, an order of magnitude faster. If a pattern includes line ends after punctuation, no piece
begins at a line end: what comes before it would matter.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bpeviz.corpus.blocks import in_groups
from bpeviz.text.characters import byte_offsets, characters, kinds_of
from bpeviz.text.pre_token_ends import quick_ends
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["count_pieces", "has_pieces", "piece_ends"]

#: How many bytes of pieces are split at once: few enough to stay in the processor's cache.
PART_BYTES = 64_000
#: How many characters of blocks are cut into pieces at once, at least: many short blocks then take no longer
#: than a long one.
GROUP_CHARACTERS = 32_000

_Ends = npt.NDArray[np.int64]
_Flags = npt.NDArray[np.bool_]


def count_pieces(blocks: Iterable[str], pattern: SplitPattern) -> dict[str, int]:
    """Return the counts of the pre-tokens of all blocks, first seen first. The pattern has pieces."""
    data, ends, is_alone = _pieces(blocks, pattern)
    pieces, which = _distinct(data, ends)
    counts = np.bincount(which)
    alone = np.zeros(len(counts), np.bool_)
    alone[which[is_alone]] = True
    data, ends = _data_and_ends(pieces)
    found = _pre_token_ends(data, ends, alone, pattern)
    pre_tokens, which = _distinct(data, found)
    weights = np.repeat(counts, np.diff(np.searchsorted(found, ends, "right"), prepend=0))
    # sums of floats are exact here: a batch has far fewer than 2**53 pre-tokens
    totals = np.bincount(which, weights).astype(np.int64)
    return dict(zip(pre_tokens.to_pylist(), totals.tolist(), strict=True))


def _pieces(blocks: Iterable[str], pattern: SplitPattern) -> tuple[bytes, _Ends, _Flags]:
    """All blocks in UTF-8, where their pieces end, and which pieces must be split alone."""
    parts: list[bytes] = []
    ends: list[_Ends] = []
    alone: list[_Flags] = []
    length = 0
    for group in in_groups(filter(None, blocks), GROUP_CHARACTERS):
        found, flags = piece_ends(group, pattern)
        text = "".join(group)
        parts.append(text.encode())
        ends.append(length + _in_bytes(text, found))
        alone.append(flags)
        length += len(parts[-1])
    return b"".join(parts), np.concatenate(ends), np.concatenate(alone)


def _in_bytes(text: str, places: _Ends) -> _Ends:
    """How many bytes lie before these characters."""
    return places if text.isascii() else byte_offsets(text)[places]


def _distinct(data: bytes, ends: _Ends) -> tuple["pa.LargeStringArray", npt.NDArray[np.int32]]:
    """Return the distinct strings among those that end there, first seen first, and which of them each one
    is."""
    import pyarrow as pa  # takes a tenth of a second, which short texts do not need

    offsets = np.concatenate(([0], ends))
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    encoded = pa.Array.from_buffers(pa.large_string(), len(ends), buffers).dictionary_encode()
    # to_numpy would import pandas, which takes 60 MB
    return encoded.dictionary, np.frombuffer(encoded.indices.buffers()[1], np.int32)[: len(ends)]


def _data_and_ends(strings: "pa.LargeStringArray") -> tuple[bytes, _Ends]:
    _, offsets, data = strings.buffers()
    ends = np.frombuffer(offsets, np.int64)[1 : len(strings) + 1]
    return data.slice(0, int(ends[-1])).to_pybytes(), ends


def _pre_token_ends(data: bytes, ends: _Ends, alone: _Flags, pattern: SplitPattern) -> _Ends:
    """Where the pre-tokens of the pieces in ``data`` end; the pieces end at ``ends``, and those that are
    ``alone`` must not be joined with others."""
    starts = np.concatenate(([0], ends))
    is_long = np.diff(starts) >= PART_BYTES
    steps = np.searchsorted(ends, np.arange(PART_BYTES, ends[-1], PART_BYTES))
    long = np.flatnonzero(is_long)
    borders = starts[np.unique(np.concatenate(([0], steps, long, long + 1, [len(ends)])))]
    split = pattern.splitter_of_stretches()

    def find(start: int, end: int) -> _Ends:
        text = data[start:end].decode()
        found = quick_ends(text, pattern)
        return start + _in_bytes(text, np.cumsum([len(p) for p in split(text)]) if found is None else found)

    found = np.concatenate([find(start, end) for start, end in pairwise(borders.tolist())])
    # Split again what was joined wrongly: a piece that must be alone, and its neighbours.
    wrong = alone.copy()
    wrong[1:] |= alone[:-1]
    wrong[:-1] |= alone[1:]
    wrong &= ~is_long
    kept = found[~wrong[np.searchsorted(ends, found)]]
    places = np.flatnonzero(wrong)
    spans = zip(starts[places].tolist(), ends[places].tolist(), strict=True)
    right = [start + _ends_in_bytes(split(data[start:end].decode())) for start, end in spans]
    return np.sort(np.concatenate([kept, *right]), kind="stable")  # quick, as most are in order


def _ends_in_bytes(pre_tokens: list[str]) -> _Ends:
    return np.cumsum([len(p.encode()) for p in pre_tokens], dtype=np.int64)


#: Kinds of characters by the stretch of a pattern: white space that begins no piece, and white space that
#: begins one if it follows a character of neither kind.
_KINDS = {
    SPLIT_PATTERNS["gpt2"].stretch: (r"(?!)", r"\s"),
    SPLIT_PATTERNS["cl100k"].stretch: (r"[\r\n]", r"[^\S\r\n]"),
    SPLIT_PATTERNS["whitespace"].stretch: (r"(?!)", r"[\s\x1c-\x1f]"),
    SPLIT_PATTERNS["spaces"].stretch: (r"(?!)", r"[ \r\n]"),
    SPLIT_PATTERNS["sentencepiece"].stretch: (r"(?!)", r"[ \n\x00\x1f]"),
}
_OTHER, _BEGINS = 0, 2


def has_pieces(pattern: SplitPattern) -> bool:
    """Return whether texts can be cut into pieces for this pattern."""
    return pattern.stretch in _KINDS


def piece_ends(
    texts: Sequence[str], pattern: SplitPattern
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Where the pieces end, in characters of the joined texts, and which of them must be split alone.

    Those are pieces at the start of a text that do not begin as other pieces do, and pieces that end with
    white space. The texts are not empty, and the pattern has pieces.
    """
    joined = "".join(texts)
    codes = np.frombuffer(joined.encode(), np.uint8) if joined.isascii() else characters(joined)
    kinds = kinds_of(codes, _KINDS[pattern.stretch])
    is_end = np.diff(kinds, append=kinds[-1]) == _BEGINS - _OTHER
    is_end[np.cumsum([len(text) for text in texts]) - 1] = True
    ends = np.flatnonzero(is_end) + 1
    starts = np.concatenate(([0], ends[:-1]))
    return ends, (kinds[starts] != _BEGINS) | (kinds[ends - 1] != _OTHER)
