"""PairIndex: how often every pair occurs, where, and which pair comes next.

A pair's occurrences all appear in the merge that makes its younger token, and only disappear afterwards: its
count falls and its first position moves right. (If another merge makes a token with the same bytes, the pair
can appear again.) So pairs wait in levels, one for each count. A pair that loses occurrences stays in its
level until that level is the highest. Only then does the pair move down, and only then does the index sort a
level by the tie rule. Below the highest level, a new pair costs one entry in a list and a loss costs nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace, nlargest
from typing import Any, Literal, TypeVar

from bpeviz.core.token_chain import ChainMerge, Pair, Positions, TokenChain, as_list
from bpeviz.text.token_text import count_characters

__all__ = ["LengthLimit", "LengthUnit", "PairIndex", "TieRule", "shortest_first"]

LengthUnit = Literal["characters", "bytes"]


@dataclass(frozen=True)
class LengthLimit:
    """The ``longest`` length of a token in a unit; as a text, "16 characters". Two neighbours that would
    make a longer token are not a pair.

    SentencePiece   at most 16 characters
    tokenizers      fewer than max_token_length bytes; single bytes are paired whatever the number
    """

    longest: int
    unit: LengthUnit

    def length(self, token: bytes) -> int:
        """How long a token is."""
        return count_characters(token) if self.unit == "characters" else len(token)

    def allows(self, token: bytes) -> bool:
        """Return whether a token may be made."""
        return self.length(token) <= self.longest

    def __str__(self) -> str:
        return f"{self.longest:,} {self.unit}"


#: Which of several pairs with the same count a trainer merges.
TieRule = Literal["first-seen", "smallest-ids", "greatest-tokens", "shortest-token"]

#: A sort key among pairs of equal count (the smallest comes first), then the pair.
Entry = tuple[Any, Pair]
Value = TypeVar("Value")


@dataclass(frozen=True)
class _Greatest:
    """Sorts in reverse: the smallest is the lexicographically greatest pair."""

    left: bytes
    right: bytes

    def __lt__(self, other: "_Greatest") -> bool:
        return (self.left, self.right) > (other.left, other.right)


class PairIndex:
    """The pairs of ``chain`` by count. ``tie`` orders pairs of equal count; ``tokens`` holds the bytes of
    each id and may grow; two neighbours that make a token over the ``limit`` are not a pair."""

    def __init__(
        self,
        chain: TokenChain,
        tie: TieRule,
        tokens: Sequence[bytes],
        limit: LengthLimit | None = None,
    ) -> None:
        self._chain = chain
        self._tie = tie
        self._tokens = tokens
        self._limit = limit
        counts, positions = chain.pairs()
        self.counts, self._positions = self._pairs_among(counts), self._pairs_among(positions)
        self._first_live: dict[Pair, int] = {}
        self._excluded: set[Pair] = set()
        #: Pairs by a count they had. The counts are also a heap, negated, so that the highest comes first.
        self._levels: dict[int, list[Pair]] = {}
        self._heights: list[int] = []
        #: The sorted level: its count (0 for none), its pairs as a heap, how many have that count.
        self._height = 0
        self._entries: list[Entry] = []
        self._tied = 0
        for pair, count in self.counts.items():
            self._join(pair, count)

    def _pairs_among(self, neighbours: dict[Pair, Value]) -> dict[Pair, Value]:
        """``neighbours`` without those that would make too long a token."""
        if self._limit is None:
            return neighbours
        return {pair: value for pair, value in neighbours.items() if self._may_be_merged(pair)}

    def _may_be_merged(self, pair: Pair) -> bool:
        """Return whether two neighbours make a token that is not too long."""
        return self._limit is None or self._limit.allows(self._tokens[pair[0]] + self._tokens[pair[1]])

    def _entry(self, pair: Pair) -> Entry:
        match self._tie:
            case "first-seen":
                return self._first_position(pair), pair
            case "smallest-ids":
                return pair, pair
            case "greatest-tokens":
                return _Greatest(self._tokens[pair[0]], self._tokens[pair[1]]), pair
            case "shortest-token":
                return shortest_first(self._tokens[pair[0]] + self._tokens[pair[1]]), pair

    def _first_position(self, pair: Pair) -> int:
        positions = self._positions[pair]
        first = self._first_live.get(pair, 0)
        while not self._chain.holds(positions[first], pair):
            first += 1
        self._first_live[pair] = first
        return int(positions[first])

    def exclude(self, pair: Pair) -> None:
        """Never choose ``pair`` from now on; its count is kept."""
        if pair not in self._excluded and self.counts.get(pair) == self._height:
            self._tied -= 1
        self._excluded.add(pair)

    def is_excluded(self, pair: Pair) -> bool:
        """Return whether ``pair`` is never chosen."""
        return pair in self._excluded

    def sharing(self, count: int) -> int:
        """How many pairs occur exactly ``count`` times, without the excluded ones."""
        if count == self._height:
            return self._tied
        return sum(other == count and pair not in self._excluded for pair, other in self.counts.items())

    def best(self) -> Pair | None:
        """Return the pair that comes next, or None when there is none."""
        while self._heights:
            if self._height != -self._heights[0]:
                self._open_highest()
            pair = self._first_entry()
            if pair is not None:
                return pair
            del self._levels[-heappop(self._heights)]
            self._height = 0
        return None

    def _open_highest(self) -> None:
        """Sort the highest level; pairs that have lost occurrences since they joined it move down."""
        if self._height:
            self._levels[self._height] = [pair for _, pair in self._entries]
        height = -self._heights[0]
        self._height = 0
        entries: list[Entry] = []
        for pair in dict.fromkeys(self._levels[height]):
            count = self.counts.get(pair, 0)
            if count == height and pair not in self._excluded:
                entries.append(self._entry(pair))
            elif 0 < count < height:
                self._join(pair, count)
        heapify(entries)
        self._height, self._tied, self._entries = height, len(entries), entries

    def _first_entry(self) -> Pair | None:
        """Return the first pair of the open level that still belongs there and whose entry is up to date."""
        while self._entries:
            entry = self._entries[0]
            pair = entry[1]
            if pair in self._excluded or pair not in self.counts:
                heappop(self._entries)
            elif (count := self.counts[pair]) < self._height:
                heappop(self._entries)
                self._join(pair, count)
            elif (now := self._entry(pair)) == entry:
                return pair
            else:
                heapreplace(self._entries, now)
        return None

    def _join(self, pair: Pair, count: int) -> None:
        """Add a pair to the level of its ``count``."""
        if count == self._height:
            heappush(self._entries, self._entry(pair))
        elif count in self._levels:
            self._levels[count].append(pair)
        else:
            self._levels[count] = [pair]
            heappush(self._heights, -count)

    def top(self, n: int) -> list[tuple[Pair, int]]:
        """Return the first ``n`` pairs in the order in which the trainer would choose them, with their
        counts."""
        counts = {pair: count for pair, count in self.counts.items() if pair not in self._excluded}
        least = min(nlargest(n, counts.values()), default=0)
        chosen = [pair for pair, count in counts.items() if count >= least]
        ranked = sorted(chosen, key=lambda pair: (-counts[pair], self._entry(pair)))
        return [(pair, counts[pair]) for pair in ranked[:n]]

    def remove(self, pair: Pair) -> Positions:
        """Remove a pair that is about to be merged; returns the positions where it appeared, ascending."""
        self._note_ties(pair, self.counts.pop(pair), 0)
        return self._forget(pair)

    def _forget(self, pair: Pair) -> Positions:
        self._first_live.pop(pair, None)
        return self._positions.pop(pair)

    def _note_ties(self, pair: Pair, before: int, now: int) -> None:
        """Update the number of pairs that share the count of the open level."""
        if pair not in self._excluded:
            self._tied += (now == self._height) - (before == self._height)

    def update(self, merged: ChainMerge) -> None:
        """Apply what a merge did to the other pairs.

        All counts are final before any pair joins a level. A pair that appears and disappears in the same
        merge occurs nowhere, so it joins no level.
        """
        born, lost, _ = merged
        if self._limit is not None:
            born = [birth for birth in born if self._may_be_merged(birth[0])]
            lost = [loss for loss in lost if self._may_be_merged(loss[0])]
        for pair, places, gain in born:
            self._gain(pair, places, gain)
        for pair, loss in lost:
            self._lose(pair, loss)
        for pair, _, _ in born:
            if count := self.counts.get(pair):
                self._join(pair, count)

    def _gain(self, pair: Pair, places: Positions, gain: int) -> None:
        before = self.counts.get(pair, 0)
        self.counts[pair] = count = before + gain
        if before:
            self._positions[pair] = sorted({*as_list(self._positions[pair]), *as_list(places)})
            self._first_live.pop(pair, None)
        else:
            self._positions[pair] = places
        if self._height in (before, count):
            self._note_ties(pair, before, count)

    def _lose(self, pair: Pair, loss: int) -> None:
        before = self.counts[pair]
        count = before - loss
        if self._height in (before, count):
            self._note_ties(pair, before, count)
        if count:
            self.counts[pair] = count
        else:
            del self.counts[pair]
            self._forget(pair)


def shortest_first(token: bytes) -> tuple[int, bytes]:
    """Return a sort key: the shortest token comes first, then the first in the alphabet.

    A space sorts as SentencePiece's ▁ does.
    """
    return count_characters(token), token.replace(b" ", "▁".encode())
