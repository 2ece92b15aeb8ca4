"""Reach: which merges can ever make their token when a text is encoded.

Encoding merges by rank, so what happens within the bytes of a token is the same in every text that comes to
hold it. A token is out of reach where merging its own bytes ends in something else: a merge of lower rank
takes a byte across the border between its two halves. Training makes no such token; files may hold some.
What a split pattern keeps apart is not looked at here.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bpeviz.token_chain import Pair

__all__ = ["unreachable_merges"]

IntArray = npt.NDArray[np.int64]


def unreachable_merges(merges: Sequence[tuple[Pair, int]]) -> npt.NDArray[np.bool_]:
    """Of every merge by rank, whether no encoding ever makes it. ``merges`` holds pairs and token ids by
    rank; of a token that several merges make, the first one counts as how it is made."""
    if not merges:
        return np.zeros(0, np.bool_)
    return _Borders(merges).crossed()


class _Borders:
    """The borders between the two halves of every merge, and which merges cross them."""

    def __init__(self, merges: Sequence[tuple[Pair, int]]) -> None:
        self.lefts = np.array([left for (left, _), _ in merges], np.int64)
        self.rights = np.array([right for (_, right), _ in merges], np.int64)
        made = np.array([token_id for _, token_id in merges], np.int64)
        highest = int(max(self.lefts.max(), self.rights.max(), made.max()))
        #: The rank of the merge that makes each token first, -1 for base tokens.
        self.rank_of = np.full(highest + 1, -1, np.int64)
        self.rank_of[made[::-1]] = np.arange(len(merges))[::-1]
        self.pairs, self.pair_ranks = np.unique(self._key(self.lefts, self.rights), return_index=True)

    def crossed(self) -> npt.NDArray[np.bool_]:
        """Walk down the right edge of each left half, and down the left edge of each right half."""
        crossed = np.zeros(len(self.lefts), np.bool_)
        ranks = np.arange(len(self.lefts))
        left, until = self.lefts, ranks
        while len(ranks):
            crossed[ranks[self._crossed_from(left, until, ranks)]] = True
            inner = self.rank_of[left]
            deeper = inner >= 0
            left, until, ranks = self.rights[inner[deeper]], inner[deeper], ranks[deeper]
        return self._with_parents(crossed)

    def _crossed_from(self, left: IntArray, until: IntArray, limits: IntArray) -> npt.NDArray[np.bool_]:
        """Whether ``left``, which stands at the border until the merge ``until``, merges across it."""
        crossed = np.zeros(len(left), np.bool_)
        places = np.arange(len(left))
        right, right_until = self.rights[limits], limits
        while len(places):
            rank = self._rank_of_pair(left[places], right)
            # of equal pairs the leftmost merges first: across the border before right of it
            earlier = (rank < until[places]) & (rank <= right_until) & (rank < limits[places])
            crossed[places[earlier]] = True
            inner = self.rank_of[right]
            deeper = inner >= 0
            right, right_until, places = self.lefts[inner[deeper]], inner[deeper], places[deeper]
        return crossed

    def _with_parents(self, crossed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """What is made of an unreachable token is unreachable too."""
        parents = [self.rank_of[self.lefts], self.rank_of[self.rights]]
        while True:
            inherited = crossed.copy()
            for parent in parents:
                inherited |= (parent >= 0) & crossed[parent]
            if (inherited == crossed).all():
                return crossed
            crossed = inherited

    def _rank_of_pair(self, left: IntArray, right: IntArray) -> IntArray:
        """The lowest rank of a merge of each pair; beyond every rank where there is none."""
        keys = self._key(left, right)
        places = np.minimum(np.searchsorted(self.pairs, keys), len(self.pairs) - 1)
        ranks: IntArray = np.where(self.pairs[places] == keys, self.pair_ranks[places], len(self.lefts))
        return ranks

    @staticmethod
    def _key(left: IntArray, right: IntArray) -> IntArray:
        return (left << 32) | right
