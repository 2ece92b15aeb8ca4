"""Reach: which merges can ever make their token when a text is encoded.

Encoding merges by rank, so the bytes of a token merge the same way in every text that holds the token. A
token is out of reach if merging its own bytes gives something else: a merge of lower rank takes a byte across
the border between its two halves. Training makes no such token; files may hold some. Split patterns are not
considered.

Files may also use a token before a merge makes it. What is made of such a token is merged for an answer.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bpeviz.core.merging_orders import MergeOfPair, merge_by_rank
from bpeviz.core.token_chain import Pair

__all__ = ["TokenMerging", "unreachable_merges"]

#: Merging so many symbols takes some ten seconds.
MAX_MERGED_SYMBOLS = 2_000_000

IntArray = npt.NDArray[np.int64]


def unreachable_merges(merges: Sequence[tuple[Pair, int]]) -> npt.NDArray[np.bool_]:
    """For every merge by rank, whether no encoding ever makes it. ``merges`` holds pairs and token ids by
    rank. If several merges make a token, the first one counts."""
    if not merges:
        return np.zeros(0, np.bool_)
    return _Borders(merges).crossed()


class _Borders:
    """The borders between the two halves of every merge, and which merges cross them."""

    def __init__(self, merges: Sequence[tuple[Pair, int]]) -> None:
        ids = np.array([(left, right, token_id) for (left, right), token_id in merges], np.int64)
        # Tokens are numbered by their place among the ids, so one high id makes no long table.
        known, places = np.unique(ids, return_inverse=True)
        self.lefts, self.rights, self.made = places.reshape(ids.shape).T
        #: The rank of the first merge that makes each token, -1 for base tokens.
        self.rank_of = np.full(len(known), -1, np.int64)
        self.rank_of[self.made[::-1]] = np.arange(len(merges))[::-1]
        self.pairs, self.pair_ranks = np.unique(self._key(self.lefts, self.rights), return_index=True)

    def crossed(self) -> npt.NDArray[np.bool_]:
        """Return whether each merge's border is crossed. Goes back in time from every merge, on both
        sides of its border.

        Each step takes the younger of the two tokens apart, so only tokens that exist at the same time are
        paired. A border takes as many steps as its two edges are deep together.
        """
        crossed = np.zeros(len(self.lefts), np.bool_)
        ranks = np.arange(len(self.lefts))
        left, right = self.lefts, self.rights
        left_until = right_until = ranks
        while len(ranks):
            rank = self._rank_of_pair(left, right)
            # among equal pairs the leftmost merges first: the one across the border before the one right of
            # it
            crossed[ranks[(rank < left_until) & (rank <= right_until)]] = True
            made_left, made_right = self.rank_of[left], self.rank_of[right]
            parted = (np.maximum(made_left, made_right) >= 0) & ~crossed[ranks]
            takes_left = made_left > made_right
            left, left_until, right, right_until = (
                np.where(takes_left, self.rights[made_left], left),
                np.where(takes_left, made_left, left_until),
                np.where(takes_left, right, self.lefts[made_right]),
                np.where(takes_left, right_until, made_right),
            )
            left, left_until, right, right_until, ranks = (
                every[parted] for every in (left, left_until, right, right_until, ranks)
            )
        return self._with_late_halves(self._with_parents(crossed))

    def _with_parents(self, crossed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Mark tokens made from an unreachable token too. A token is made before it is used."""
        unreachable = [*crossed.tolist(), False]  # the last entry is for base tokens, whose rank is -1
        parents = zip(self.rank_of[self.lefts].tolist(), self.rank_of[self.rights].tolist(), strict=True)
        for rank, (left, right) in enumerate(parents):
            unreachable[rank] = unreachable[rank] or unreachable[left] or unreachable[right]
        return np.array(unreachable[:-1], np.bool_)

    def _with_late_halves(self, unreachable: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return the same, with merges of tokens that a later merge makes, and what is made of these, by
        merging."""
        halves = np.stack([self.rank_of[self.lefts], self.rank_of[self.rights]])
        late = np.append((halves > np.arange(len(self.lefts))).any(axis=0), False)
        while (more := late[:-1] | late[halves].any(axis=0)).sum() > late.sum():
            late[:-1] = more
        if late.any():
            merging = self._merging()
            for rank in np.flatnonzero(late).tolist():
                try:
                    pair = int(self.lefts[rank]), int(self.rights[rank])
                    unreachable[rank] = merging.rank_that_makes(int(self.made[rank]), pair) != rank
                except OverflowError:
                    break  # the tokens after it keep what their borders say
        return unreachable

    def _merging(self) -> "TokenMerging":
        pairs = list(zip(self.lefts.tolist(), self.rights.tolist(), strict=True))
        made = self.made.tolist()
        # of several merges the first counts, so it is written last
        halves = dict(zip(reversed(made), reversed(pairs), strict=True))
        merges = {pair: (rank, made[rank]) for rank, pair in reversed(list(enumerate(pairs)))}
        return TokenMerging(halves, merges)

    def _rank_of_pair(self, left: IntArray, right: IntArray) -> IntArray:
        """Return the lowest rank of a merge of each pair; higher than every rank if there is none."""
        keys = self._key(left, right)
        places = np.minimum(np.searchsorted(self.pairs, keys), len(self.pairs) - 1)
        ranks: IntArray = np.where(self.pairs[places] == keys, self.pair_ranks[places], len(self.lefts))
        return ranks

    @staticmethod
    def _key(left: IntArray, right: IntArray) -> IntArray:
        return (left << 32) | right


class TokenMerging:
    """Merges the base symbols of tokens, to see which merge makes each. ``halves`` says of which pair a token
    is made; a token that is not in it is a base symbol."""

    def __init__(self, halves: Mapping[int, Pair], merges: MergeOfPair) -> None:
        self._halves = halves
        self._merges = merges
        self._symbols_left = MAX_MERGED_SYMBOLS

    def rank_that_makes(self, token_id: int, pair: Pair) -> int | None:
        """Return the rank of the merge that makes a token of the symbols of ``pair``; None if they do not
        become it.

        Raises OverflowError if all tokens so far have more than MAX_MERGED_SYMBOLS symbols.
        """
        symbols = self._symbols(pair)
        self._symbols_left -= len(symbols)
        if self._symbols_left < 0:
            raise OverflowError
        rank = None
        for rank, _, _ in merge_by_rank(symbols, self._merges):  # noqa: B007 - the last one counts
            pass
        return rank if symbols[0] == token_id and all(s < 0 for s in symbols[1:]) else None

    def _symbols(self, pair: Pair) -> list[int]:
        symbols: list[int] = []
        unfolding = [pair[1], pair[0]]
        while unfolding:
            token = unfolding.pop()
            if token in self._halves:
                left, right = self._halves[token]
                unfolding += [right, left]
            else:
                symbols.append(token)
        return symbols
