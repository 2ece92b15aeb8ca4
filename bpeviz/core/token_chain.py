"""TokenChain: the tokens of the corpus now, as one flat doubly linked list over all distinct pre-tokens.

A merge at position i of the pair (a, b) makes

    before     x     a     b     y            after      x     c  ·  y
               h     i     j     k                       h     i     k

Now i holds the new token and j is no longer in the list. Its slot in ``ids`` keeps the rank of the merge that
took it, as -1 - rank: a dead slot is a closed gap, so the whole history is in one array.

The PairIndex keeps the pairs in order and chooses among them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import Spelling
from bpeviz.core.gap_ranks import NEVER, WALL, GapRanks, tokens_at
from bpeviz.core.whole_numbers import as_whole_number

__all__ = ["ChainMerge", "Pair", "Positions", "TokenChain", "as_list", "as_pair"]

Pair = tuple[int, int]
#: Where a pair occurs, ascending. Many positions are an array: a list would hold an object for each.
Positions = list[int] | npt.NDArray[np.int32]

#: The places next to a merge, ascending, by the id of the token there.
Neighbours = Mapping[int, Positions]

#: Instead of a neighbour: the pre-token ends here.
END = -1

#: From this many positions on, whole-array steps are faster than a walk.
AT_ONCE_FROM = 256


class ChainMerge(NamedTuple):
    """What one merge did to the other pairs, as if all new pairs appeared before any pair was lost.

    - ``born``: pairs with the new token, where each appeared, ascending, and how often;
    - ``lost``: pairs beside a place of the merge, and how often each disappeared; in ``abab`` the first
      occurrence makes (ab, a), which the second takes away again;
    - ``replaced``: how many tokens fewer the corpus has. An overlap, such as the second (a, a) of ``aaa``, is
      counted as a pair but not replaced.

    A pair is in ``born`` or ``lost`` once for each side of the merge, so up to twice.
    """

    born: list[tuple[Pair, Positions, int]]
    lost: list[tuple[Pair, int]]
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
        # Reading one element is several times faster through a memoryview than through the array, and twice
        # as fast again from a list.
        self._views = self._make_views()
        repeated = map(repeat, weights.tolist(), spelling.lengths.tolist())
        self._weight_at: list[int] = list(chain.from_iterable(repeated))

    def _make_views(self) -> tuple[memoryview, memoryview, memoryview]:
        return self._ids.data, self._next.data, self._previous.data

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the views, which cannot be copied or pickled."""
        return {name: value for name, value in self.__dict__.items() if name != "_views"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._views = self._make_views()

    def make_first(self, gap_ranks: GapRanks, token_ids: npt.NDArray[np.int32]) -> None:
        """Make the first merges of another training on the same pre-tokens, all at once, in a new chain.

        ``gap_ranks`` are those of that training, ``token_ids`` the tokens that its first merges made.
        """
        made = len(token_ids)
        ids, ends = tokens_at(self._ids, gap_ranks, token_ids, made)
        if not len(ends):
            return
        starts = np.r_[0, ends[:-1] + 1].astype(np.int32)
        taken = np.flatnonzero(gap_ranks < made) + 1
        self._ids[starts] = ids
        self._ids[taken] = -1 - gap_ranks[taken - 1]
        walls = gap_ranks[ends] == WALL
        self._next[starts] = np.where(walls, END, np.r_[starts[1:], END])
        self._previous[starts[1:]] = np.where(walls[:-1], END, starts[:-1])

    def pairs(self) -> tuple[dict[Pair, int], dict[Pair, Positions]]:
        """Return counts and positions of every pair, overlaps included."""
        left = np.flatnonzero((self._ids >= 0) & (self._next >= 0)).astype(np.int32)
        keys = (self._ids[left].astype(np.int64) << 32) | self._ids[self._next[left]]
        keys, starts, positions = _sorted_groups(keys, left)
        pairs = [(key >> 32, key & 0xFFFFFFFF) for key in keys.tolist()]
        if not pairs:
            return {}, {}
        counts = np.add.reduceat(self._weights[positions], starts)
        slices = np.split(positions, starts[1:])
        return dict(zip(pairs, counts.tolist(), strict=True)), dict(zip(pairs, slices, strict=True))

    def _weight(self, places: Positions) -> int:
        if len(places) == 1:
            return self._weight_at[places[0]]
        if isinstance(places, list):
            return sum(map(self._weight_at.__getitem__, places))
        return int(self._weights[places].sum())

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
        """Return whether ``pair`` is still at ``position``."""
        ids, following, _ = self._views
        if ids[position] != pair[0]:
            return False
        right: int = following[position]
        return right >= 0 and ids[right] == pair[1]

    def merge(self, pair: Pair, token_id: int, rank: int, positions: Positions) -> ChainMerge:
        """Replace ``pair`` by ``token_id`` wherever it still is among ``positions`` (ascending), left to
        right without overlap; returns what changed."""
        if len(positions) >= AT_ONCE_FROM and pair[0] != pair[1]:
            return self._merge_at_once(pair, token_id, rank, np.asarray(positions, np.int32))
        return self._merge_one_by_one(pair, token_id, rank, as_list(positions))

    def _merge_one_by_one(self, pair: Pair, token_id: int, rank: int, positions: list[int]) -> ChainMerge:
        left, right = pair
        ids, following, preceding = self._views
        weight_at = self._weight_at
        lefts: dict[int, list[int]] = defaultdict(list)
        rights: dict[int, list[int]] = defaultdict(list)
        replaced = 0
        for i in positions:
            if ids[i] != left:
                continue
            j = following[i]
            if j < 0 or ids[j] != right:
                continue
            replaced += weight_at[i]
            h, k = preceding[i], following[j]
            if h >= 0:
                lefts[ids[h]].append(h)
            if k >= 0:
                rights[ids[k]].append(i)
                preceding[k] = i
            following[i] = k
            ids[i] = token_id
            ids[j] = -1 - rank
        return self._changes(pair, token_id, lefts, rights, replaced)

    def _merge_at_once(
        self, pair: Pair, token_id: int, rank: int, heads: npt.NDArray[np.int32]
    ) -> ChainMerge:
        """Return the same in whole-array steps; occurrences cannot overlap because the halves differ.

        In ``abab`` the second occurrence's left neighbour is the token that the first has become.
        """
        left, right = pair
        tails = self._next[heads]
        stands = (self._ids[heads] == left) & (tails >= 0) & (self._ids[tails] == right)
        heads, tails = heads[stands], tails[stands]
        before, after = self._previous[heads], self._next[tails]
        joined = np.flatnonzero(after[:-1] == heads[1:]) + 1
        before[joined] = heads[joined - 1]
        has_left, has_right = before >= 0, after >= 0
        left_ids = self._ids[before]
        left_ids[joined] = token_id
        lefts = _grouped(left_ids[has_left], before[has_left])
        rights = _grouped(self._ids[after[has_right]], heads[has_right])
        self._next[heads] = after
        self._previous[after[has_right]] = heads[has_right]
        self._ids[heads], self._ids[tails] = token_id, -1 - rank
        return self._changes(pair, token_id, lefts, rights, int(self._weights[heads].sum()))

    def _changes(
        self, pair: Pair, token_id: int, lefts: Neighbours, rights: Neighbours, replaced: int
    ) -> ChainMerge:
        """Return the changes, from the neighbours that each occurrence of ``pair`` had when it was
        replaced."""
        left, right = pair
        born: list[tuple[Pair, Positions, int]] = []
        lost: list[tuple[Pair, int]] = []
        for x, places in lefts.items():
            weight = self._weight(places)
            born.append(((x, token_id), places, weight))
            lost.append(((x, left), weight))
        for y, places in rights.items():
            weight = self._weight(places)
            born.append(((token_id, y), places, weight))
            lost.append(((right, y), weight))
        if left == right:
            lost = [(other, weight) for other, weight in lost if other != pair]
        return ChainMerge(born, lost, replaced)


def as_pair(value: object) -> Pair | None:
    """``value`` as two token ids, from a tuple, list or array; None for anything else."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return None
    match [as_whole_number(token_id) for token_id in value]:
        case [int() as left, int() as right]:
            return left, right
    return None


def as_list(positions: Positions) -> list[int]:
    """Return the positions as a list, whose elements are faster to read."""
    return positions if isinstance(positions, list) else positions.tolist()


def _grouped(keys: npt.NDArray[Any], places: npt.NDArray[Any]) -> Neighbours:
    """``places``, which ascend, by their keys: a list if a key has few, an array if it has many."""
    keys, starts, places = _sorted_groups(keys, places)
    bounds = [*starts.tolist(), len(places)]
    in_order = places.tolist()
    groups = zip(keys.tolist(), bounds, bounds[1:], strict=False)
    return {
        key: in_order[start:end] if end - start < AT_ONCE_FROM else places[start:end]
        for key, start, end in groups
    }


def _sorted_groups(
    keys: npt.NDArray[Any], places: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the distinct keys ascending, where each one's group starts, and ``places`` in the order of
    groups."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: len(keys)])
    return keys[starts], starts, places[order]
