"""Stale counts: since which merge their trainer may no longer update the count of a pair.

Up to the first merge that no tie rule explains, counts are right. There their pair leads by a count that it
had before some earlier merge.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bpeviz.cached import cached_property
from bpeviz.core.token_chain import Pair
from bpeviz.merge_check.changes import Change
from bpeviz.merge_check.count_mistakes import deaf_at, stale_since
from bpeviz.merge_check.rules import Halves, Rules, Texts
from bpeviz.merge_check.tally import Leader, Tally
from bpeviz.merge_check.ties import TIES
from bpeviz.parity.difference import shown
from bpeviz.words import how_often

__all__ = ["StaleCounts"]

#: After how many merges counts may have become stale: this many are tried.
MOST_STARTS = 60


@dataclass(frozen=True)
class _Stale:
    """A count that was right until merge ``since`` (from 1) changed it."""

    count: int
    since: int


class StaleCounts:
    """Their merges beside right counts. The rule ``tie`` explains most of them: the first ``explained``."""

    def __init__(
        self, texts: Texts, rules: Rules, theirs: Sequence[Halves], tie: str, explained: int
    ) -> None:
        self._texts, self._rules, self._theirs = texts, rules, theirs
        self._tie, self._explained = tie, explained

    def mistakes(self) -> Iterator[Change]:
        """Yield the mistakes that may have made a count stale there."""
        yield from map(stale_since, self._starts())
        yield from map(deaf_at, self._falls())

    def _starts(self) -> list[int]:
        """Return after how many merges counts may be frozen: none of their merges from there on uses a
        younger token, because frozen counts don't know it."""
        made: dict[bytes, int] = {}
        for rank, (left, right) in enumerate(self._theirs, 1):
            made.setdefault(left + right, rank)
        youngest, starts = 0, list[int]()
        for rank in range(len(self._theirs) - 1, 0, -1):
            youngest = max(youngest, *(made.get(half, 0) for half in self._theirs[rank]))
            if youngest > rank:
                break
            if rank <= self._explained:
                starts.append(rank)
        return starts[MOST_STARTS - 1 :: -1]

    def _falls(self) -> list[int]:
        """Return the merges that lowered the count of the pair that they take there, the last ones first."""
        tally, _, pairs = self._there
        falls = {
            since
            for pair in pairs
            for (_, before), (since, after) in pairwise(tally.remembered(pair))
            if after < before
        }
        return sorted(falls, reverse=True)[:MOST_STARTS]

    @cached_property
    def _there(self) -> tuple[Tally, list[int], Sequence[Pair]]:
        """The counts before the first merge that no tie rule explains, the highest counts until then, and the
        pairs of ids that it may be."""
        tally, tops = self._remembering(), list[int]()
        for halves in self._theirs[: self._explained]:
            tops.append(tally.height)
            tally.merge(next(iter(tally.leaders.intersection(tally.pairs_of(halves)))))
        there = self._theirs[self._explained : self._explained + 1]
        return tally, tops, [pair for halves in there for pair in tally.pairs_of(halves)]

    def _remembering(self) -> Tally:
        """Return right counts before the first merge, which remember what they were."""
        tally = self._texts.tally(self._rules)
        tally.remember()
        return tally

    def of_single_pairs(self) -> tuple[Change, int] | None:
        """Return the mistake that single counts are stale, and how many merges it explains; None if none is.
        Each merge leads by the rule, or by a count that its pair had earlier and that didn't lead in
        between."""
        tally, leader = self._remembering(), Leader(TIES[self._tie])
        tops = list[int]()
        first: _Stale | None = None
        for halves in self._theirs:
            best = leader.of(tally) if tally.leaders else None
            pairs = tally.pairs_of(halves)
            pair = best if best in pairs else None
            if pair is None:
                found = ((pair, _stale_count(tally, pair, tops)) for pair in pairs)
                pair, stale = next(((pair, stale) for pair, stale in found if stale), (None, None))
                first = first or stale
            if pair is None:
                break
            tops.append(tally.height)
            tally.merge(pair)
        if first is None:
            return None
        what = f"A count is stale since merge {first.since:,}: yours doesn't lower it any more"
        return Change("stale", f"pair-{first.since}", what), len(tops)

    def words(self) -> str:
        """Return a sentence on the count by which they take their pair there, and until when it was right;
        empty if it never was."""
        tally, tops, pairs = self._there
        for pair in pairs:
            if stale := _stale_count(tally, pair, tops):
                return (
                    f" At merge {len(tops) + 1:,} it counts {shown(tally.halves(pair))} "
                    f"{how_often(stale.count)}, which was right before merge {stale.since:,}."
                )
        return ""


def _stale_count(tally: Tally, pair: Pair, tops: Sequence[int]) -> _Stale | None:
    """Return the latest count of a pair that would lead now, and that led at none of the merges since then;
    ``tops`` are the highest counts before each merge. None if there is none."""
    now, before = tally.height, tally.remembered(pair)
    for (_, count), (since, _) in reversed(list(pairwise(before))):
        if count >= now and all(count <= top for top in tops[since:]):
            return _Stale(count, since)
    return None
