"""TokenChain: the corpus as it is tokenized now, one flat doubly linked list over all distinct pre-tokens.

A merge at position i of the pair (a, b) makes

    before     x     a     b     y            after      x     c  ·  y
               h     i     j     k                       h     i     k

so that i holds the new token and j drops out of the list. Its slot in ``ids`` then keeps the rank of the
merge that took it, as -1 - rank: a dead slot is a closed gap, and the whole history is in one array.

Counting pairs and choosing among them is not done here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpeviz.base_vocabulary import Spelling
from bpeviz.gap_ranks import NEVER, WALL, GapRanks

__all__ = ["ChainMerge", "Pair", "Positions", "TokenChain"]

Pair = tuple[int, int]
Positions = list[int]

#: In place of a neighbour: there is none, the pre-token ends.
END = -1

#: From this many positions on, whole-array steps are faster than a walk.
AT_ONCE_FROM = 256


@dataclass(frozen=True)
class ChainMerge:
    """What one merge did: ``changes`` of pair counts, other than the merged pair's own; ``born``, the
    positions where pairs with the new token came to be, ascending; ``replaced``, how many tokens the corpus
    has fewer (an overlap such as the second (a, a) of ``aaa`` is counted as a pair but not replaced)."""

    changes: dict[Pair, int]
    born: dict[Pair, Positions]
    replaced: int


class TokenChain:
    """All distinct pre-tokens in first-seen order; ``weights`` says how often each occurs."""

    def __init__(self, spelling: Spelling, weights: npt.NDArray[np.int64]) -> None:
        size = len(spelling.ids)
        self._lengths = spelling.lengths
        self._ids = spelling.ids.astype(np.int32)
        self._next = np.arange(1, size + 1, dtype=np.int32)
        self._previous = np.arange(-1, size - 1, dtype=np.int32)
        self._weights = np.repeat(weights, spelling.lengths)
        ends = np.cumsum(spelling.lengths[spelling.lengths > 0])
        self._next[ends - 1] = END
        self._previous[ends[:-1]] = END
        if size:
            self._previous[0] = END
        # Reading one element is several times cheaper through a memoryview than through the array.
        self._views = self._ids.data, self._next.data, self._previous.data, self._weights.data

    def initial_pairs(self) -> tuple[dict[Pair, int], dict[Pair, Positions]]:
        """Counts and positions of every pair, overlaps included; pairs in first-seen order."""
        left = np.flatnonzero(self._next >= 0)
        keys = (self._ids[left].astype(np.int64) << 32) | self._ids[left + 1]
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(keys[order]) != 0]) if len(left) else order
        sums = np.add.reduceat(self._weights[left[order]], starts) if len(left) else order
        groups = np.split(left[order], starts[1:])
        counts: dict[Pair, int] = {}
        positions: dict[Pair, Positions] = {}
        for group in np.argsort(order[starts]):
            key = int(keys[order[starts[group]]])
            pair = key >> 32, key & 0xFFFFFFFF
            counts[pair] = int(sums[group])
            positions[pair] = groups[group].tolist()
        return counts, positions

    @property
    def token_total(self) -> int:
        """Tokens in the corpus now, repeats of pre-tokens included."""
        return int(self._weights[self._ids >= 0].sum())

    @property
    def gap_ranks(self) -> GapRanks:
        """The gap rank after each base symbol of the distinct pre-tokens, in order."""
        after = np.full(len(self._ids), WALL, np.int32)
        dead = np.where(self._ids < 0, -1 - self._ids, NEVER)
        after[:-1] = dead[1:]
        ends = np.cumsum(self._lengths[self._lengths > 0]) - 1
        after[ends] = WALL
        return after

    def holds(self, position: int, pair: Pair) -> bool:
        """Whether ``pair`` still stands at ``position``."""
        ids, following, _, _ = self._views
        if ids[position] != pair[0]:
            return False
        right: int = following[position]
        return right >= 0 and ids[right] == pair[1]

    def merge(self, pair: Pair, token_id: int, rank: int, positions: Positions) -> ChainMerge:
        """Replace ``pair`` by ``token_id`` wherever it still stands among ``positions`` (ascending), left
        to right without overlap."""
        if len(positions) >= AT_ONCE_FROM and pair[0] != pair[1]:
            merged = self._merge_at_once(pair, token_id, rank, np.array(positions, np.int32))
        else:
            merged = self._merge_one_by_one(pair, token_id, rank, positions)
        merged.changes.pop(pair, None)
        return merged

    def _merge_one_by_one(self, pair: Pair, token_id: int, rank: int, positions: Positions) -> ChainMerge:
        left, right = pair
        ids, following, preceding, weights = self._views
        changes: dict[Pair, int] = {}
        born: dict[Pair, Positions] = {}
        replaced = 0
        for i in positions:
            if ids[i] != left:
                continue
            j = following[i]
            if j < 0 or ids[j] != right:
                continue
            weight = weights[i]
            replaced += weight
            h, k = preceding[i], following[j]
            if h >= 0:
                x = ids[h]
                changes[x, left] = changes.get((x, left), 0) - weight
                changes[x, token_id] = changes.get((x, token_id), 0) + weight
                born.setdefault((x, token_id), []).append(h)
            if k >= 0:
                y = ids[k]
                changes[right, y] = changes.get((right, y), 0) - weight
                changes[token_id, y] = changes.get((token_id, y), 0) + weight
                born.setdefault((token_id, y), []).append(i)
                preceding[k] = i
            following[i] = k
            ids[i] = token_id
            ids[j] = -1 - rank
        return ChainMerge(changes, born, replaced)

    def _merge_at_once(
        self, pair: Pair, token_id: int, rank: int, heads: npt.NDArray[np.int32]
    ) -> ChainMerge:
        """The same in whole-array steps; occurrences cannot overlap because the halves differ.

        In ``abab`` the two occurrences share one gap. It is the right one of the first occurrence, so the
        left one of the second is left out.
        """
        left, right = pair
        tails = self._next[heads]
        stands = (self._ids[heads] == left) & (tails >= 0) & (self._ids[tails] == right)
        heads, tails = heads[stands], tails[stands]
        before, after = self._previous[heads], self._next[tails]
        joined = np.r_[after[:-1] == heads[1:], False] if len(heads) else stands
        has_right = after >= 0
        has_left = (before >= 0) & ~np.r_[False, joined[:-1]][: len(heads)]
        weights = self._weights[heads]
        changes: dict[Pair, int] = {}
        born: dict[Pair, Positions] = {}
        right_of = heads[has_right], weights[has_right]
        left_of = before[has_left], weights[has_left]
        old_y, old_x = self._ids[after[has_right]], self._ids[before[has_left]]
        new_y = np.where(joined[has_right], token_id, old_y)
        for y, _, weight in _grouped(old_y, *right_of):
            changes[right, y] = changes.get((right, y), 0) - weight
        for y, places, weight in _grouped(new_y, *right_of):
            changes[token_id, y] = changes.get((token_id, y), 0) + weight
            born[token_id, y] = places
        for x, places, weight in _grouped(old_x, *left_of):
            changes[x, left] = changes.get((x, left), 0) - weight
            changes[x, token_id] = changes.get((x, token_id), 0) + weight
            born[x, token_id] = sorted({*born.get((x, token_id), []), *places})
        self._next[heads] = after
        self._previous[after[has_right]] = heads[has_right]
        self._ids[heads], self._ids[tails] = token_id, -1 - rank
        return ChainMerge(changes, born, int(weights.sum()))


def _grouped(
    neighbours: npt.NDArray[np.int32], places: npt.NDArray[np.int32], weights: npt.NDArray[np.int64]
) -> Iterator[tuple[int, Positions, int]]:
    """Each distinct neighbour's id with the places it stands at, ascending, and their weight."""
    order = np.argsort(neighbours, kind="stable")
    ids = neighbours[order]
    starts = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]]) if len(ids) else order
    sums = np.add.reduceat(weights[order], starts) if len(ids) else weights
    for group, start in enumerate(starts):
        end = starts[group + 1] if group + 1 < len(starts) else len(ids)
        yield int(ids[start]), places[order[start:end]].tolist(), int(sums[group])
