"""Pair lives: how often every pair occurs after every number of merges, from the pair stretches."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpeviz.core.pair_stretches import PairStretches
from bpeviz.core.token_chain import Pair

__all__ = ["CountChanges", "PairCounts", "PairLife", "PairLives"]

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairCounts:
    """The pairs at one step, ascending, as in PairStretches: how often each occurs, and its first gap."""

    pairs: npt.NDArray[np.int64]
    counts: Counts
    gaps: npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class CountChanges:
    """The pairs whose count one merge changes, ascending, as in PairStretches: their counts before it, and
    how much they change."""

    pairs: npt.NDArray[np.int64]
    before: Counts
    change: Counts


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


class PairLives:
    """The lives of all pairs of a trained corpus, from their ``stretches`` and the pair of each merge."""

    def __init__(self, stretches: PairStretches, merges: Sequence[tuple[Pair, int]]) -> None:
        self.stretches = stretches
        self._num_merges = len(merges)
        self._merged = np.array([_number(pair) for pair, _ in merges], np.int64)

    def life(self, pair: Pair) -> PairLife:
        """Return the life of one pair. If it never occurs, all counts are 0."""
        merged_at = np.flatnonzero(self._merged == _number(pair))
        return PairLife(pair, self.counts(pair), tuple(merged_at.tolist()))

    def counts(self, pair: Pair) -> Counts:
        """How often ``pair`` occurs after 0, 1, … all merges, overlaps included."""
        number = _number(pair)
        mine = self.stretches.where(slice(*np.searchsorted(self.stretches.pairs, [number, number + 1])))
        changes = np.zeros(self._num_merges + 2, np.int64)
        np.add.at(changes, mine.first, mine.weights)
        np.add.at(changes, mine.end, -mine.weights)
        counts: Counts = np.cumsum(changes)[:-1]
        return counts

    def count(self, pair: Pair, k: int) -> int:
        """How often ``pair`` occurs after ``k`` merges, overlaps included."""
        return int(self.counts(pair)[k])

    def counts_at(self, k: int) -> PairCounts:
        """All pairs after ``k`` merges."""
        now = np.flatnonzero((self.stretches.first <= k) & (k < self.stretches.end))
        pairs, gaps, weights = (getattr(self.stretches, name)[now] for name in ("pairs", "gaps", "weights"))
        begins = np.flatnonzero(np.r_[len(pairs) > 0, np.diff(pairs) != 0])
        if len(begins) < len(pairs):
            gaps, weights = np.minimum.reduceat(gaps, begins), np.add.reduceat(weights, begins)
        return PairCounts(pairs[begins], weights, gaps)

    def changes_at(self, k: int) -> CountChanges:
        """Return what merge ``k`` changes."""
        gone, born = (
            self.stretches.where(np.flatnonzero(step == k + 1))
            for step in (self.stretches.end, self.stretches.first)
        )
        pairs, places = np.unique(np.r_[gone.pairs, born.pairs], return_inverse=True)
        before, change = np.zeros((2, len(pairs)), np.int64)
        np.add.at(change, places, np.r_[-gone.weights, born.weights])
        now = self.counts_at(k)
        _, at, found = np.intersect1d(pairs, now.pairs, assume_unique=True, return_indices=True)
        before[at] = now.counts[found]
        changed = change != 0
        return CountChanges(pairs[changed], before[changed], change[changed])


def _number(pair: Pair) -> int:
    """Return a pair as one number: see PairStretches."""
    return (pair[0] << 32) | pair[1]
