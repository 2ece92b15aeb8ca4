"""How frequent each merged pair was among all pairs, when it was merged.

A recipe always merges the most frequent pair. A finished tokenizer merges by its own ranks, and on another
text its pairs may be rare ones.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpeviz.core.pair_stretches import PairStretches
from bpeviz.core.top_pairs import count_intervals

__all__ = ["MergedRanks", "merged_ranks"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MergedRanks:
    """For each merge, of the moment before it: the ``ranks`` of its pair among all pairs by count, 1 for the
    most frequent ones; the ``best`` count of a pair; and how many different ``pairs`` there are."""

    ranks: Ints
    best: Ints
    pairs: Ints


def merged_ranks(stretches: PairStretches, counts: Ints) -> MergedRanks:
    """Return the ranks of merges whose pairs had these ``counts``.

    One number for each count says how many pairs have it now; each merge changes a few of them.
    """
    merges = len(counts)
    ranks, best, pairs = np.zeros((3, merges), np.int64)
    intervals = count_intervals(stretches)
    values, places = np.unique(intervals.counts, return_inverse=True)
    steps = np.r_[intervals.first, intervals.end]
    changes = np.r_[np.ones(len(places), np.int64), np.full(len(places), -1)]
    order = np.argsort(steps, kind="stable")
    steps, places, changes = steps[order], np.r_[places, places][order], changes[order]
    until = np.searchsorted(steps, np.arange(merges), side="right")
    merged = np.searchsorted(values, counts)
    having = np.zeros(len(values), np.int64)
    done = 0
    for step in range(merges):
        end = int(until[step])
        np.add.at(having, places[done:end], changes[done:end])
        done = end
        ranks[step] = 1 + having[merged[step] + 1 :].sum()
        best[step] = values[np.flatnonzero(having)[-1]]
        pairs[step] = having.sum()
    return MergedRanks(ranks, best, pairs)
