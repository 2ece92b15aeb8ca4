"""What one visitor looks at on the page of merges."""

from dataclasses import dataclass, field
from typing import Annotated

from bpeviz.core.token_chain import Pair
from bpeviz.parity import Parity
from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.storage.work_document import Number
from bpeviz.training.choice import Choice
from bpeviz.ui.session.saved_fields import NUMBER, PAIR, RUN, one_of

__all__ = ["RACE_LENGTHS", "MergesState"]

#: How many merges the pair race can go back.
RACE_LENGTHS = (20, 50, 200, 1000)


@dataclass
class MergesState:
    """The state of the page of merges.

    - ``shown``: the number of the run on show, None before the first; ``beside``: of the one beside it;
    - ``step``: merges made at the step on show, and ``moving``: whether the player was on its way further
      when it told; ``start``: the step that the player was mounted at;
    - ``asked``: the step that something beside the player asked it to go to, and how often one was;
    - ``pair``: the pair that the person looks at, in ids of the run on show; ``picks``: how often one was
      picked, so that a chart clicked on starts afresh;
    - ``race_length``: how many merges the pair race goes back;
    - ``fork``: what is to be done otherwise, in a fork of the run on show that is yet to be trained;
    - ``parities``: the results of parity checks, by the run's number;
    - ``page``: the page drawn last; ``drawn``: what of the session the page on the screen was drawn from,
      None if it is not there or not yet whole;
    - ``packed``: the bytes the player was mounted with, and what they were made of.
    """

    shown: Annotated[int | None, RUN] = None
    beside: Annotated[int | None, RUN] = None
    step: Annotated[int, NUMBER] = 0
    moving: bool = False
    start: int = 0
    asked: tuple[int, int] = (0, 0)
    pair: Annotated[Pair | None, PAIR] = None
    picks: int = 0
    race_length: Annotated[int, one_of(RACE_LENGTHS, Number)] = 50
    fork: Choice | None = None
    parities: dict[int, Parity] = field(default_factory=dict)
    page: str = ""
    drawn: tuple[object, ...] | None = None
    packed: tuple[tuple[object, ...], bytes] | None = None
    _at_stop: RunAtStep | None = None
    _comparison: ForkComparison | None = None

    def pick(self, pair: Pair | None) -> None:
        """Look at a pair."""
        self.pair = pair
        self.picks += 1

    def ask_for(self, step: int) -> None:
        """Have the player go to a step."""
        self.asked = step, self.asked[1] + 1

    def stop(self, run: Run) -> RunAtStep:
        """Note that the player stopped at the step on show; gives ``run`` at this step."""
        if self._at_stop is None or self._at_stop.run is not run or self._at_stop.step != self.step:
            self._at_stop = RunAtStep(run, self.step)
        return self._at_stop

    def last_stop(self, run: Run) -> RunAtStep:
        """``run`` at the step where the player stopped last, which is now unless it moves."""
        last = self._at_stop
        return last if self.moving and last and last.run is run else self.stop(run)

    def compared(self, run: Run, other: Run) -> ForkComparison:
        """The run on show and the one beside it."""
        known = self._comparison
        if known is None or known.run is not run or known.other is not other:
            self._comparison = known = ForkComparison(run, other)
        return known

    def enter(self, page: str) -> None:
        """Note which page is drawn; coming to one anew, the player starts where the person left off."""
        self.drawn = None
        if self.page != page:
            self.page = page
            self.start = self.step
