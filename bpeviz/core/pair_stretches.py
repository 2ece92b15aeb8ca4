"""Pair stretches: from which merge to which every pair occurs, and how often, computed from the gap ranks.

A token exists from the merge that makes it until one of the gaps beside it closes. The gaps beside it are
the nearest ones of a higher rank:

    gap ranks      0     3     1     N            the token that merge 1 made, between 3 and N,
    symbols     a     b     c     d     e         exists after 2 merges, until merge 3 takes it

A pair stands at a gap where its left token ends and its right token starts. So the tokens beside each gap, in
the order in which they are made, are the pairs that stand there; training records nothing for it.

Where a pair begins and ends with the same merges does not matter for its counts. Such places are one stretch
with the sum of their weights: a million places become some thousand stretches. They are summed part by part,
so that a large corpus needs little memory.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.core.gap_ranks import NEVER, WALL, GapRanks

__all__ = ["PairStretches", "find_stretches"]

Ints = npt.NDArray[np.int64]
GapIndices = npt.NDArray[np.intp]
#: How many symbols are looked at together.
PART_SYMBOLS = 1_000_000


@dataclass(frozen=True, eq=False)
class PairStretches:
    """The stretches of all pairs, sorted by ``pairs``, ``first`` and ``end``, each combination once.

    From ``first`` merges until before ``end`` merges, the tokens of one of ``pairs`` meet ``weights`` times,
    repeats of pre-tokens included. A pair is one number with its left id in the upper 32 bits. ``gaps``: the
    first gap between the two, because some recipes settle ties by what is seen first.
    """

    pairs: Ints
    first: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    gaps: GapIndices
    weights: Ints

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def lefts(self) -> Ints:
        """The ids of the left tokens."""
        return self.pairs >> 32

    @property
    def rights(self) -> Ints:
        """The ids of the right tokens."""
        return self.pairs & 0xFFFFFFFF

    def where(self, kept: npt.NDArray[np.bool_] | npt.NDArray[np.intp] | slice) -> "PairStretches":
        """Those at which ``kept`` is true, or at these indices."""
        return PairStretches(*(getattr(self, each.name)[kept] for each in fields(self)))


def find_stretches(
    ids: npt.NDArray[np.int32],
    gap_ranks: GapRanks,
    weights: npt.NDArray[np.int64],
    made_ids: npt.NDArray[np.int32],
) -> PairStretches:
    """Return the stretches of all pairs of a trained corpus.

    ``ids`` and ``gap_ranks`` hold the base symbols of the distinct pre-tokens and the gap rank after each;
    ``weights`` how often each one's pre-token occurs; ``made_ids`` the token id of each merge.
    """
    parts: list[PairStretches] = []
    for start, end, beyond in _parts(gap_ranks):
        places = _Places(ids[start:beyond], gap_ranks[start:beyond], weights[start:beyond], made_ids)
        stretches = places.stretches()
        stretches = stretches.where(stretches.gaps < end - start)
        parts.append(_summed([replace(stretches, gaps=stretches.gaps + start)]))
        if len(parts) > 1 and len(parts[-1]) > len(parts[0]) // 2:
            parts = [_summed(parts)]
    return parts[0] if len(parts) == 1 else _summed(parts)


def _parts(gap_ranks: GapRanks) -> Iterator[tuple[int, int, int]]:
    """Where parts begin and end: at gaps that no merge closes, so that every token lies within a part.

    The pair across the end of a part needs the tokens that begin there: they lie before the third number.
    """
    ends = np.flatnonzero(gap_ranks >= NEVER) + 1
    start = 0
    while start < len(gap_ranks):
        at = min(int(np.searchsorted(ends, start + PART_SYMBOLS)), len(ends) - 1)
        yield start, int(ends[at]), int(ends[min(at + 1, len(ends) - 1)])
        start = int(ends[at])
    if not len(gap_ranks):
        yield 0, 0, 0


def _summed(parts: Sequence[PairStretches]) -> PairStretches:
    """Return the stretches of all parts, which follow each other, sorted, with equal ones added up."""
    pairs, first, end, gaps, weights = (
        np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(PairStretches)
    )
    steps = (first.astype(np.int64) << 32) | end
    order = np.lexsort((steps, pairs))
    pairs, steps = pairs[order], steps[order]
    changes = (np.diff(pairs) != 0) | (np.diff(steps) != 0)
    begins = np.flatnonzero(np.r_[len(order) > 0, changes])
    if len(begins):
        gaps, weights = np.minimum.reduceat(gaps[order], begins), np.add.reduceat(weights[order], begins)
    return PairStretches(pairs[begins], first[order[begins]], end[order[begins]], gaps, weights)


@dataclass(frozen=True, eq=False)
class _Places:
    """A part of a trained corpus: see find_stretches."""

    ids: npt.NDArray[np.int32]
    gap_ranks: GapRanks
    weights: npt.NDArray[np.int64]
    made_ids: npt.NDArray[np.int32]

    def stretches(self) -> PairStretches:
        """Return a stretch for every pair at every place.

        A gap's pair changes when the token that ends there changes, or the one that starts there.
        """
        ranks, last = self.gap_ranks, len(self.made_ids)
        closed = np.flatnonzero(ranks < NEVER)
        before, after = self._nearest_higher
        symbols = np.arange(len(ranks))
        ends, starts = np.r_[symbols, after[closed]], np.r_[symbols - 1, before[closed]]
        born = np.r_[np.zeros(len(ranks), np.int64), ranks[closed].astype(np.int64) + 1]
        token_ids = np.r_[self.ids, self.made_ids[ranks[closed]]]
        gaps, born, token_ids = np.r_[ends, starts], np.r_[born, born], np.r_[token_ids, token_ids]
        is_left = np.arange(len(gaps)) < len(ends)
        inside = np.flatnonzero(self._rank(gaps) != WALL)
        order = inside[np.argsort(gaps[inside] * (last + 2) + born[inside], kind="stable")]
        gaps, born, token_ids, is_left = gaps[order], born[order], token_ids[order], is_left[order]
        here = np.arange(len(gaps))
        lefts = token_ids[np.maximum.accumulate(np.where(is_left, here, 0))]
        rights = token_ids[np.maximum.accumulate(np.where(is_left, 0, here))]
        end = np.minimum(ranks[gaps], last).astype(np.int64) + 1
        same_gap = np.flatnonzero(gaps[1:] == gaps[:-1])
        end[same_gap] = born[same_gap + 1]
        there = born < end
        gaps, pairs = gaps[there], (lefts[there].astype(np.int64) << 32) | rights[there]
        steps = born[there].astype(np.int32), end[there].astype(np.int32)
        return PairStretches(pairs, *steps, gaps, self.weights[gaps])

    def _rank(self, gaps: GapIndices) -> Ints:
        """Return the ranks of ``gaps``; -1 is the place before the first symbol."""
        return np.where(gaps < 0, WALL, self.gap_ranks[gaps]).astype(np.int64)

    @cached_property
    def _nearest_higher(self) -> tuple[GapIndices, GapIndices]:
        """For each closed gap the nearest gap before and after it that closes later or never.

        Every gap points at its neighbour first. If the neighbour closes sooner, so do all gaps between it and
        the one it points at. So the pointer moves on to that one: twice as far in each round.
        """
        ranks = self.gap_ranks
        size = len(ranks)
        before, after = np.arange(-1, size - 1), np.arange(1, size + 1)
        for pointers in (before, after):
            moving = np.flatnonzero(ranks < NEVER)
            while len(moving := moving[self._closes_sooner(pointers[moving], moving)]):
                pointers[moving] = pointers[pointers[moving]]
        return before, after

    def _closes_sooner(self, gaps: GapIndices, than: GapIndices) -> npt.NDArray[np.bool_]:
        sooner: npt.NDArray[np.bool_] = self._rank(gaps) <= self.gap_ranks[than]
        return sooner
