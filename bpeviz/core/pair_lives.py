"""Pair lives: how often a pair occurred after every number of merges, from the gap ranks.

A token exists from the merge that makes it until one of the gaps beside it closes. The gaps beside it are
the nearest ones of a higher rank:

    gap ranks      0     3     1     N            the token that merge 1 made, between 3 and N,
    symbols     a     b     c     d     e         exists after 2 merges, until merge 3 takes it

A pair occurs where its left token ends at the gap at which its right token starts. So two look-ups and one
join give a pair's whole life; training records nothing for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from bpeviz.core.gap_ranks import NEVER, WALL, GapRanks
from bpeviz.core.token_chain import Pair

__all__ = ["Fate", "PairLife", "PairLives", "PairStretches"]

Counts = npt.NDArray[np.int64]
GapIndices = npt.NDArray[np.intp]
Fate = Literal["merged", "used up", "alive", "unborn"]


@dataclass(frozen=True, eq=False)
class PairLife:
    """One pair over all merges. ``counts[k]`` is how often it occurs after k merges, overlaps included;
    ``merged_at`` holds the ranks of the merges that merged it, usually one or none."""

    pair: Pair
    counts: Counts
    merged_at: tuple[int, ...]

    @property
    def born(self) -> int | None:
        """The number of merges after which the pair first occurs; None if it never does."""
        return int(np.argmax(self.counts > 0)) if self.counts.any() else None

    @property
    def peak(self) -> int:
        """The number of merges after which it first occurs most often."""
        return int(np.argmax(self.counts))

    @property
    def ended(self) -> int | None:
        """The number of merges after which it occurs no more; None if it still occurs at the end."""
        if self.counts[-1]:
            return None
        return int(np.flatnonzero(self.counts)[-1]) + 1 if self.counts.any() else 0

    @property
    def fate(self) -> Fate:
        """How it ended: ``merged``; ``used up``, because other merges took its tokens; ``alive`` after the
        last merge; or ``unborn``, because it never occurred."""
        if self.born is None:
            return "unborn"
        if self.ended is None:
            return "alive"
        return "merged" if self.ended - 1 in self.merged_at else "used up"


@dataclass(frozen=True, eq=False)
class PairStretches:
    """All pairs at all places. From ``first`` merges until before ``end`` merges, the tokens ``lefts`` and
    ``rights`` meet at the gap ``gaps``, in a pre-token that occurs ``weights`` times."""

    lefts: npt.NDArray[np.int32]
    rights: npt.NDArray[np.int32]
    gaps: GapIndices
    first: Counts
    end: Counts
    weights: Counts

    def where(self, kept: npt.NDArray[np.bool_]) -> "PairStretches":
        """Those at which ``kept`` is true."""
        return PairStretches(*(getattr(self, each.name)[kept] for each in fields(self)))


class PairLives:
    """The lives of all pairs of a trained corpus.

    ``ids`` and ``gap_ranks`` hold the base symbols of the distinct pre-tokens and the gap rank after each;
    ``weights`` how often each one's pre-token occurs; ``merges`` the pair and token id of each merge.
    """

    def __init__(
        self,
        ids: npt.NDArray[np.int32],
        gap_ranks: GapRanks,
        weights: npt.NDArray[np.int64],
        merges: Sequence[tuple[Pair, int]],
    ) -> None:
        self._ids = ids
        self._gap_ranks = gap_ranks
        self._weights = weights
        self._num_merges = len(merges)
        self._merged = np.array([pair for pair, _ in merges], np.int32).reshape(-1, 2)
        self._made_ids = np.fromiter((token_id for _, token_id in merges), np.int32, len(merges))

    def life(self, pair: Pair) -> PairLife:
        """The life of one pair. If it never occurs, all counts are 0."""
        merged_at = np.flatnonzero((self._merged == pair).all(axis=1))
        return PairLife(pair, self.counts(pair), tuple(merged_at.tolist()))

    def counts(self, pair: Pair) -> Counts:
        """How often ``pair`` occurs after 0, 1, … all merges, overlaps included."""
        left_starts, left_ends, left_born = self._stands(pair[0])
        right_starts, right_ends, right_born = self._stands(pair[1])
        gaps, lefts, rights = np.intersect1d(left_ends, right_starts, return_indices=True)
        inside = self._gap_ranks[gaps] != WALL
        gaps, lefts, rights = gaps[inside], lefts[inside], rights[inside]
        born = np.maximum(left_born[lefts], right_born[rights])
        closing = np.minimum.reduce(
            [self._rank(gaps), self._rank(left_starts[lefts]), self._rank(right_ends[rights])]
        )
        ends = np.minimum(closing, self._num_merges) + 1
        lived = born < ends
        changes = np.zeros(self._num_merges + 2, np.int64)
        np.add.at(changes, born[lived], self._weights[gaps[lived]])
        np.add.at(changes, ends[lived], -self._weights[gaps[lived]])
        counts: Counts = np.cumsum(changes)[:-1]
        return counts

    def stretches(self) -> PairStretches:
        """Every pair at every place, with the merges between which it is there.

        A gap's pair changes when the token that ends there changes, or the one that starts there.
        """
        ranks, last = self._gap_ranks, self._num_merges
        closed = np.flatnonzero(ranks < NEVER)
        before, after = self._nearest_higher
        symbols = np.arange(len(ranks))
        ends, starts = np.r_[symbols, after[closed]], np.r_[symbols - 1, before[closed]]
        born = np.r_[np.zeros(len(ranks), np.int64), ranks[closed].astype(np.int64) + 1]
        token_ids = np.r_[self._ids, self._made_ids[ranks[closed]]]
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
        lived = born < end
        gaps = gaps[lived]
        return PairStretches(lefts[lived], rights[lived], gaps, born[lived], end[lived], self._weights[gaps])

    def _rank(self, gaps: GapIndices) -> npt.NDArray[np.int64]:
        """The ranks of ``gaps``; -1 is the place before the first symbol."""
        return np.where(gaps < 0, WALL, self._gap_ranks[gaps]).astype(np.int64)

    def _stands(self, token_id: int) -> tuple[GapIndices, GapIndices, npt.NDArray[np.int64]]:
        """Every place where a token occurs at some step: the gap before it, the gap after it, and the number
        of merges after which it is there."""
        symbols = np.flatnonzero(self._ids == token_id)
        before, after = self._nearest_higher
        ranks = np.flatnonzero(self._made_ids == token_id)
        made = [self._closed_by(rank) for rank in ranks.tolist()]
        gaps = np.concatenate([np.empty(0, np.intp), *made])
        born = np.repeat(ranks + 1, [len(places) for places in made])
        return (
            np.concatenate([symbols - 1, before[gaps]]),
            np.concatenate([symbols, after[gaps]]),
            np.concatenate([np.zeros(len(symbols), np.int64), born]),
        )

    def _closed_by(self, rank: int) -> GapIndices:
        by_rank, starts = self._gaps_by_rank
        return by_rank[starts[rank] : starts[rank + 1]]

    @cached_property
    def _gaps_by_rank(self) -> tuple[GapIndices, GapIndices]:
        """The closed gaps in the order of their ranks, and where the gaps of each rank start."""
        closed = np.flatnonzero(self._gap_ranks < NEVER)
        by_rank = closed[np.argsort(self._gap_ranks[closed], kind="stable")]
        return by_rank, np.searchsorted(self._gap_ranks[by_rank], np.arange(self._num_merges + 1))

    @cached_property
    def _nearest_higher(self) -> tuple[GapIndices, GapIndices]:
        """For each closed gap the nearest gap before and after it that closes later or never.

        Every gap points at its neighbour first. If the neighbour closes sooner, so do all gaps between it and
        the one it points at. So the pointer moves on to that one: twice as far in each round.
        """
        ranks = self._gap_ranks
        size = len(ranks)
        before, after = np.arange(-1, size - 1), np.arange(1, size + 1)
        for pointers in (before, after):
            moving = np.flatnonzero(ranks < NEVER)
            while len(moving := moving[self._closes_sooner(pointers[moving], moving)]):
                pointers[moving] = pointers[pointers[moving]]
        return before, after

    def _closes_sooner(self, gaps: GapIndices, than: GapIndices) -> npt.NDArray[np.bool_]:
        sooner: npt.NDArray[np.bool_] = self._rank(gaps) <= self._gap_ranks[than]
        return sooner
