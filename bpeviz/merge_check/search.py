"""find_causes: which mistakes explain all merges of a person's trainer.

Each mistake is tried: a trainer that makes it trains on the same text, and its merges are compared with
theirs. One mistake that explains all of them is better than two; of two equally simple ones that fit, this
text can't tell which it is, so both are named.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from bpeviz.cached import cached_property
from bpeviz.merge_check.causes import Cause, Fit, causes_of
from bpeviz.merge_check.changes import Change, tie_change
from bpeviz.merge_check.mistakes import other_recipes, rule_mistakes
from bpeviz.merge_check.orders import other_order, sorted_order
from bpeviz.merge_check.rules import Halves, Rules, Texts, walk
from bpeviz.merge_check.spellings import spellings
from bpeviz.merge_check.stale import StaleCounts
from bpeviz.merge_check.ties import TIES

__all__ = ["find_causes"]

#: Two mistakes at once are tried, each with each, for texts of so many characters: that takes some hundred
#: times as long as one mistake.
MOST_FOR_TWO = 150_000
#: Mistakes that don't explain all merges are named if they explain so many more than the rule.
CLEARLY_MORE = 5
MOST_NAMED = 12
#: Mistakes that need no other corpus than the rule's.
KEEP_CORPUS = ("tie", "overlaps", "stale", "ids", "spelling", "order", "same-bytes")

OnProgress = Callable[[float], object]


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
    causes = list(causes_of(search.simplest(), len(theirs), search.stale_words))
    return tuple(causes[:MOST_NAMED])


class _Search:
    """The search for one list of merges. ``stale_words``: see StaleCounts.words."""

    def __init__(
        self, texts: Texts, rules: Rules, theirs: Sequence[Halves], same: int, on_progress: OnProgress
    ) -> None:
        self._texts, self._rules, self._theirs, self._same = texts, rules, theirs, same
        self._tie: str = rules.recipe.tie
        self._on_progress = on_progress
        #: The part of the progress that is on its way, and how many walks of it are done and planned.
        self._half, self._walked, self._walks = 0, 0, 100
        self._partial: list[Fit] = []
        #: How many merges a tie rule explains: there counts differ.
        self._explained = same
        self.stale_words = ""

    def simplest(self) -> list[Fit]:
        """Return the fits with the fewest changes."""
        ties, _ = self._tried([()])
        stale = self._stale_counts()
        singles = [*spellings(self._rules), *rule_mistakes(self._rules, self._texts), *stale.mistakes()]
        self._walks = len(singles) + 1
        one, two = self._tried([(change,) for change in singles])
        order = self._fits(sorted_order(self._texts, self._rules, self._theirs))
        one += [*ties, *(fit for fit in order if len(fit.changes) == 1)]
        if one:
            return one
        two += [*order, *self._recipes()]
        if not two:
            pairs = [pair for pair in combinations(singles, 2) if self._worth(*pair)]
            self._half, self._walked, self._walks = 1, 0, len(pairs) + 1
            more, three = self._tried(pairs)
            two = more or three
        other = other_order(self._texts, self._rules, self._theirs)
        return two or self._fits(other) or self._stale_pair(stale) or self._best_partial()

    def _fits(self, changes: tuple[Change, ...]) -> list[Fit]:
        """Return the fit of changes that explain all merges; none without a change."""
        return [Fit(changes, len(self._theirs))] if changes else []

    def _stale_counts(self) -> StaleCounts:
        """Return what is known of stale counts, from where no tie rule explains their merges on."""
        tie = self._tie
        for fit in self._partial:
            if fit.merges > self._explained:
                tie, self._explained = fit.changes[-1].name, fit.merges
        self._best_tie = tie
        stale = StaleCounts(self._texts, self._rules, self._theirs, tie, self._explained)
        self.stale_words = stale.words()
        return stale

    def _stale_pair(self, stale: StaleCounts) -> list[Fit]:
        found = stale.of_single_pairs()
        if found is None:
            return []
        change, merges = found
        if merges < min(len(self._theirs), self._same + CLEARLY_MORE):
            return []
        ties = () if self._best_tie == self._tie else (tie_change(self._best_tie),)
        return [Fit((change, *ties), merges)]

    def _tried(self, all_changes: Sequence[tuple[Change, ...]]) -> tuple[list[Fit], list[Fit]]:
        """Return the changes that explain all merges with the rule's ties, or with other ties if nothing else
        changes; and those that need other ties too."""
        with_rule, with_other = [], []
        for changes in sorted(all_changes, key=_shared):
            for tie, merges in self._walk(changes).items():
                ties = () if self._is_rules_tie(tie, changes) else (tie_change(tie),)
                fit = Fit((*changes, *ties), merges)
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

    def _walk(self, changes: tuple[Change, ...]) -> Mapping[str, int]:
        """Return how many merges each tie rule explains with these changes."""
        rules, theirs = self._rules, list(self._theirs)
        self._walked += 1
        self._tell(0)
        for change in changes:
            rules = _combined(rules, change)
            if change.read is not None:
                if (read := change.read(theirs)) is None:
                    return {}
                theirs = read
        return walk(self._texts.tally(rules), theirs, TIES, self._tell)

    def _tell(self, rank: int) -> None:
        if not rank % 256:
            self._on_progress((self._half + min(1.0, self._walked / self._walks)) / 2)

    def _worth(self, first: Change, second: Change) -> bool:
        """Return whether two mistakes are tried together: all in a short text, else those of which one alone
        explains more than the rule."""
        if first.kind == second.kind or (first.read and second.read):
            return False
        better = [(change.kind, change.name) in self._better for change in (first, second)]
        common = not (first.rare or second.rare) and self._texts.characters <= MOST_FOR_TWO
        return any(better) or common

    @cached_property
    def _better(self) -> set[tuple[str, str]]:
        """The mistakes that alone explain more than the rule with any ties."""
        return {
            (fit.changes[0].kind, fit.changes[0].name)
            for fit in self._partial
            if fit.changes and fit.merges > self._explained
        }

    def _recipes(self) -> Iterator[Fit]:
        for change in other_recipes(self._rules, self._texts):
            rules = change.rules(self._rules)
            tie = rules.recipe.tie
            if walk(self._texts.tally(rules), self._theirs, [tie])[tie] == len(self._theirs):
                yield Fit((change,), len(self._theirs))

    def _best_partial(self) -> list[Fit]:
        """Return what explains clearly more than the rule, though not all."""
        most = max((fit.merges for fit in self._partial), default=0)
        if most < self._same + CLEARLY_MORE:
            return []
        best = [fit for fit in self._partial if fit.merges == most]
        fewest = min(len(fit.changes) for fit in best)
        return [fit for fit in best if len(fit.changes) == fewest]


def _shared(changes: tuple[Change, ...]) -> tuple[str, ...]:
    """Return a sort key that brings changes together that need the same corpus."""
    return tuple(change.kind + change.name for change in changes if change.kind not in KEEP_CORPUS)


def _combined(rules: Rules, change: Change) -> Rules:
    """Return the rules with one more change. Another pattern cuts at the same special tokens."""
    changed = change.rules(rules)
    if change.kind == "walls":
        return replace(changed, split=changed.split.cut_at(rules.split.special_tokens))
    return changed
