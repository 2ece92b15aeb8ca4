"""Tally: how often every pair occurs, as a trainer believes that may count wrongly, and which pairs lead.

    right               aaa -> a + a twice; counts follow every merge
    without overlaps    aaa -> a + a once
    without losses      a merge takes pairs away, and their counts stay
    frozen              after some merge, no count changes any more

The text itself is always merged rightly. Pairs of one count form a level; the highest level leads.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Any, Literal

from bpeviz.core.base_vocabulary import Spelling
from bpeviz.core.pair_index import LengthLimit
from bpeviz.core.token_chain import ChainMerge, Pair, Positions, TokenChain, as_list
from bpeviz.merge_check.ties import Tie

__all__ = ["RIGHT", "Counting", "Leader", "Spelled", "Tally"]

#: On which sides of a merged pair a trainer notes what changes.
Sides = Literal["both", "left", "right", "none"]
#: Where a pair is that occurs nowhere: after all others.
NOWHERE = 2**40


@dataclass(frozen=True)
class Counting:
    """How a trainer counts: overlaps such as in ``aaa``, new pairs and lost ones beside a merge, but the lost
    ones of merge ``deaf_at`` (from 1); all of them only until ``frozen_after`` merges, or only every so many.
    If it ``adds_words``, it adds all pairs of a pre-token with the merge again, and takes none away."""

    overlaps: bool = True
    gains: Sides = "both"
    losses: Sides = "both"
    adds_words: bool = False
    deaf_at: int | None = None
    frozen_after: int | None = None
    every: int = 1


#: How a right trainer counts.
RIGHT = Counting()


@dataclass(frozen=True, eq=False)
class Spelled:
    """A corpus in base symbols: the ``tokens`` by id, the ids of those that a merge may make again, and the
    pairs before the first merge."""

    spelling: Spelling
    weights: Any = field(repr=False)
    tokens: tuple[bytes, ...]
    counts: dict[Pair, int]
    positions: dict[Pair, Positions]


class Tally:
    """The counts of a trainer that makes one merge after the other. Pairs below ``minimum``, and those that
    make a token over the ``limit``, never lead. With ``merges_alike`` (see Recipe), tokens of the same bytes
    are one."""

    def __init__(
        self,
        spelled: Spelled,
        counting: Counting,
        *,
        minimum: int = 1,
        limit: LengthLimit | None = None,
        merges_alike: bool = False,
        apart: frozenset[bytes] = frozenset(),
    ) -> None:
        self.tokens = list(spelled.tokens)
        #: How many merges were made, and the count of the last one.
        self.made, self.last_count = 0, 0
        self._counting, self._minimum, self._limit = counting, minimum, limit
        self._merges_alike, self._apart = merges_alike, apart
        self._ids: dict[bytes, list[int]] = {}
        for token_id, token in enumerate(self.tokens):
            self._ids.setdefault(token, []).append(token_id)
        self._chain = TokenChain(spelled.spelling, spelled.weights)
        self._positions = dict(spelled.positions)
        self._first_live: dict[Pair, int] = {}
        self._born: dict[Pair, tuple[int, int]] = {}
        #: The level on show: it counts how often another one came to lead, and who joined it since.
        self.opened, self.joined = 0, list[Pair]()
        self._shown = 0
        self._remembered: dict[Pair, list[tuple[int, int]]] | None = None
        #: The first positions when the text was counted last, if it isn't always.
        self._seen_at: dict[Pair, int] | None = None
        self._begin(spelled.counts)
        self._look(looks=counting.frozen_after == 0 or counting.every > 1)

    def _look(self, *, looks: bool) -> None:
        """Note where pairs are, if that is the last time for a while."""
        if looks:
            self._seen_at = None
            self._seen_at = {pair: self.first_position(pair) for pair in self.counts}

    def remember(self) -> None:
        """Keep from now on what each count was."""
        self._remembered = {pair: [(self.made, count)] for pair, count in self.counts.items()}

    def remembered(self, pair: Pair) -> list[tuple[int, int]]:
        """Return the counts that a pair had: after how many merges it got each, and the count."""
        return (self._remembered or {}).get(pair, [])

    def _begin(self, counts: dict[Pair, int]) -> None:
        """Take the counts as they are in the text."""
        self.counts: dict[Pair, int] = {}
        self._levels: dict[int, set[Pair]] = {}
        self._heights: list[int] = []
        for pair, count in counts.items():
            if self._may_be_merged(pair):
                exact = pair[0] != pair[1] or self._counting.overlaps
                self._set(pair, count if exact else self._replaced(pair))

    def _may_be_merged(self, pair: Pair) -> bool:
        return self._limit is None or self._limit.allows(self.tokens[pair[0]] + self.tokens[pair[1]])

    @property
    def height(self) -> int:
        """The highest count; 0 if no pair may be merged."""
        while self._heights and not self._levels.get(-self._heights[0]):
            self._levels.pop(-heappop(self._heights), None)
        height = -self._heights[0] if self._heights else 0
        return height if height >= self._minimum else 0

    @property
    def leaders(self) -> set[Pair]:
        """The pairs that have the highest count."""
        height = self.height
        leading = self._levels[height] if height else set()
        if height != self._shown:
            self._shown, self.opened, self.joined = height, self.opened + 1, list(leading)
        return leading

    def pairs_of(self, halves: tuple[bytes, bytes]) -> list[Pair]:
        """Return the pairs of ids that have these bytes."""
        lefts, rights = (self._ids.get(half, []) for half in halves)
        return [(left, right) for left in lefts for right in rights]

    def is_token(self, token: bytes) -> bool:
        """Return whether a token of these bytes exists by now."""
        return token in self._ids

    def halves(self, pair: Pair) -> tuple[bytes, bytes]:
        """Return the bytes of both tokens."""
        return self.tokens[pair[0]], self.tokens[pair[1]]

    def first_position(self, pair: Pair) -> int:
        """Where the pair first is in the text, as far as the trainer has looked at it."""
        if self._seen_at is not None:
            return self._seen_at.get(pair, NOWHERE)
        positions = self._positions.get(pair, ())
        first = self._first_live.get(pair, 0)
        while first < len(positions) and not self._chain.holds(positions[first], pair):
            first += 1
        self._first_live[pair] = first
        return int(positions[first]) if first < len(positions) else NOWHERE

    def born_at(self, pair: Pair) -> tuple[int, int]:
        """When the pair got into the counts: after how many merges, and at which place."""
        if (born := self._born.get(pair)) is None:
            return -1, int(self._positions[pair][0])
        return born

    def merge(self, pair: Pair) -> None:
        """Make a merge, whether it leads or not."""
        self.last_count = self.counts.get(pair, 0)
        token_id = self._id_for(self.tokens[pair[0]] + self.tokens[pair[1]])
        positions = self._positions.pop(pair, [])
        self._first_live.pop(pair, None)
        self._born.pop(pair, None)
        merged = self._chain.merge(pair, token_id, self.made, positions)
        self._set(pair, 0)
        self.made += 1
        self._place(merged)
        every, frozen = self._counting.every, self._counting.frozen_after
        if every > 1:
            if self.made % every == 0:
                self._shown = 0
                counts, self._positions = self._chain.pairs()
                self._first_live.clear()
                self._begin(counts)
                self._look(looks=True)
        elif frozen is None or self.made <= frozen:
            changes = self._words(token_id, positions) if self._counting.adds_words else None
            self._apply(changes or self._changes(pair, token_id, merged))
            self._look(looks=self.made == frozen)

    def _id_for(self, token: bytes) -> int:
        if self._merges_alike and token in self._ids and token not in self._apart:
            return self._ids[token][-1]
        self.tokens.append(token)
        self._ids.setdefault(token, []).append(len(self.tokens) - 1)
        return len(self.tokens) - 1

    def _place(self, merged: ChainMerge) -> None:
        """Note where new pairs are."""
        for pair, places, _ in merged.born:
            if known := as_list(self._positions.get(pair, [])):
                self._positions[pair] = sorted({*known, *as_list(places)})
                self._first_live.pop(pair, None)
            else:
                self._positions[pair] = places
            if pair not in self.counts:
                stands = (int(place) for place in places if self._chain.holds(place, pair))
                self._born[pair] = self.made, next(stands, NOWHERE)

    def _words(self, token_id: int, positions: Positions) -> dict[Pair, int]:
        """Return all pairs of the pre-tokens in which a merge was made, as often as they occur there."""
        changes: dict[Pair, int] = {}
        seen: set[int] = set()
        for place in as_list(positions):
            start, ids, weight = self._chain.pre_token_around(place)
            if start not in seen and token_id in ids:
                seen.add(start)
                for pair in pairwise(ids):
                    changes[pair] = changes.get(pair, 0) + weight
        return changes

    def _changes(self, pair: Pair, token_id: int, merged: ChainMerge) -> dict[Pair, int]:
        """Return by how much a merge changes each count, as far as this trainer notes it. A pair with the new
        token that is lost in the same merge was never there."""
        changes: dict[Pair, int] = {}
        lefts = next((i for i, (new, _, _) in enumerate(merged.born) if new[1] != token_id), len(merged.born))
        for place, (new, _, gain) in enumerate(merged.born):
            if self._counting.gains in ("both", "left" if place < lefts else "right"):
                changes[new] = changes.get(new, 0) + gain
        is_double = pair[0] == pair[1]
        losses = "none" if self.made == self._counting.deaf_at else self._counting.losses
        for place, (other, loss) in enumerate(merged.lost):
            left = other[1] == pair[0] if is_double else place < lefts
            if token_id in other or losses in ("both", "left" if left else "right"):
                changes[other] = changes.get(other, 0) - loss
        return changes

    def _apply(self, changes: dict[Pair, int]) -> None:
        for changed, by in changes.items():
            if not self._may_be_merged(changed):
                continue
            if changed[0] == changed[1] and not self._counting.overlaps:
                self._set(changed, self._replaced(changed))
            else:
                self._set(changed, max(0, self.counts.get(changed, 0) + by))

    def _replaced(self, pair: Pair) -> int:
        """How often a merge would replace a pair of a token with itself."""
        return self._chain.replaceable(pair, self._positions.get(pair, []))

    def _set(self, pair: Pair, count: int) -> None:
        """Move a pair to the level of its count."""
        if (before := self.counts.get(pair, 0)) == count:
            return
        if self._remembered is not None:
            self._remembered.setdefault(pair, []).append((self.made, count))
        if before:
            self._levels[before].discard(pair)
        if not count:
            self.counts.pop(pair, None)
            return
        self.counts[pair] = count
        if (level := self._levels.get(count)) is None:
            level = self._levels[count] = set()
            heappush(self._heights, -count)
        level.add(pair)
        if count == self._shown:
            self.joined.append(pair)


class Leader:
    """The pair that a tie rule takes among the leaders of a tally. It sorts a level once, when that leads."""

    def __init__(self, tie: Tie) -> None:
        self._key = tie.key
        self._opened, self._read = -1, 0
        self._entries: list[tuple[Any, Pair]] = []

    def of(self, tally: Tally) -> Pair:
        """Return the pair to merge next; there must be one."""
        leaders = tally.leaders
        if tally.opened != self._opened:
            self._opened, self._read, self._entries = tally.opened, 0, []
        new = tally.joined[self._read :]
        self._read += len(new)
        self._push(tally, [pair for pair in new if pair in leaders])
        while True:
            key, pair = self._entries[0]
            if pair not in leaders:
                heappop(self._entries)
            elif (now := self._key(tally, pair)) != key:
                heappop(self._entries)
                heappush(self._entries, (now, pair))
            else:
                return pair

    def _push(self, tally: Tally, pairs: Sequence[Pair]) -> None:
        entries = [(self._key(tally, pair), pair) for pair in pairs]
        if len(entries) > len(self._entries):
            self._entries += entries
            heapify(self._entries)
        else:
            for entry in entries:
                heappush(self._entries, entry)
