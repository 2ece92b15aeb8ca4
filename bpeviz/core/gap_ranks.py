"""Gap ranks: for every byte of a text, the rank of the merge that closed the gap after it.

BPE only ever closes gaps, each once, so this one int32 array is the whole history of a text:

    text        t  h  e     c  a  t
    gap ranks   1  0  W  N  N  2  W        0: h+e   1: t+he   2: a+t   W: wall   N: never closed

After k merges the tokens are the runs between gaps whose rank is k or more. Four values are not ranks.
Tokenizers and histories compute the ranks; this module lays them out and cuts them. docs/architecture.md
explains the idea.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import Spelling

__all__ = [
    "INSIDE",
    "NEVER",
    "SKIPPED",
    "WALL",
    "GapRanks",
    "PlacedRanks",
    "gather",
    "is_token_end",
    "per_byte",
    "place_ranks",
    "pre_token_around",
    "token_ends",
    "token_total",
    "token_totals",
    "tokens_at",
]

GapRanks = npt.NDArray[np.int32]

#: The gap lies inside a base symbol, such as a character of several bytes: no token ends there.
INSIDE: Final = -1
#: The gap is open: no merge closed it.
NEVER: Final = 2**31 - 3
#: The byte belongs to no token: white space that a recipe drops.
SKIPPED: Final = 2**31 - 2
#: The last byte of a pre-token, which no merge crosses.
WALL: Final = 2**31 - 1


def is_token_end(gap_ranks: GapRanks, num_merges: int) -> npt.NDArray[np.bool_]:
    """Return whether each byte is the last of a token after ``num_merges`` merges."""
    ends: npt.NDArray[np.bool_] = (gap_ranks >= num_merges) & (gap_ranks != SKIPPED)
    return ends


def token_ends(gap_ranks: GapRanks, num_merges: int) -> npt.NDArray[np.intp]:
    """Return the offset of the last byte of each token after ``num_merges`` merges, ascending."""
    return np.flatnonzero(is_token_end(gap_ranks, num_merges))


def pre_token_around(gap_ranks: GapRanks, start: int, end: int) -> tuple[int, int]:
    """Where the pre-token starts and ends that holds the bytes from ``start`` to ``end``."""
    before = np.flatnonzero(gap_ranks[:start] >= SKIPPED)
    after = np.flatnonzero(gap_ranks[end - 1 :] >= SKIPPED)
    first = int(before[-1]) + 1 if before.size else 0
    return first, end + int(after[0]) if after.size else len(gap_ranks)


def token_total(gap_ranks: GapRanks, num_merges: int) -> int:
    """How many tokens a text has after ``num_merges`` merges."""
    return len(token_ends(gap_ranks, num_merges))


def token_totals(gap_ranks: GapRanks, num_merges: int) -> npt.NDArray[np.int64]:
    """How many tokens a text has after 0, 1, … up to ``num_merges`` merges."""
    closed = np.bincount(gap_ranks[(gap_ranks >= 0) & (gap_ranks < num_merges)], minlength=num_merges)
    totals: npt.NDArray[np.int64] = token_total(gap_ranks, 0) - np.r_[0, np.cumsum(closed)]
    return totals


def tokens_at(
    symbol_ids: npt.NDArray[np.int32], gap_ranks: GapRanks, token_ids: npt.NDArray[np.int32], num_merges: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    """Return the tokens of base symbols after ``num_merges`` merges: the id of each, which is that of its
    latest merge, and the index of its last symbol.

    ``gap_ranks`` are those after each symbol, ``token_ids`` the tokens that the merges made, by rank.
    """
    ends = np.flatnonzero(gap_ranks >= num_merges)
    starts = np.r_[0, ends[:-1] + 1] if len(ends) else ends
    latest = np.where(gap_ranks < num_merges, gap_ranks, -1)
    ranks = np.maximum.reduceat(latest, starts) if len(ends) else latest
    ids = symbol_ids[starts]
    made = ranks >= 0
    ids[made] = token_ids[ranks[made]]
    return ids, ends


@dataclass(frozen=True, eq=False)
class PlacedRanks:
    """The gap ranks of a spelling, placed on the bytes of the text.

    - ``gap_ranks``: one for each byte; ``sizes``: the number of bytes of each pre-token;
    - ``hidden``: the ranks that have no place, because several gaps lie at one byte or a gap lies inside what
      the next symbol stands for, as after the space that some tokenizers put before every text. They say
      nothing about where tokens end in the text, but each gap that is open means one more token;
    - ``hidden_bytes``: for each of these the byte with which its token is counted: the last of what the next
      symbol stands for, if the gap lies inside it;
    - ``symbol_ids``: for each byte the symbol whose gap is there; INSIDE or SKIPPED if there is none.
    """

    gap_ranks: GapRanks
    sizes: npt.NDArray[np.int64]
    hidden: GapRanks
    hidden_bytes: npt.NDArray[np.int32]
    symbol_ids: npt.NDArray[np.int32]


def place_ranks(spelling: Spelling, per_symbol: GapRanks) -> PlacedRanks:
    """Place the gap rank after each symbol on the bytes of the text."""
    empty, sizes, ends = _empty(spelling)
    shown = _shown(spelling, per_symbol, empty, ends)
    gap_ranks, symbol_ids = empty, empty.copy()
    gap_ranks[ends[shown] - 1] = per_symbol[shown]
    symbol_ids[ends[shown] - 1] = spelling.ids[shown]
    hidden_bytes = _bytes_counted_with(spelling, ends, len(gap_ranks))[~shown]
    return PlacedRanks(gap_ranks, sizes, per_symbol[~shown], hidden_bytes, symbol_ids)


def per_byte(spelling: Spelling, per_symbol: GapRanks) -> tuple[GapRanks, npt.NDArray[np.int64]]:
    """Widen gap ranks from one per symbol to one per byte.

    Returns the array and the number of bytes of each pre-token in it.
    """
    placed = place_ranks(spelling, per_symbol)
    return placed.gap_ranks, placed.sizes


def _empty(spelling: Spelling) -> tuple[GapRanks, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return an array with a place for each byte, skipped ones marked; the number of bytes of each pre-token;
    and how many bytes lie before the end of each symbol."""
    skipped_so_far = np.cumsum(spelling.skipped)
    first_symbols = np.cumsum(spelling.lengths) - spelling.lengths
    # reduceat gives an empty pre-token the width of the symbol after it, so mask it
    widths = np.add.reduceat(np.r_[spelling.widths, 0], first_symbols) * (spelling.lengths > 0)
    sizes = (spelling.skipped + widths).astype(np.int64)
    result = np.full(sizes.sum(), INSIDE, np.int32)
    # before the n-th skipped byte are n other skipped ones and the symbols of earlier pre-tokens
    behind = np.repeat(np.cumsum(sizes) - widths - skipped_so_far, spelling.skipped)
    result[behind + np.arange(len(behind))] = SKIPPED
    ends = np.cumsum(spelling.widths, dtype=np.int64) + np.repeat(skipped_so_far, spelling.lengths)
    return result, sizes, ends


