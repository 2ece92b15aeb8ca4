"""Which pair a finished tokenizer merges next: the one whose merge has the lowest rank."""

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

from bpeviz.core.pair_index import PairIndex
from bpeviz.core.token_chain import ChainMerge, Pair

__all__ = ["RankedPairs"]


class RankedPairs:
    """The pairs of ``index`` that a tokenizer merges, the lowest rank first. ``merge_of_pair`` has the rank
    and the token id of each of its merges."""

    def __init__(self, merge_of_pair: Mapping[Pair, tuple[int, int]], index: PairIndex) -> None:
        self._merge_of_pair = merge_of_pair
        self._index = index
        self._heap = [
            (self._merge_of_pair[pair][0], pair) for pair in index.counts if pair in self._merge_of_pair
        ]
        heapify(self._heap)

    def first(self) -> Pair | None:
        """Return the pair whose merge comes next; None if no merge of the tokenizer is left."""
        while self._heap:
            pair = self._heap[0][1]
            if pair in self._index.counts and not self._index.is_excluded(pair):
                return pair
            heappop(self._heap)
        return None

    def update(self, merged: ChainMerge) -> None:
        """Add the pairs that a merge made."""
        for pair, _, _ in merged.born:
            if known := self._merge_of_pair.get(pair):
                heappush(self._heap, (known[0], pair))
