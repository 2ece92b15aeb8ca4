"""Causes: which mistakes explain all of somebody's merges.

Each mistake is tried: a trainer that makes it trains on the same text, and its merges are compared with
theirs. One mistake that explains all of them is better than two; of two equally simple ones that fit, this
text can't tell which it is, so both are named.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from bpeviz.cached import cached_property
from bpeviz.core.token_chain import Pair
from bpeviz.merge_check.changes import (
    Change,
    Kind,
    deaf_at,
    other_recipes,
    readings,
    rule_changes,
    stale_since,
    tie_change,
)
from bpeviz.merge_check.rules import Halves, Rules, Texts, walk
from bpeviz.merge_check.tally import Leader, Tally
from bpeviz.merge_check.ties import TIES
from bpeviz.parity.difference import shown
from bpeviz.words import how_often

__all__ = ["Cause", "find_causes", "made_by"]

#: Two mistakes at once are tried, each with each, up to so many characters of distinct pre-tokens.
MOST_FOR_TWO = 60_000
#: Mistakes that don't explain all merges are named if they explain so many more than the rule.
CLEARLY_MORE = 5
#: After how many merges counts may have become stale: this many are tried.
MOST_STARTS = 60
MOST_NAMED = 12

OnProgress = Callable[[float], object]


@dataclass(frozen=True)
class Cause:
    """A mistake, or two or three together, that explains their merges.

    - ``kinds``: the kind of each mistake: "tie", "overlaps", "stale", "walls", "special-tokens",
      "characters", "ids", "gpt2-text", "minimum-frequency", "order", …;
    - ``names``: for each mistake those that fit, such as ("first-seen", "smallest-ids");
    - ``sentence``: what their trainer does;
    - ``merges``: how many of their merges it explains; ``complete``: all of them.
    """

    kinds: tuple[Kind, ...]
    names: tuple[tuple[str, ...], ...]
    sentence: str
    merges: int
    complete: bool

    @property
    def kind(self) -> Kind:
        """The kind of the first mistake."""
        return self.kinds[0]


@dataclass(frozen=True)
class _Fit:
    """Changes that explain so many merges."""

    changes: tuple[Change, ...]
    merges: int


def find_causes(
    texts: Texts,
    rules: Rules,
    theirs: Sequence[Halves],
    same: int,
    on_progress: OnProgress = lambda _: None,
) -> tuple[Cause, ...]:
    """Return the simplest causes that explain all their merges, of which the rule makes the first ``same``;
    else the ones that explain clearly more than the rule, if any."""
    search = _Search(texts, rules, theirs, same, on_progress)
    fits = search.simplest()
    causes = [_cause(group, len(theirs), search.stale_words(group[0].changes)) for group in _grouped(fits)]
    return tuple(causes[:MOST_NAMED])


def made_by(texts: Texts, rules: Rules, tie: str, merges: int) -> list[Halves]:
    """Return the first merges of a trainer."""
    tally, leader = texts.tally(rules), Leader(TIES[tie])
    made: list[Halves] = []
    while len(made) < merges and tally.leaders:
        pair = leader.of(tally)
        made.append(tally.halves(pair))
        tally.merge(pair)
    return made


@dataclass(frozen=True)
class StaleCount:
    """A count that was right until merge ``since`` (from 1) changed it."""

    count: int
    since: int


def stale_count(tally: Tally, pair: Pair, tops: Sequence[int]) -> StaleCount | None:
    """Return the latest count of a pair that would lead now, and that led at none of the merges since then;
    ``tops`` are the highest counts before each merge. None if there is none."""
    now, before = tally.height, tally.remembered(pair)
    for (_, count), (since, _) in reversed(list(pairwise(before))):
        if count >= now and all(count <= top for top in tops[since:]):
            return StaleCount(count, since)
    return None


class _Search:
    """The search for one list of merges."""

    def __init__(
        self, texts: Texts, rules: Rules, theirs: Sequence[Halves], same: int, on_progress: OnProgress
    ) -> None:
        self._texts, self._rules, self._theirs, self._same = texts, rules, theirs, same
        self._tie: str = rules.recipe.tie
        self._on_progress, self._walked, self._walks = on_progress, 0, 100
        self._partial: list[_Fit] = []
        self._best_tie: str = self._tie
        self._counted_alike = same
        self._at: tuple[Tally, list[int], Sequence[Pair]] | None = None

    def simplest(self) -> list[_Fit]:
        """Return the fits with the fewest changes."""
        one, two = self._tried([()])
        self._find_where_ties_end()
        stale = [*self._frozen(), *map(deaf_at, self._falls())]
        singles = [*readings(self._rules), *rule_changes(self._rules, self._texts), *stale]
        self._walks = len(singles) + 30
        more, two = self._tried([(change,) for change in singles])
        one += more
        orders = self._orders(named=True)
        one += [fit for fit in orders if len(fit.changes) == 1]
        if one:
            return one
        two += [*orders, *self._recipes()]
        if not two:
            pairs = [pair for pair in combinations(singles, 2) if self._worth(*pair)]
            self._walks += len(pairs)
            more, three = self._tried(pairs)
            two = more or three
        return two or self._orders(named=False) or self._stale_pair() or self._best_partial()

    def _find_where_ties_end(self) -> None:
        """Find the tie rule that explains most of their merges, and how many: there counts differ."""
        tie: str = self._tie
        most = self._same
        for fit in self._partial:
            if fit.merges > most:
                tie, most = fit.changes[-1].name, fit.merges
        self._best_tie, self._counted_alike = tie, most

    def _tried(self, all_changes: Sequence[tuple[Change, ...]]) -> tuple[list[_Fit], list[_Fit]]:
        """Return the changes that explain all merges with the rule's ties, and those that do with other
        ties."""
        with_rule, with_other = [], []
        for changes in sorted(all_changes, key=self._shared):
            for tie, merges in self._walk(changes).items():
                ties = () if self._is_rules_tie(tie, changes) else (tie_change(tie),)
                fit = _Fit((*changes, *ties), merges)
                if merges < len(self._theirs):
                    self._partial.append(fit)
                elif not ties or not changes:
                    with_rule.append(fit)
                else:
                    with_other.append(fit)
        return with_rule, with_other

    def _is_rules_tie(self, tie: str, changes: Sequence[Change]) -> bool:
        """Return whether a tie rule is no mistake. Who keeps counts takes the first in them, which is the
        first seen if they are right."""
        kept = any(change.kind == "stale" for change in changes)
        return tie == self._tie or (kept and (self._tie, tie) == ("first-seen", "first-counted"))

    def _shared(self, changes: tuple[Change, ...]) -> tuple[str, ...]:
        """Return a sort key that brings changes together that need the same corpus."""
        return tuple(change.kind + change.name for change in changes if change.kind not in _KEEP_CORPUS)

    def _walk(self, changes: tuple[Change, ...]) -> Mapping[str, int]:
        rules, theirs = self._rules, list(self._theirs)
        self._walked += 1
        self._on_progress(min(1.0, self._walked / self._walks))
        for change in changes:
            rules = _combined(rules, change)
            if change.read is not None:
                if (read := change.read(theirs)) is None:
                    return {}
                theirs = read
        tally = self._texts.tally(rules)
        return walk(tally, theirs, TIES, self._alive)

    def _alive(self, rank: int) -> None:
        if not rank % 256:
            self._on_progress(min(1.0, self._walked / self._walks))

    def _worth(self, first: Change, second: Change) -> bool:
        """Return whether two mistakes are tried together: all in a short text, else those of which one alone
        explains more than the rule."""
        if first.kind == second.kind or (first.read and second.read):
            return False
        better = [(change.kind, change.name) in self._better for change in (first, second)]
        common = not (first.rare or second.rare) and self._size <= MOST_FOR_TWO
        return any(better) or common

    @cached_property
    def _better(self) -> set[tuple[str, str]]:
        """The mistakes that alone explain more than the rule with any ties."""
        return {
            (fit.changes[0].kind, fit.changes[0].name)
            for fit in self._partial
            if fit.changes and fit.merges > self._counted_alike
        }

    @cached_property
    def _size(self) -> int:
        return len(self._texts.spelled(self._rules).spelling.ids)

    def _frozen(self) -> Iterator[Change]:
        """Yield counts that are stale since some merge: none of their merges from there on uses a token that
        is younger, because stale counts don't know it."""
        made: dict[bytes, int] = {}
        for rank, (left, right) in enumerate(self._theirs, 1):
            made.setdefault(left + right, rank)
        youngest = 0
        starts = []
        for rank in range(len(self._theirs) - 1, 0, -1):
            youngest = max(youngest, *(made.get(half, 0) for half in self._theirs[rank]))
            if youngest > rank:
                break
            if rank <= self._counted_alike:
                starts.append(rank)
        yield from map(stale_since, reversed(starts[:MOST_STARTS]))

    def _recipes(self) -> list[_Fit]:
        fits = []
        for change in other_recipes(self._rules, self._texts):
            rules = change.rules(self._rules)
            merges = walk(self._texts.tally(rules), self._theirs, [rules.recipe.tie])[rules.recipe.tie]
            if merges == len(self._theirs):
                fits.append(_Fit((change,), merges))
        return fits

    def _orders(self, *, named: bool) -> list[_Fit]:
        """Return whether they are the rule's first merges in another order, and in which one."""
        theirs = list(self._theirs)
        names = [name for name, order in _ORDERS.items() if theirs == order(theirs)]
        if len(theirs) < 2 or bool(names) is not named:
            return []
        for tie in (self._tie, *(TIES if named else ())):
            merges = made_by(self._texts, self._rules, tie, len(theirs))
            if Counter(merges) == Counter(theirs):
                other = () if tie == self._tie else (tie_change(tie),)
                order = Change(
                    "order",
                    names[0] if names else "other",
                    "Your merges are the right ones in another order than they are made"
                    + (f": sorted {_ORDER_WORDS[names[0]]}" if names else ""),
                )
                return [_Fit((order, *other), len(theirs))]
        return []

    def _stale_pair(self) -> list[_Fit]:
        """Return whether single counts are stale: each of their merges leads by the rule, or by a count that
        its pair had earlier and that didn't lead in between."""
        tally, leader = self._remembering(), Leader(TIES[self._best_tie])
        tops: list[int] = []
        first: StaleCount | None = None
        for halves in self._theirs:
            best = leader.of(tally) if tally.leaders else None
            pairs = tally.pairs_of(halves)
            pair = best if best in pairs else None
            if pair is None:
                found = ((pair, stale_count(tally, pair, tops)) for pair in pairs)
                pair, stale = next(((pair, stale) for pair, stale in found if stale), (None, None))
                first = first or stale
            if pair is None:
                break
            tops.append(tally.height)
            tally.merge(pair)
        if first is None or (len(tops) < len(self._theirs) and len(tops) < self._same + CLEARLY_MORE):
            return []
        what = f"A count is stale since merge {first.since:,}: yours doesn't lower it any more"
        change = Change("stale", f"pair-{first.since}", what)
        ties = () if self._is_rules_tie(self._best_tie, ()) else (tie_change(self._best_tie),)
        return [_Fit((change, *ties), len(tops))]

    def _remembering(self) -> Tally:
        """Return the rule's counts before the first merge, which remember what they were."""
        tally = self._texts.tally(self._rules)
        tally.remember()
        return tally

    def _where_counts_differ(self) -> tuple[Tally, list[int], Sequence[Pair]]:
        """Return the counts before the first merge that no tie rule explains, the highest counts until then,
        and the pairs of ids that it may be."""
        if self._at is None:
            tally = self._remembering()
            tops: list[int] = []
            for halves in self._theirs[: self._counted_alike]:
                tops.append(tally.height)
                tally.merge(next(iter(tally.leaders.intersection(tally.pairs_of(halves)))))
            there = self._theirs[self._counted_alike : self._counted_alike + 1]
            self._at = tally, tops, [pair for halves in there for pair in tally.pairs_of(halves)]
        return self._at

    def _falls(self) -> list[int]:
        """Return the merges that lowered the count of the pair that they take there, the last ones first."""
        tally, _, pairs = self._where_counts_differ()
        falls = {
            since
            for pair in pairs
            for (_, before), (since, after) in pairwise(tally.remembered(pair))
            if after < before
        }
        return sorted(falls, reverse=True)[:MOST_STARTS]

    def stale_words(self, changes: Sequence[Change]) -> str:
        """Return since when the count is stale by which they take another pair; empty if the cause is another
        one."""
        if not any(change.kind == "stale" for change in changes):
            return ""
        tally, tops, pairs = self._where_counts_differ()
        for pair in pairs:
            if stale := stale_count(tally, pair, tops):
                return (
                    f" At merge {len(tops) + 1:,} it counts {shown(tally.halves(pair))} "
                    f"{how_often(stale.count)}, which was right before merge {stale.since:,}."
                )
        return ""

    def _best_partial(self) -> list[_Fit]:
        """Return what explains clearly more than the rule, though not all."""
        most = max((fit.merges for fit in self._partial), default=0)
        if most < self._same + CLEARLY_MORE:
            return []
        best = [fit for fit in self._partial if fit.merges == most]
        fewest = min(len(fit.changes) for fit in best)
        return [fit for fit in best if len(fit.changes) == fewest]