def _shown(
    spelling: Spelling, per_symbol: GapRanks, marked: GapRanks, ends: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Return whether the gap after each symbol counts for the last byte before it. Of several at one byte
    the one that stays open longest does."""
    shown = np.ones(len(ends), np.bool_)
    if spelling.inside is None:
        return shown
    shown = ~spelling.inside & (ends > 0)
    shown[shown] = marked[ends[shown] - 1] != SKIPPED
    places = np.flatnonzero(shown)
    order = places[np.lexsort((per_symbol[places], ends[places]))]
    shown[order[:-1][np.diff(ends[order]) == 0]] = False
    return shown


def _bytes_counted_with(
    spelling: Spelling, ends: npt.NDArray[np.int64], text_bytes: int
) -> npt.NDArray[np.int32]:
    """Return for each symbol the byte with which a token that ends there is counted.

    "ﬁ" becomes f + i: both come from its three bytes, i has them, and f is counted with the last of them.
    """
    bytes_of = ends - 1
    if spelling.inside is not None and len(ends):
        # the end of the first symbol from here on that stands for a byte
        with_bytes = np.where(spelling.widths > 0, ends, np.iinfo(np.int64).max)
        next_ends = np.minimum.accumulate(with_bytes[::-1])[::-1]
        bytes_of = np.where(spelling.inside, next_ends - 1, bytes_of)
    return np.clip(bytes_of, 0, max(0, text_bytes - 1)).astype(np.int32)


def gather(
    gap_ranks: GapRanks, sizes: npt.NDArray[np.int64], pre_tokens: Sequence[int] | npt.NDArray[np.int64]
) -> GapRanks:
    """Return the gap ranks of a text, put together from those of its pre-tokens.

    ``gap_ranks`` holds those of pre-token 0, then of pre-token 1 and so on; ``sizes`` says how many each has;
    ``pre_tokens`` are the pre-tokens of the text in order, by their index.
    """
    chosen = np.asarray(pre_tokens, np.int64)
    starts = np.cumsum(sizes) - sizes
    lengths = sizes[chosen]
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    # places of four bytes, if they fit, take half the time
    places = np.int32 if max(total, len(gap_ranks)) < 2**31 else np.int64
    shifts = (starts[chosen] - (ends - lengths)).astype(places)
    result: GapRanks = gap_ranks[np.repeat(shifts, lengths) + np.arange(total, dtype=places)]
    return result
