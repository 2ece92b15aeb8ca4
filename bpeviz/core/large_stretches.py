"""The stretches of all pairs of a large corpus, added up part by part.

Where a pair begins and ends with the same merges does not matter for its counts: such places are one stretch
with the sum of their weights. Its gap is the first of them, as ties may be settled by what is seen first. A
million places become some thousand stretches, so a large corpus needs little memory.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bpeviz.core.gap_ranks import WALL, GapRanks
from bpeviz.core.pair_lives import PairLives, PairStretches
from bpeviz.core.token_chain import Pair

__all__ = ["PART_SYMBOLS", "summed_stretches"]

#: How many symbols are looked at together; a part ends with a pre-token.
PART_SYMBOLS = 1_000_000


def summed_stretches(
    ids: npt.NDArray[np.int32],
    gap_ranks: GapRanks,
    weights: npt.NDArray[np.int64],
    merges: Sequence[tuple[Pair, int]],
) -> PairStretches:
    """The stretches of all pairs, those with the same pair, first and end as one; see PairLives."""
    parts: list[PairStretches] = []
    for start, end in _parts(gap_ranks):
        lives = PairLives(ids[start:end], gap_ranks[start:end], weights[start:end], merges)
        stretches = lives.stretches()
        parts.append(_summed([replace(stretches, gaps=stretches.gaps + start)]))
        if len(parts) > 1 and len(parts[-1].first) > len(parts[0].first) // 2:
            parts = [_summed(parts)]
    return parts[0] if len(parts) == 1 else _summed(parts)


def _parts(gap_ranks: GapRanks) -> Iterator[tuple[int, int]]:
    """Where the parts begin and end: at walls."""
    ends = np.flatnonzero(gap_ranks == WALL) + 1
    start = 0
    while start < len(gap_ranks):
        end = int(ends[min(int(np.searchsorted(ends, start + PART_SYMBOLS)), len(ends) - 1)])
        yield start, end
        start = end
    if not len(gap_ranks):
        yield 0, 0


def _summed(parts: Sequence[PairStretches]) -> PairStretches:
    """The stretches of all parts, which follow each other, with equal ones added up."""
    lefts, rights, gaps, first, end, weights = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("lefts", "rights", "gaps", "first", "end", "weights")
    )
    order = np.lexsort((end, first, rights, lefts))  # stable: of equal ones, the first gap comes first
    keys = [array[order] for array in (lefts, rights, first, end)]
    changes = np.logical_or.reduce([np.diff(key) != 0 for key in keys])
    begins = np.flatnonzero(np.r_[len(order) > 0, changes])
    lefts, rights, first, end = (key[begins] for key in keys)
    summed = np.add.reduceat(weights[order], begins) if len(begins) else weights
    least = np.minimum.reduceat(gaps[order], begins) if len(begins) else gaps
    return PairStretches(lefts, rights, least, first, end, summed)
