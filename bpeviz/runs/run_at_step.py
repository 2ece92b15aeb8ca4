"""A run at one step: the corpus after some of its merges, as the panels of the page show it.

Sentences are plain text and may hold what a person typed: escape them before showing them.
"""

from dataclasses import dataclass

import pandas as pd

from bpeviz.cached import cached_property
from bpeviz.charts import MOST_RACERS, ChangeBar
from bpeviz.core.token_chain import Pair
from bpeviz.runs.pair_race import PairRace
from bpeviz.runs.run import Run
from bpeviz.training.result import MergeStep
from bpeviz.words import counted

__all__ = ["RunAtStep"]

SHOWN_CHANGES = 7


@dataclass(frozen=True)
class RunAtStep:
    """``run`` after ``step`` merges."""

    run: Run
    step: int

    @property
    def following(self) -> MergeStep | None:
        """The next merge; None after the last."""
        return self.run.steps[self.step] if self.step < len(self.run.steps) else None

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Every pair and its count: see MergeHistory.pair_counts."""
        return self.run.history.pair_counts(self.step)

    def count(self, pair: Pair) -> int:
        """How often a pair occurs now."""
        here = self.pairs[(self.pairs["left"] == pair[0]) & (self.pairs["right"] == pair[1])]
        return int(here["count"].sum())

    @cached_property
    def _changes(self) -> list[tuple[int, ...]]:
        """How the next merge changes the other pairs' counts: the rows of MergeHistory.count_changes."""
        if self.following is None:
            return []
        return [
            row for row in _rows(self.run.history.count_changes(self.step)) if row[:2] != self.following.pair
        ]

    @cached_property
    def _raised(self) -> list[tuple[int, ...]]:
        return [row for row in self._changes if row[-1] > 0]

    @cached_property
    def _lowered(self) -> list[tuple[int, ...]]:
        return [row for row in self._changes if row[-1] < 0]

    @cached_property
    def change_bars(self) -> list[ChangeBar]:
        """The greatest rises, greatest first, then the greatest falls."""
        return [
            ChangeBar(self.run.label(left), self.run.label(right), before, after, (left, right))
            for changes in (self._raised, self._lowered)
            for left, right, before, after, _ in changes[:SHOWN_CHANGES]
        ]

    @cached_property
    def what_changes(self) -> str:
        """What the next merge raises and lowers, in a sentence."""
        following = self.following
        if following is None:
            return self.run.nothing_merged or "After the last merge: nothing changes any more."
        new = sum(before == 0 for _, _, before, _, _ in self._raised)
        gone = sum(after == 0 for _, _, _, after, _ in self._lowered)
        changes = [_changed("Raised", len(self._raised), new, "new")]
        changes.append(_changed("Lowered", len(self._lowered), gone, "to 0"))
        changes.append(_shown(len(self._raised), len(self._lowered)))
        others = " ".join(filter(None, changes)) or "No other pair changes."
        return f"Merge {self.step + 1:,} joins {self.run.pair_label(following.pair)}. {others}"

    def race(self, length: int, picked: Pair | None, *, more: bool = False) -> PairRace:
        """Return the race of the leading pairs, and of the picked one, over the last ``length`` merges; with
        ``more`` of some merged ones too."""
        vetoed = self.run.vetoed(self.step)
        following = [self.following.pair] if self.following else []
        leading = [(left, right) for left, right, _ in _rows(self.pairs, MOST_RACERS + len(vetoed))]
        left = dict.fromkeys(pair for pair in [*following, *leading] if pair not in vetoed)
        return PairRace(self.run, max(0, self.step - length), self.step, list(left), picked, more)


def _rows(table: pd.DataFrame, most: int | None = None) -> list[tuple[int, ...]]:
    """Return the first rows as plain numbers, several times as fast as pandas's own ways."""
    return list(zip(*(table[name].to_numpy()[:most].tolist() for name in table), strict=True))


def _changed(how: str, count: int, special: int, what: str) -> str:
    """Return ``Raised: 3 pairs, 2 of them new.``; empty if there are none."""
    if not count:
        return ""
    pairs = counted(count, "pair")
    if special == count:
        return f"{how}: {pairs}, {'all ' if count > 1 else ''}{what}."
    return f"{how}: {pairs}, {special:,} of them {what}." if special else f"{how}: {pairs}."


def _shown(raised: int, lowered: int) -> str:
    """Return ``The chart shows the largest 7 of 9 rises.``; empty if it shows all."""
    kinds = [(raised, "rises"), (lowered, "falls")]
    few = [f"{SHOWN_CHANGES} of {count:,} {kind}" for count, kind in kinds if count > SHOWN_CHANGES]
    return f"The chart shows the largest {' and '.join(few)}." if few else ""
