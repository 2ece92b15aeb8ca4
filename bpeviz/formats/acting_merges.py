"""Which merge of a list makes each token, if the list names several pairs for one token.

    Ġ + t, h + e, Ġt + he, Ġth + e      Ġthe is made by Ġt + he; Ġth + e never acts

The symbols of a token merge the same way in every text. So one pair makes the token and no other pair ever
does: the last two tokens that are left when its symbols are merged. The list may use a token before a merge
makes it.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from bpeviz.core.reach import TokenMerging
from bpeviz.core.token_chain import Pair
from bpeviz.formats.source import FaultError
from bpeviz.tokenizer.symbol_merger import Merge, in_making_order

__all__ = ["acting_merges", "with_whole_tokens"]

IntArray = npt.NDArray[np.int64]
#: Real tokenizers have tokens of some hundred bytes, and need some twenty rounds.
MOST_LEVELS = 100


def acting_merges(
    base_ids: Sequence[int], merges: IntArray, *, all_tokens: bool
) -> tuple[list[tuple[Pair, int]], set[int]]:
    """Return the merges with one for each token, the one that acts, in the order of their ranks; and the
    tokens that are known not to be made at all. Of such a token the first merge stays. Merges of tokens that
    nothing makes are left out.

    ``merges`` has three ids for each merge: of its left and its right half, and of the token that it makes.
    There may be half a million, of which two hundred thousand act: so pairs are made of these only.

    Tokens with one pair are not checked, unless ``all_tokens``. Raises FaultError if the tokens are so long
    that this takes too much time.
    """
    if not len(merges):
        return [], set()
    numbered = _Numbered(base_ids, merges)
    if not all_tokens and len(numbered.order) == len(merges) and numbered.most_ranks == 1:
        return _as_pairs(merges), set()
    kept = _made_by_halves(numbered)
    unmade: set[int] = set()
    merging: TokenMerging | None = None
    for token in numbered.made_tokens.tolist():
        if kept[token] >= 0:
            continue
        first = kept[token] = int(numbered.first_rank[token])
        if numbered.rank_totals[token] > 1 or all_tokens:
            merging = merging or _merging(base_ids, _as_pairs(merges), numbered.order.tolist())
            left, right, token_id = merges[first].tolist()
            acting = _by_merging(merging, ((left, right), token_id), base_ids)
            if acting is None:
                unmade.add(token_id)
            else:
                kept[token] = acting
    return _as_pairs(merges[np.sort(kept[numbered.made_tokens])]), unmade


def _as_pairs(merges: IntArray) -> list[tuple[Pair, int]]:
    return [((left, right), token_id) for left, right, token_id in merges.tolist()]


class _Numbered:
    """The merges as arrays, with tokens numbered by their place among the ids: one high id makes no long
    table.

    - ``lefts``, ``rights``, ``made``: the tokens of each merge; ``is_base``: whether a token is a base
      symbol;
    - ``order``: the ranks of the merges whose halves can be made, in an order in which each has its halves;
    - ``first_rank``: the lowest rank in it that makes each token, and ``rank_totals``: how many do.
    """

    def __init__(self, base_ids: Sequence[int], merges: IntArray) -> None:
        tokens, places = np.unique(merges, return_inverse=True)
        self.lefts, self.rights, self.made = places.reshape(-1, 3).T
        self.is_base = np.isin(tokens, np.fromiter(base_ids, np.int64))
        ranks = np.arange(len(merges))
        self._note_first(ranks)
        ready = np.where(self.is_base, -1, self.first_rank)
        if not ((ready[self.lefts] < ranks) & (ready[self.rights] < ranks)).all():
            in_order = self._by_levels()
            if in_order is None:
                in_order = np.array(list(in_making_order(base_ids, _as_pairs(merges))), np.int64)
            ranks = in_order
            self._note_first(ranks)
        self.order = ranks

    def _by_levels(self) -> IntArray | None:
        """Return the ranks of the merges that can be made, in an order in which each has its halves: that of
        in_making_order takes twice as long. None if there are too many levels."""
        levels = self._levels()
        if levels is None:
            return None
        ranks = np.flatnonzero(levels <= MOST_LEVELS)
        in_order: IntArray = ranks[np.argsort(levels[ranks], kind="stable")]
        return in_order

    def _levels(self) -> IntArray | None:
        """Return for each merge after how many rounds its halves are there, if each round makes all tokens
        that it can; more than MOST_LEVELS for those that never have them. None if that takes more rounds: a
        chain such as a, aa, aaa, … may have thousands, and each costs the time of all merges that wait."""
        levels = np.full(len(self.made), MOST_LEVELS + 1, np.int64)
        is_there = self.is_base.copy()
        waiting = np.arange(len(self.made))
        for level in range(MOST_LEVELS + 1):
            ready = is_there[self.lefts[waiting]] & is_there[self.rights[waiting]]
            if not ready.any():
                return levels
            levels[waiting[ready]] = level
            is_there[self.made[waiting[ready]]] = True
            waiting = waiting[~ready]
        return None

    def _note_first(self, ranks: IntArray) -> None:
        ranks = np.sort(ranks)
        never = len(self.made)
        self.first_rank = np.full(len(self.is_base), never, np.int64)
        self.first_rank[self.made[ranks[::-1]]] = ranks[::-1]
        self.rank_totals = np.bincount(self.made[ranks], minlength=len(self.is_base))

    @property
    def most_ranks(self) -> int:
        """How many merges make one token, at most."""
        return int(self.rank_totals.max())

    @property
    def made_tokens(self) -> IntArray:
        """The tokens that merges make, in the order of their first ranks."""
        ranks = np.sort(self.order)
        tokens: IntArray = self.made[ranks][self.first_rank[self.made[ranks]] == ranks]
        return tokens

    def lengths(self) -> IntArray:
        """Return how many symbols each token has; 1 for a base symbol."""
        lengths = [0] * len(self.is_base)
        columns = (each[self.order].tolist() for each in (self.lefts, self.rights, self.made))
        for left, right, token in zip(*columns, strict=True):
            if not lengths[token]:
                lengths[token] = (lengths[left] or 1) + (lengths[right] or 1)
        return np.array(lengths, np.int64)


def _made_by_halves(numbered: _Numbered) -> IntArray:
    """Return the rank that makes each token of which its halves show it; -1 for the others.

    That is the first merge of a token whose halves are both made before it, and of which no other merge
    crosses the border. What the halves are made by must be known first, so this goes from short tokens to
    long ones, and looks at all merges that make tokens of one length together: there may be half a million.
    """
    borders = _Borders(numbered)
    lengths = numbered.lengths()[numbered.made[numbered.order]]
    by_length = np.lexsort((numbered.order, lengths))
    starts = np.flatnonzero(np.diff(lengths[by_length], prepend=-1))
    for group in np.split(numbered.order[by_length], starts[1:]):
        acting = borders.uncrossed(group)[::-1]  # of several ranks of a token the lowest is written last
        borders.rank_of[numbered.made[acting]] = acting
    return borders.rank_of


class _Borders:
    """The borders between the halves of merges. ``rank_of`` is the merge that makes each token, as far as it
    is known, else -1."""

    def __init__(self, numbered: _Numbered) -> None:
        self._lefts, self._rights, self._is_base = numbered.lefts, numbered.rights, numbered.is_base
        self.rank_of = np.full(len(self._is_base), -1, np.int64)
        last_first = ((self._lefts << 32) | self._rights)[::-1]  # of equal pairs the last one counts
        self._pairs, places = np.unique(last_first, return_index=True)
        self._pair_ranks = len(self._lefts) - 1 - places

    def uncrossed(self, ranks: IntArray) -> IntArray:
        """Return those of the merges whose halves are both made before it, and whose border no other merge
        crosses; in the same order.

        Takes the tokens at the border back in time: the one that was made last falls into its halves, of
        which one is at the border. core/reach.py does the same for all merges at once, because it knows how
        each token is made. Here that is known only after the tokens before it: of Ġ + t, h + e, Ġt + he and
        Ġth + e, the last two are one token.
        """
        kept = ranks[self._is_before(self._lefts[ranks], ranks) & self._is_before(self._rights[ranks], ranks)]
        crossed = np.zeros(len(kept), np.bool_)
        own, limit = np.arange(len(kept)), kept
        left, right = self._lefts[kept], self._rights[kept]
        while len(own):
            crossed[own[self._rank_of_pair(left, right) < limit]] = True
            made_left, made_right = self.rank_of[left], self.rank_of[right]
            parted = (np.maximum(made_left, made_right) >= 0) & ~crossed[own]
            takes_left = made_left > made_right
            left, right, limit = (
                np.where(takes_left, self._rights[made_left], left),
                np.where(takes_left, right, self._lefts[made_right]),
                # among equal pairs the leftmost merges first: the one across the border before the one right
                # of it
                np.where(takes_left, made_left, made_right + 1),
            )
            left, right, limit, own = (every[parted] for every in (left, right, limit, own))
        return kept[~crossed]

    def _is_before(self, half: IntArray, ranks: IntArray) -> npt.NDArray[np.bool_]:
        made = self.rank_of[half]
        before: npt.NDArray[np.bool_] = self._is_base[half] | ((made >= 0) & (made < ranks))
        return before

    def _rank_of_pair(self, left: IntArray, right: IntArray) -> IntArray:
        """Return the rank of the merge of each pair; higher than every rank if there is none."""
        keys = (left << 32) | right
        places = np.minimum(np.searchsorted(self._pairs, keys), len(self._pairs) - 1)
        ranks: IntArray = np.where(self._pairs[places] == keys, self._pair_ranks[places], len(self._lefts))
        return ranks


def _merging(
    base_ids: Sequence[int], merges: Sequence[tuple[Pair, int]], order: Sequence[int]
) -> TokenMerging:
    """Return what merges the symbols of tokens, each spelled by the first merge that can make it."""
    halves: dict[int, Pair] = {}
    base = set(base_ids)
    for rank in order:
        pair, token_id = merges[rank]
        if token_id not in base:
            halves.setdefault(token_id, pair)
    return TokenMerging(halves, {pair: (rank, token_id) for rank, (pair, token_id) in enumerate(merges)})


def _by_merging(merging: TokenMerging, merge: tuple[Pair, int], base_ids: Sequence[int]) -> int | None:
    """Return the rank of the merge that makes a token of its symbols, which any ``merge`` of it has; None if
    none does. A base symbol needs none."""
    pair, token_id = merge
    if token_id in base_ids:
        return None
    try:
        return merging.rank_that_makes(token_id, pair)
    except OverflowError:
        raise FaultError(
            "its tokens are so long that finding the merges that make them would take too much time. "
            "Check that it is the right file."
        ) from None


def with_whole_tokens(merges: Sequence[tuple[Pair, int]], wholes: Iterable[int]) -> list[Merge]:
    """Return the merges with an entry for each token that only a whole pre-token becomes, in the place that
    its id has among the ids that merges make."""
    listed: list[Merge] = []
    waiting = sorted(wholes, reverse=True)
    for merge in merges:
        while waiting and waiting[-1] < merge[1]:
            listed.append((None, waiting.pop()))
        listed.append(merge)
    return [*listed, *((None, token_id) for token_id in reversed(waiting))]
