"""The state of the page of merges."""

from dataclasses import dataclass, field
from typing import Annotated

from bpeviz.core.token_chain import Pair
from bpeviz.corpus.corpus_files import Place
from bpeviz.parity import Parity
from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.runs.large_corpus import ShownPart
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
    - ``step``: how many merges are made at the step on show, where the player last rested; ``start``: the
      step that it started at;
    - ``asked``: the step that a chart or button sent the player to, and how often that happened;
    - ``pair``: the selected pair, in ids of the run on show; ``picks``: how often one was selected, so that a
      chart is drawn new without the click on it;
    - ``race_length``: how many merges the pair race goes back;
    - ``fork``: the choice of a fork that will train next;
    - ``parities``: the results of parity checks, by the run's number;
    - ``page``: the page drawn last; ``drawn``: the part of the state that the page on the screen shows, None
      if it is not drawn completely;
    - ``parts``: how often another part of a large corpus was shown; ``part_megabytes``: how long parts are;
    - ``found``: where the word is that a person searched, in words, and the part that shows it; ``found_at``:
      the same word and its place, where the next search for it begins;
    - ``packed``: the bytes that the player shows, and what they were made from; ``painted``: whether the
      browser has painted them, or need not be waited for.
    """

    shown: Annotated[int | None, RUN] = None
    beside: Annotated[int | None, RUN] = None
    step: Annotated[int, NUMBER] = 0
    start: int = 0
    asked: tuple[int, int] = (0, 0)
    pair: Annotated[Pair | None, PAIR] = None
    picks: int = 0
    race_length: Annotated[int, one_of(RACE_LENGTHS, Number)] = 50
    fork: Choice | None = None
    parts: int = 0
    part_megabytes: int = 8
    found: tuple[str, ShownPart] | None = None
    found_at: dict[str, Place] = field(default_factory=dict)
    parities: dict[int, Parity] = field(default_factory=dict)
    page: str = ""
    drawn: tuple[object, ...] | None = None
    packed: tuple[tuple[object, ...], bytes] | None = None
    painted: bool = True
    _at_stop: RunAtStep | None = None
    _comparison: ForkComparison | None = None

    def pick(self, pair: Pair | None) -> None:
        """Select a pair."""
        self.pair = pair
        self.picks += 1

    def ask_for(self, step: int) -> None:
        """Send the player to a step."""
        self.asked = step, self.asked[1] + 1

    def stop(self, run: Run) -> RunAtStep:
        """Return ``run`` at the step on show."""
        if self._at_stop is None or self._at_stop.run is not run or self._at_stop.step != self.step:
            self._at_stop = RunAtStep(run, self.step)
        return self._at_stop

    def compared(self, run: Run, other: Run) -> ForkComparison:
        """Return the comparison of the run on show with the one beside it."""
        known = self._comparison
        if known is None or known.run is not run or known.other is not other:
            self._comparison = known = ForkComparison(run, other)
        return known

    def enter(self, page: str) -> None:
        """Note which page is drawn. On a change of page the player starts at the step on show."""
        self.drawn = None
        if self.page != page:
            self.page = page
            self.start = self.step
