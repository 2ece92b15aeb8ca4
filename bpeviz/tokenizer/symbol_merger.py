"""Merging base symbols by rank: the ids of each pre-token, and the gap rank after each of its symbols."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.core.base_vocabulary import Spelling
from bpeviz.core.gap_ranks import NEVER, WALL, GapRanks
from bpeviz.core.merging_orders import gap_ranks_by_rank
from bpeviz.core.token_chain import Pair

__all__ = ["Merge", "SymbolMerger", "in_making_order", "pieces"]

#: The pair that merges, None for a token that only a whole pre-token becomes; and the id of the token.
Merge = tuple[Pair | None, int]
#: A longer pre-token, such as a text that nothing splits, is cut into segments first.
LONG = 64

#: The token ids of some symbols, and the gap rank after each of the symbols.
_Merged = tuple[list[int], list[int]]


class SymbolMerger:
    """Merges spelled pre-tokens by the merges of one tokenizer.

    Tokenizers that look up a whole pre-token first, as tiktoken does, have tokens that no merge makes:
    entries of ``merges`` without a pair. Such a token closes all gaps of its pre-token at its rank.
    """

    def __init__(self, base_ids: Iterable[int], merges: Sequence[Merge]) -> None:
        self._base_ids = base_ids
        self._merges = merges
        self.merge_of_pair: dict[Pair, tuple[int, int]] = {}
        self.rank_of_whole: dict[int, int] = {}
        for rank, (pair, token_id) in enumerate(merges):
            if pair is None:
                self.rank_of_whole[token_id] = rank
            else:
                self.merge_of_pair.setdefault(pair, (rank, token_id))

    def merge(self, spelling: Spelling, wholes: Sequence[int] = ()) -> tuple[list[list[int]], GapRanks]:
        """Return the token ids of each pre-token, and the gap rank after each symbol of all of them.

        ``wholes``: for each pre-token the id of the token that it is as a whole; -1 if it is none.
        """
        known: dict[tuple[int, ...], _Merged] = {}
        ids_of: list[list[int]] = []
        ranks: list[int] = []
        for number, symbols in enumerate(pieces(spelling)):
            ids, gaps = self._merge_one(symbols, known)
            own = self.rank_of_whole.get(wholes[number]) if number < len(wholes) else None
            if own is not None:
                ids, gaps = [wholes[number]], [*(min(rank, own) for rank in gaps[:-1]), WALL]
            ids_of.append(ids)
            ranks += gaps
        return ids_of, np.array(ranks, np.int32)

    def _merge_one(self, symbols: list[int], known: dict[tuple[int, ...], _Merged]) -> _Merged:
        """One pre-token; ``known`` has what the same symbols gave before."""
        if not symbols:
            return [], []
        ids: list[int] = []
        ranks: list[int] = []
        for segment in self._segments(symbols) if len(symbols) > LONG else [symbols]:
            key = tuple(segment)
            if key not in known:
                gaps = gap_ranks_by_rank(segment, self.merge_of_pair)
                known[key] = [i for i in segment if i >= 0], [*gaps[:-1], NEVER]
            ids += known[key][0]
            ranks += known[key][1]
        ranks[-1] = WALL
        return ids, ranks

    def _segments(self, symbols: list[int]) -> Iterator[list[int]]:
        """Yield the symbols, cut at each two neighbours that no token holds side by side: no merge joins
        them."""
        row = np.array(symbols, np.int64)
        pairs, known = (row[:-1] << 32) | row[1:], self._neighbours
        places = np.minimum(np.searchsorted(known, pairs), len(known) - 1)
        cuts = np.flatnonzero(known[places] != pairs) + 1
        start = 0
        for end in [*cuts.tolist(), len(symbols)]:
            yield symbols[start:end]
            start = end

    def holds_neighbours(self, left: int, right: int) -> bool:
        """Return whether some token holds these two symbols side by side."""
        both, known = (left << 32) | right, self._neighbours
        place = int(np.searchsorted(known, both))
        return place < len(known) and int(known[place]) == both

    @cached_property
    def _neighbours(self) -> npt.NDArray[np.int64]:
        """Each two symbols that some token holds side by side, as one number: these are the last symbol of
        the left half of a merge and the first of its right half."""
        firsts = {i: i for i in self._base_ids}
        lasts = dict(firsts)
        found: set[int] = set()
        for rank in in_making_order(self._base_ids, self._merges):
            pair, token_id = self._merges[rank]
            if pair is None:
                continue
            left, right = pair
            found.add((lasts[left] << 32) | firsts[right])
            firsts.setdefault(token_id, firsts[left])
            lasts.setdefault(token_id, lasts[right])
        return np.array(sorted(found) or [-1], np.int64)


def in_making_order(base_ids: Iterable[int], merges: Sequence[tuple[Pair | None, int]]) -> Iterator[int]:
    """Yield the ranks of the merges in an order in which each has its two halves; without those that never
    have.

    This is the order of their ranks, except in files that use a token before a merge makes it.
    """
    made = set(base_ids)
    waiting: dict[int, list[int]] = {}
    for first, (pair, token_id) in enumerate(merges):
        # nearly all merges are ready, and there may be half a million
        if pair is None or (pair[0] in made and pair[1] in made):
            yield first
            if pair is not None:
                made.add(token_id)
                if token_id in waiting:
                    yield from _now_ready(token_id, merges, made, waiting)
        else:
            waiting.setdefault(pair[0] if pair[0] not in made else pair[1], []).append(first)


def _now_ready(
    token_id: int, merges: Sequence[tuple[Pair | None, int]], made: set[int], waiting: dict[int, list[int]]
) -> Iterator[int]:
    """Yield the ranks of the merges that waited for a token, and of those that waited for theirs."""
    ready = waiting.pop(token_id)[::-1]
    while ready:
        rank = ready.pop()
        pair, token_id = merges[rank]
        missing = next((half for half in pair or () if half not in made), None)
        if missing is not None:
            waiting.setdefault(missing, []).append(rank)
            continue
        yield rank
        if token_id not in made:
            made.add(token_id)
            ready += reversed(waiting.pop(token_id, []))


def pieces(spelling: Spelling) -> Iterator[list[int]]:
    """Yield the symbols of each pre-token as a list."""
    symbols = spelling.ids.tolist()
    start = 0
    for length in spelling.lengths.tolist():
        yield symbols[start : start + length]
        start += length
