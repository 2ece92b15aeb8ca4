"""The state of the page of merges."""

from dataclasses import dataclass, field
from itertools import count
from typing import Annotated, Literal, get_args

from msgspec import Meta

from bpeviz.core.token_chain import Pair
from bpeviz.corpus.corpus_files import Place
from bpeviz.parity import Parity
from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.runs.large_corpus import ShownPart
from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.sessions.document import Names, Number
from bpeviz.sessions.page_fields import PageFields
from bpeviz.training.choice import Choice

__all__ = ["PANELS", "RACE_LENGTHS", "MergesState", "PageRequest", "Panel", "WatchFields"]

#: What a person can show beside the player, one at a time.
Panel = Literal["Pairs", "What changes", "Race", "Word", "Tables"]
PANELS: tuple[Panel, ...] = get_args(Panel)

#: How many merges the pair race can go back.
RACE_LENGTHS = (20, 50, 200, 1000)


TokenId = Annotated[int, Meta(ge=0, lt=2**31)]


class WatchFields(PageFields, forbid_unknown_fields=True):
    """What is saved of the main page, besides its text and its rules."""

    pair: tuple[TokenId, TokenId] | None = None
    panels: Names | None = None
    race_length: Number = 0


_requests = count(1)


@dataclass
class PageRequest:
    """A page that a person wants to save: of the run ``number`` at ``step``. ``asked`` tells requests apart;
    ``file`` is the page until the browser gets it, or ``fault`` says why there is none."""

    number: int
    step: int
    asked: int
    file: bytes = b""
    fault: str = ""


@dataclass
class MergesState:
    """The state of the page of merges.

    - ``shown``: the number of the shown run, None before the first; ``beside``: of the one beside it;
    - ``opened_with``: the number of the sample's run that the session opened with, None if it opened with
      something else;
    - ``opens``: the sample that a session without a run opens with, and the step; None for the first one;
    - ``step``: how many merges are made at the step on show, where the player last rested; ``start``: the
      step that it started at;
    - ``asked``: the step that a chart or button sent the player to, a number that no other request has in any
      session, 0 before the first, and the byte of the text to show, if any;
    - ``pair``: the selected pair, in ids of the shown run; ``picks``: how often one was selected, so that a
      chart is drawn new without the click on it;
    - ``panel``: the one beside the player; ``word``: the word that a panel is about;
    - ``race_length``: how many merges the pair race goes back;
    - ``fork``: the choice of a fork that will train next;
    - ``parities``: the results of parity checks, by the run's number;
    - ``page_request``: the page that the person wants to save, until the browser has it;
    - ``drawn``: whether the page on the screen is complete, so that a part of it can run alone;
    - ``parts``: how often another part of a large corpus was shown; ``part_megabytes``: how long parts are;
    - ``found``: where the word is that a person searched, in words, and the part that shows it; ``found_at``:
      the same word and its place, where the next search for it begins;
    - ``packed``: the bytes that the player shows, and what they were made from; ``painted``: whether the
      browser has painted them; True at once for a short text, which the page doesn't wait for.
    """

    shown: int | None = None
    beside: int | None = None
    opened_with: int | None = None
    opens: tuple[str, int] | None = None
    step: int = 0
    start: int = 0
    asked: tuple[int, int, int | None] = (0, 0, None)
    pair: Pair | None = None
    picks: int = 0
    panel: Panel = "Pairs"
    word: str = ""
    race_length: int = 50
    fork: Choice | None = None
    parts: int = 0
    part_megabytes: int = 8
    found: tuple[str, ShownPart] | None = None
    found_at: dict[str, Place] = field(default_factory=dict)
    parities: dict[int, Parity] = field(default_factory=dict)
    page_request: PageRequest | None = None
    drawn: bool = False
    packed: tuple[tuple[object, ...], bytes] | None = None
    painted: bool = True
    _at_step: RunAtStep | None = None
    _comparison: ForkComparison | None = None

    def pick(self, pair: Pair | None) -> None:
        """Select a pair."""
        self.pair = pair
        self.picks += 1

    def ask_for(self, step: int, offset: int | None = None) -> None:
        """Send the player to a step, and to the byte at ``offset`` of its text."""
        self.asked = step, next(_requests), offset

    def run_at_step(self, run: Run) -> RunAtStep:
        """Return ``run`` at the step on show."""
        if self._at_step is None or self._at_step.run is not run or self._at_step.step != self.step:
            self._at_step = RunAtStep(run, self.step)
        return self._at_step

    def compared(self, run: Run, other: Run) -> ForkComparison:
        """Return the comparison of the shown run with the one beside it."""
        known = self._comparison
        if known is None or known.run is not run or known.other is not other:
            self._comparison = known = ForkComparison(run, other)
        return known
