"""The pair race: which pairs run, who overtook whom over the last merges, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.charts import MOST_RACERS, RacedMerge, Racer
from bpeviz.core.token_chain import Pair
from bpeviz.runs.run import Run
from bpeviz.words import counted, how_often

__all__ = ["PairRace"]

#: How many pairs run unless the person asks for more: those merged next. The overtaken one and the selected
#: one run as well.
LEADERS = 3
#: How many of the merged pairs run, at most: the last one of each quarter of the merges on show.
MERGED_RACERS = 4

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairRace:
    """The race in ``run`` from ``first`` to ``step`` merges. ``left`` are the pairs left to merge, in the
    order in which the recipe takes them; ``picked`` is the selected pair. With ``more``, pairs run that were
    merged on the way, and up to MOST_RACERS in all."""

    run: Run
    first: int
    step: int
    left: Sequence[Pair]
    picked: Pair | None = None
    more: bool = False

    @cached_property
    def merges(self) -> list[RacedMerge]:
        """The merges on show."""
        made = self.run.steps[self.first : self.step]
        return [RacedMerge(self.run.pair_label(step.pair), step.count) for step in made]

    @cached_property
    def racers(self) -> list[Racer]:
        """The leading pairs, the overtaken one and the selected one; with ``more`` also some of those merged
        on the way, which come first."""
        merged = self._merged
        overtaken = [self.overtaken] if self.overtaken else []
        picked = [self.picked] if self.picked and self._counts(self.picked).any() else []
        leading = [*merged, *self.left[1:MOST_RACERS]] if self.more else self.left[1:LEADERS]
        if not self.left:
            leading = [*merged][-LEADERS:]
        wanted = dict.fromkeys([*self.left[:1], *overtaken, *picked, *leading])
        running = list(wanted)[:MOST_RACERS]
        places = {pair: place for place, pair in enumerate(self.left, 1)}
        running.sort(key=lambda pair: (merged.get(pair, len(self.run.steps) + places.get(pair, 0)), pair))
        return [self._racer(pair, merged.get(pair), places.get(pair)) for pair in running]

    def _racer(self, pair: Pair, merged: int | None, place: int | None) -> Racer:
        left, right = map(self.run.label, pair)
        return Racer(left, right, self._counts(pair), merged, place, pair == self.picked)

    def _counts(self, pair: Pair) -> Counts:
        """How often a pair occurs after each number of merges on show."""
        return self.run.history.pair_life(pair).counts[self.first : self.step + 1]

    @cached_property
    def _merged(self) -> dict[Pair, int]:
        """Some of the pairs merged on show, by the number of the merge; not those that are left again."""
        quarters = np.arange(1, MERGED_RACERS + 1) / MERGED_RACERS
        numbers = np.unique(np.ceil(self.first + (self.step - self.first) * quarters).astype(int)).tolist()
        if self.picked in self._merged_at:
            numbers.append(self._merged_at[self.picked])
        pairs = {self.run.steps[number - 1].pair: number for number in numbers if number > self.first}
        return {pair: number for pair, number in pairs.items() if pair not in self.left}

    @cached_property
    def _merged_at(self) -> dict[Pair | None, int]:
        made = self.run.steps[self.first : self.step]
        return {step.pair: number for number, step in enumerate(made, self.first + 1)}

    @property
    def leader(self) -> Pair | None:
        """The pair merged next."""
        return self.left[0] if self.left else None

    @cached_property
    def overtaken(self) -> Pair | None:
        """The most frequent of the pairs that were ahead of the leader and are still not merged."""
        if self.leader is None or self._chosen or self.step in (self.first, len(self.run.steps)):
            return None
        at_first = int(self._counts(self.leader)[0])
        before = self.run.history.pair_counts(self.first)
        ahead = before[before["count"] > at_first]
        vetoed = self.run.vetoed(self.step)
        for left, right in zip(ahead["left"].tolist(), ahead["right"].tolist(), strict=True):
            if (left, right) not in self._merged_at and (left, right) not in vetoed:
                return left, right
        return None

    @property
    def _chosen(self) -> bool:
        """Whether the person chose the next merge."""
        return any(choice.rank == self.step and choice.action == "merge" for choice in self.run.choices)

    @property
    def sentence(self) -> str:
        """Who leads, whom it overtook and why."""
        if self.leader is None:
            return "No pair is left to merge. Go back to see earlier races."
        name = self.run.pair_label(self.leader)
        times = how_often(int(self._counts(self.leader)[-1]))
        if self.step == len(self.run.steps):
            return f"The training ends here. {name} would be next, seen {times}."
        if self._chosen:
            return f"You chose {name} as the next merge, so the counts don't decide this merge."
        tied = self.run.steps[self.step].tied - 1
        others = counted(tied, "other pair")
        lead = f"{name} and {others} lead, seen {times} each; the tie rule takes {name}."
        return f"{lead if tied else f'{name} leads, seen {times}.'} {self._overtaking(name)}".strip()

    def _overtaking(self, name: str) -> str:
        """At which merge the leader passed the overtaken pair, and what that merge did."""
        if self.overtaken is None:
            return ""
        leader, other = self._counts(self.left[0]), self._counts(self.overtaken)
        rival = self.run.pair_label(self.overtaken)
        at = int(np.flatnonzero(other > leader)[-1]) + 1
        if at == len(leader):
            return ""
        merge = f"Merge {self.first + at:,} ({self.merges[at - 1].pair})"
        was, now = int(other[at - 1]), int(other[at])
        if now < was:
            level = "passed it" if leader[at] > now else "reached its count"
            return f"{merge} lowered {rival} from {was:,} to {now:,}, so {name} {level}."
        if was := int(leader[at - 1]):
            level = "above" if leader[at] > now else "the same as"
            return f"{merge} raised {name} from {was:,} to {int(leader[at]):,}, {level} {rival}."
        level = "more frequent than" if leader[at] > now else "as frequent as"
        return f"{merge} created {name}, at once {level} {rival}."