#: Mistakes that need no other corpus than the rule's.
_KEEP_CORPUS = ("tie", "overlaps", "stale", "ids", "gpt2-text", "spelling", "order", "same-bytes")
_ORDERS: Mapping[str, Callable[[list[Halves]], list[Halves]]] = {
    "alphabet": sorted,
    "alphabet-reversed": lambda merges: sorted(merges, reverse=True),
    "token": lambda merges: sorted(merges, key=b"".join),
    "length": lambda merges: sorted(merges, key=lambda halves: len(b"".join(halves))),
    "length-reversed": lambda merges: sorted(merges, key=lambda halves: -len(b"".join(halves))),
}
_ORDER_WORDS = {
    "alphabet": "by the alphabet",
    "alphabet-reversed": "by the alphabet, last first",
    "token": "by the token that they make",
    "length": "by the length of their token",
    "length-reversed": "by the length of their token, longest first",
}


def _combined(rules: Rules, change: Change) -> Rules:
    """Return the rules with one more change; two of patterns and special tokens keep what both say."""
    changed = change.rules(rules)
    if change.kind == "walls" and not rules.split.special_tokens:
        return replace(changed, split=changed.split.cut_at(()))
    return changed


def _grouped(fits: Sequence[_Fit]) -> Iterator[list[_Fit]]:
    """Yield fits together that differ only in the name of one mistake."""
    groups: dict[tuple[object, ...], list[_Fit]] = {}
    for fit in sorted(fits, key=lambda fit: (len(fit.changes), _place(fit))):
        varied = _varied(fit)
        same = tuple((c.kind, c.lead, c is varied or c.name) for c in fit.changes)
        groups.setdefault(same, []).append(fit)
    yield from groups.values()


def _varied(fit: _Fit) -> Change | None:
    """Return the mistake of which others of its kind may fit too: not the tie rule, if there is another."""
    varied = [change for change in fit.changes if change.rest]
    return next((change for change in varied if change.kind != "tie"), next(iter(varied), None))


def _place(fit: _Fit) -> tuple[object, ...]:
    """Return a sort key: tie rules alone first, those of recipes before others."""
    ties = list(TIES)
    places = [ties.index(change.name) for change in fit.changes if change.kind == "tie"]
    return fit.changes[0].kind != "tie", [change.kind for change in fit.changes], places


def _cause(group: Sequence[_Fit], merges: int, stale: str) -> Cause:
    changes, varied = group[0].changes, _varied(group[0])
    names, sentences = [], []
    for place, change in enumerate(changes):
        alternatives = [fit.changes[place] for fit in group] if change is varied else [change]
        names.append(tuple(alternative.name for alternative in alternatives))
        sentences.append(f"{change.lead}{_either([alternative.rest for alternative in alternatives])}.")
    return Cause(
        kinds=tuple(change.kind for change in changes),
        names=tuple(names),
        sentence=" ".join(sentences) + stale,
        merges=group[0].merges,
        complete=group[0].merges == merges,
    )


def _either(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
