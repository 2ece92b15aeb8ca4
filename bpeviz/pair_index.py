"""PairIndex: how often every pair occurs, where it was born, and which comes next.

A pair's occurrences are born in the merge that made its younger token and only vanish afterwards: its count
falls and its first position moves right, until another merge makes a token spelled alike and bears it anew.
So a heap whose entries are brought up to date only when they reach the top is exact: an entry is never
behind a pair that it should precede, because every birth pushes a new one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any, TypeVar

from bpeviz.recipes import TieRule, shortest_first
from bpeviz.token_chain import Pair, Positions, TokenChain
from bpeviz.token_text import count_characters

__all__ = ["PairIndex"]

Entry = tuple[int, Any, Pair]
Value = TypeVar("Value")


@dataclass(frozen=True)
class _Greatest:
    """Sorts the other way round, so that the smallest is the lexicographically greatest pair."""

    left: bytes
    right: bytes

    def __lt__(self, other: "_Greatest") -> bool:
        return (self.left, self.right) > (other.left, other.right)


class PairIndex:
    """Every pair of ``chain``; ``tie`` orders pairs of equal count; ``tokens`` holds the bytes of each id
    and may grow; neighbours of more than ``max_token_length`` characters are no pair."""

    def __init__(
        self,
        chain: TokenChain,
        tie: TieRule,
        tokens: Sequence[bytes],
        max_token_length: int | None = None,
    ) -> None:
        self._chain = chain
        self._tie = tie
        self._tokens = tokens
        self._max_token_length = max_token_length
        counts, positions = chain.initial_pairs()
        self.counts, self._positions = self._pairs_among(counts), self._pairs_among(positions)
        self._first_live: dict[Pair, int] = {}
        self._excluded: set[Pair] = set()
        self._pairs_with_count = Counter(self.counts.values())
        self._heap: list[Entry] = [self._entry(pair) for pair in self.counts]
        heapify(self._heap)

    def _pairs_among(self, neighbours: dict[Pair, Value]) -> dict[Pair, Value]:
        """Without those that would make too long a token."""
        longest = self._max_token_length
        if longest is None:
            return neighbours
        token = self._tokens
        return {
            (left, right): value
            for (left, right), value in neighbours.items()
            if count_characters(token[left] + token[right]) <= longest
        }

    def _entry(self, pair: Pair) -> Entry:
        return -self.counts[pair], self._tie_key(pair), pair

    def _tie_key(self, pair: Pair) -> Any:
        match self._tie:
            case "first-seen":
                return self._first_position(pair)
            case "smallest-ids":
                return pair
            case "greatest-tokens":
                return _Greatest(self._tokens[pair[0]], self._tokens[pair[1]])
            case "shortest-token":
                return shortest_first(self._tokens[pair[0]] + self._tokens[pair[1]])

    def _first_position(self, pair: Pair) -> int:
        positions = self._positions[pair]
        first = self._first_live.get(pair, 0)
        while not self._chain.holds(positions[first], pair):
            first += 1
        self._first_live[pair] = first
        return positions[first]

    def exclude(self, pair: Pair) -> None:
        """Leave ``pair`` out from now on; its count is kept."""
        self._excluded.add(pair)

    def sharing(self, count: int) -> int:
        """How many pairs occur exactly ``count`` times, those excluded left out."""
        excluded = sum(self.counts.get(pair) == count for pair in self._excluded)
        return self._pairs_with_count[count] - excluded

    def best(self) -> Pair | None:
        """The pair that comes next, or None when there is none."""
        entry = self._settle()
        return entry[2] if entry else None

    def top(self, n: int) -> list[tuple[Pair, int]]:
        """The first ``n`` pairs in the order in which they would be chosen, with their counts."""
        taken: dict[Pair, Entry] = {}
        while len(taken) < n and (entry := self._settle()):
            taken[entry[2]] = heappop(self._heap)
        for entry in taken.values():
            heappush(self._heap, entry)
        return [(pair, -entry[0]) for pair, entry in taken.items()]

    def _settle(self) -> Entry | None:
        """Bring the top of the heap up to date and give it, without taking it."""
        while self._heap:
            entry = self._heap[0]
            pair = entry[2]
            if pair not in self.counts or pair in self._excluded:
                heappop(self._heap)
                continue
            now = self._entry(pair)
            if now == entry:
                return entry
            heappop(self._heap)
            heappush(self._heap, now)
        return None

    def remove(self, pair: Pair) -> Positions:
        """Take a pair out that is about to be merged; gives the positions where it was born, ascending."""
        self._pairs_with_count[self.counts.pop(pair)] -= 1
        return self._forget(pair)

    def _forget(self, pair: Pair) -> Positions:
        self._first_live.pop(pair, None)
        return self._positions.pop(pair)

    def update(self, changes: dict[Pair, int], born: dict[Pair, Positions]) -> None:
        """Apply what a merge did to the other pairs: see ChainMerge."""
        changes, born = self._pairs_among(changes), self._pairs_among(born)
        for pair, places in born.items():
            known = self._positions.get(pair, [])
            self._positions[pair] = sorted({*known, *places}) if known else places
            self._first_live.pop(pair, None)
        for pair, change in changes.items():
            before = self.counts.get(pair, 0)
            after = before + change
            self._pairs_with_count[before] -= 1
            self._pairs_with_count[after] += 1
            if not after:
                self.counts.pop(pair, None)
                self._forget(pair)
                continue
            self.counts[pair] = after
            if pair in born:
                heappush(self._heap, self._entry(pair))
