"""A run at one step: the corpus after some of its merges, as the panels of the page show it.

Sentences are plain text and may hold what a person typed: escape them before showing them.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.charts import ChangeBar, RaceLine
from bpeviz.charts.token_color import token_hue
from bpeviz.core.pair_lives import PairLife
from bpeviz.core.token_chain import Pair
from bpeviz.runs.run import SHOWN_PAIRS, Run
from bpeviz.training.history import Overlaps
from bpeviz.training.merge_step import MergeStep

__all__ = ["RunAtStep"]

SHOWN_CHANGES = 7
RACERS = 8


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

    @property
    def leading(self) -> list[Pair]:
        """The most frequent pairs, always including the next merge."""
        top = [(left, right) for left, right, _ in _rows(self.pairs, SHOWN_PAIRS)]
        following = self.following
        if following and following.pair not in top:
            top[-1] = following.pair
        return top

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
            ChangeBar(self.run.label(left), self.run.label(right), before, after)
            for changes in (self._raised, self._lowered)
            for left, right, before, after, _ in changes[:SHOWN_CHANGES]
        ]

    @cached_property
    def what_changes(self) -> str:
        """What the next merge raises and lowers, in a sentence."""
        following = self.following
        if following is None:
            return "After the last merge: nothing changes any more."
        new = sum(before == 0 for _, _, before, _, _ in self._raised)
        gone = sum(after == 0 for _, _, _, after, _ in self._lowered)
        return (
            f"Merge {self.step + 1:,} uses up {self.run.pair_label(following.pair)}. "
            f"Raised: {_pairs(len(self._raised))}, {new:,} of them new. "
            f"Lowered: {_pairs(len(self._lowered))}, {gone:,} of them to nothing."
        )

    def race(self, length: int, picked: Pair | None) -> tuple[list[RaceLine], npt.NDArray[np.int64], int]:
        """The counts of the leading pairs, and of the picked one, over the last ``length`` merges: a line for
        each, the winning count at each step, and the first step."""
        first = max(0, self.step - length)
        leading = [(left, right) for left, right, _ in _rows(self.pairs, RACERS)]
        if picked and picked not in leading and self.count(picked):
            leading.append(picked)
        lines = [self._racer(pair, first, picked) for pair in leading]
        winning = np.array([s.count for s in self.run.steps[first : self.step + 1]], np.int64)
        return lines, winning, first

    def _racer(self, pair: Pair, first: int, picked: Pair | None) -> RaceLine:
        token = b"".join(map(self.run.tokenizer.token_bytes, pair))
        return RaceLine(
            left=self.run.label(pair[0]),
            right=self.run.label(pair[1]),
            counts=self.run.history.pair_life(pair).counts[first : self.step + 1],
            hue=token_hue(token),
            picked=pair == picked,
        )

    def life(self, pair: Pair) -> PairLife:
        """How often a pair occurs at every step."""
        return self.run.history.pair_life(pair)

    def overlaps(self, pair: Pair) -> Overlaps:
        """How often a pair is counted now, and how often one merge replaces it."""
        return self.run.history.overlaps(self.step, pair)


def _rows(table: pd.DataFrame, most: int | None = None) -> list[tuple[int, ...]]:
    """The first rows as plain numbers, several times as fast as pandas's own ways."""
    return list(zip(*(table[name].to_numpy()[:most].tolist() for name in table), strict=True))


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count:,} pairs"
