"""A moment of a run: the corpus after some of its merges, with all that the panels say of it.

Nothing here draws. Sentences are plain text, a person's own letters in them: who shows them escapes them.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.charts import ChangeBar, PairBar, RaceLine, Role
from bpeviz.history import Overlaps
from bpeviz.pair_lives import PairLife
from bpeviz.token_chain import Pair
from bpeviz.token_color import token_hue
from bpeviz.trainer import MergeStep
from bpeviz.ui.run import Run

__all__ = ["Moment"]

SHOWN_PAIRS = 20
SHOWN_CHANGES = 7
RACERS = 8


@dataclass(frozen=True)
class Moment:
    """``run`` after ``step`` merges."""

    run: Run
    step: int

    @property
    def following(self) -> MergeStep | None:
        """The merge that comes next; None after the last."""
        return self.run.steps[self.step] if self.step < len(self.run.steps) else None

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Every pair with its count: see MergeHistory.pair_counts."""
        return self.run.history.pair_counts(self.step)

    def count(self, pair: Pair) -> int:
        """How often a pair occurs now."""
        here = self.pairs[(self.pairs["left"] == pair[0]) & (self.pairs["right"] == pair[1])]
        return int(here["count"].sum())

    def bars(self, picked: Pair | None = None) -> list[PairBar]:
        """The most frequent pairs; the one merged next is always among them."""
        top = list(self.pairs.head(SHOWN_PAIRS).itertuples(index=False, name=None))
        following = self.following
        if following and (*following.pair, following.count) not in top:
            top[-1] = (*following.pair, following.count)
        vetoed = self.run.vetoed(self.step)
        return [
            PairBar(
                (left, right),
                self.run.label(left),
                self.run.label(right),
                count,
                self._role((left, right), count, vetoed),
                (left, right) == picked,
            )
            for left, right, count in top
        ]

    def _role(self, pair: Pair, count: int, vetoed: set[Pair]) -> Role:
        following = self.following
        if following and pair == following.pair:
            return "next"
        if pair in vetoed:
            return "vetoed"
        chosen = self.run.choice_at(self.step)
        return "tied" if following and not chosen and count == following.count else "other"

    @cached_property
    def why(self) -> str:
        """Why the next merge is of this pair and not of another, and by how much it leads."""
        following = self.following
        if following is None:
            return "After the last merge."
        rival = self._runner_up(following)
        if self.run.choice_at(self.step):
            return f"Chosen by you. {self._passed_over(following, rival)}"
        if following.tied > 1:
            return (
                f"Chosen because {self.run.recipe.tie_reason}: {following.tied:,} pairs share the highest "
                f"count, {following.count:,}. First of the others: {rival and rival[0]}."
            )
        if rival is None:
            return "Chosen because it is the only pair left to merge."
        return (
            f"Chosen because it is the most frequent: {following.count:,}, "
            f"{following.count - rival[1]:,} more than the runner-up {rival[0]}."
        )

    def _passed_over(self, following: MergeStep, rival: tuple[str, int] | None) -> str:
        if rival is None:
            return "No other pair was left to merge."
        if rival[1] > following.count:
            return (
                f"The most frequent pair was {rival[0]}, seen {rival[1]:,} times: "
                f"{rival[1] - following.count:,} more."
            )
        return f"Of the others {rival[0]} is the most frequent, seen {rival[1]:,} times."

    def _runner_up(self, following: MergeStep) -> tuple[str, int] | None:
        """The pair, and its count, that the recipe would choose were ``following`` not there."""
        left_out = {following.pair} | self.run.vetoed(self.step)
        for left, right, count in self.pairs.itertuples(index=False, name=None):
            if (left, right) not in left_out:
                return self.run.pair_label((left, right)), count
        return None

    @cached_property
    def changes(self) -> pd.DataFrame:
        """What the next merge does to the other pairs' counts: see MergeHistory.count_changes."""
        if self.following is None:
            return pd.DataFrame(columns=["left", "right", "before", "after", "change"], dtype="int64")
        changes = self.run.history.count_changes(self.step)
        left, right = self.following.pair
        return changes[(changes["left"] != left) | (changes["right"] != right)]

    @cached_property
    def _raised(self) -> pd.DataFrame:
        return self.changes[self.changes["change"] > 0]

    @cached_property
    def _lowered(self) -> pd.DataFrame:
        return self.changes[self.changes["change"] < 0]

    @cached_property
    def change_bars(self) -> list[ChangeBar]:
        """The greatest rises, greatest first, then the greatest falls."""
        return [
            ChangeBar(self.run.label(left), self.run.label(right), before, after)
            for changes in (self._raised, self._lowered)
            for left, right, before, after, _ in changes.head(SHOWN_CHANGES).itertuples(
                index=False, name=None
            )
        ]

    @cached_property
    def what_changes(self) -> str:
        """What the next merge raises and lowers, in a sentence."""
        following = self.following
        if following is None:
            return "After the last merge: nothing changes any more."
        raised, lowered = self._raised, self._lowered
        return (
            f"Merge {self.step + 1:,} uses up {self.run.pair_label(following.pair)}. "
            f"Raised: {_pairs(len(raised))}, {int((raised['before'] == 0).sum()):,} of them new. "
            f"Lowered: {_pairs(len(lowered))}, {int((lowered['after'] == 0).sum()):,} of them to nothing."
        )

    def race(self, length: int, picked: Pair | None) -> tuple[list[RaceLine], npt.NDArray[np.int64], int]:
        """The leading pairs over the last ``length`` merges (and the pair picked, should it not lead): a
        line each, the winning count at each step, and the first step on show."""
        first = max(0, self.step - length)
        top = self.pairs.head(RACERS).itertuples(index=False, name=None)
        leading = [(left, right) for left, right, _ in top]
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
        """A pair's whole life, before and after this moment."""
        return self.run.history.pair_life(pair)

    def overlaps(self, pair: Pair) -> Overlaps:
        """How often a pair is counted now, and how often one merge can replace it."""
        return self.run.history.overlaps(self.step, pair)


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count:,} pairs"
