"""The session's state: everything that outlives one rerun of a page, with a part for each page.

Streamlit forgets a widget's value when the widget leaves the page. So each page copies its widgets' values
into the state, and passes them as defaults when it draws the widgets again. Nothing writes to a widget's own
state.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import cast

import streamlit as st

from bpeviz.errors import BpevizError, CorpusError
from bpeviz.limits import limits
from bpeviz.runs.large_corpus import ShownText
from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.runs.run_names import free_name
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.form import YOUR_TEXT, FormState
from bpeviz.ui.session.pages import Pages
from bpeviz.ui.session.saving_state import SavingState
from bpeviz.ui.session.tokenizers import TokenizersState
from bpeviz.ui.session.training import TrainingState

__all__ = ["Session", "session"]

_numbers = count(1)


@dataclass(slots=True, weakref_slot=True)
class Session:
    """One person's session: the ``runs``, oldest first, the training, the state of each page, the tokenizers
    picked, and where the session is saved (``saving``).

    - ``shown``: the number of the shown run, None before the first; ``beside``: of the one beside it;
    - ``step``: how many of its merges are made, where the player last rested; ``start``: where it started;
    - ``opened_with``: the number of the sample's run that the session opened with, None if it opened with
      something else;
    - ``opens``: the sample that a session without a run opens with, and the step; None for the first one;
    - ``parts``: how often another part of a large corpus was shown.

    ``problem`` says why the last thing that the person asked for failed, until something succeeds or another
    ``page``, known by the path of its address, is on show. ``visit`` counts these changes of page.
    ``leads_home``: the parameters of the address with which the next run goes to the main page, None if it
    stays. ``drawn``: whether the main page on the screen is complete, so that a part of it can run alone.

    Each session has its own ``number``. A widget with the number in its key starts empty in a new session on
    the same page."""

    runs: list[Run] = field(default_factory=list)
    training: TrainingState = field(default_factory=TrainingState)
    form: FormState = field(default_factory=FormState)
    shown: int | None = None
    beside: int | None = None
    step: int = 0
    start: int = 0
    opened_with: int | None = None
    opens: tuple[str, int] | None = None
    parts: int = 0
    pages: Pages = field(default_factory=Pages)
    tokenizers: TokenizersState = field(default_factory=TokenizersState)
    saving: SavingState = field(default_factory=SavingState)
    problem: str = ""
    page: str | None = None
    visit: int = 0
    leads_home: dict[str, str] | None = None
    drawn: bool = False
    number: int = field(default_factory=_numbers.__next__, compare=False)
    _at_step: RunAtStep | None = None

    @property
    def run(self) -> Run | None:
        """The shown run."""
        return self._numbered(self.shown)

    @property
    def run_beside(self) -> Run | None:
        """The run beside the shown one."""
        return self._numbered(self.beside)

    def _numbered(self, number: int | None) -> Run | None:
        return next((run for run in self.runs if run.number == number), None)

    def comparable(self) -> list[Run]:
        """Return the other runs on the text of the shown one."""
        run = self.run
        return [r for r in self.runs if run and r is not run and r.corpus == run.corpus]

    def open_with(self, run: Run, step: int = 0) -> None:
        """Show the run of a sample at a step in a new session. The first run on another text replaces it."""
        self.show(run)
        self.opened_with = run.number
        self.step = self.start = step

    @property
    def has_own_run(self) -> bool:
        """Whether there is a run beside that of the sample that the session opened with."""
        return any(run.number != self.opened_with for run in self.runs)

    def try_out(self, settings: TrainingSettings, sample: str, step: int) -> None:
        """Show settings for the person's own text, which they give next. A run of theirs stays on show;
        without any, the session opens with this sample, unless it did."""
        self.form.show(settings)
        if self.has_own_run:
            self.form.declined = settings
        elif self.run is None or (self.run.corpus.name, self.run.form_settings) != (sample, settings):
            self.runs, self.shown, self.opened_with = [], None, None
            self.opens = sample, step
        self.form.ask_for_text()
        self.leads_home = {}

    def show(self, run: Run) -> None:
        """Show a new run. On the text of the old one the step stays, and the old one is beside it unless one
        of the two only has more merges. A text that is being typed keeps the step too, or the end."""
        old = self.run
        same_text = old is not None and old.corpus == run.corpus
        typed_on = old is not None and old.corpus.name == run.corpus.name == YOUR_TEXT
        if old is not None and self._replaces(run, old):
            self.runs = [r for r in self.runs if r is not old]
        at_end = typed_on and old is not None and self.step == len(old.steps) > 0
        step = len(run.steps) if at_end else min(self.step, len(run.steps))
        self._turn_to(run, step if same_text or typed_on else 0)
        self.beside = old.number if old and same_text and not _continues(run, old) else None
        self._keep(run)

    def _replaces(self, run: Run, old: Run) -> bool:
        """Return whether a new run takes the place of the old one: of the sample that the session opened
        with, or of the text in the same field as it was before. An old one with other merges on the same
        text stays."""
        if any(r.corpus == old.corpus for r in self.runs if r is not old):
            return False
        of_field = run.corpus.name == old.corpus.name == YOUR_TEXT
        other_merges = run.corpus == old.corpus and not _continues(run, old)
        return (of_field or old.number == self.opened_with) and not other_merges

    def show_fork(self, parent: int, fork: Run) -> None:
        """Show a new fork, with its parent beside it if the session still has it."""
        rank = fork.choices[-1].rank
        self._turn_to(fork, min(self.step, len(fork.steps)) if self.shown == parent else rank)
        self.beside = parent if self._numbered(parent) else None
        self._keep(fork)

    def turn_to(self, number: int) -> None:
        """Show another run. On the same text the step stays. If it was beside, both swap places."""
        old, run = self.run, self._numbered(number)
        if run is None or old is None or run is old:
            return
        same_text = run.corpus == old.corpus
        self._turn_to(run, min(self.step, len(run.steps)) if same_text else 0)
        if self.beside == number:
            self.beside = old.number
        elif not same_text:
            self.beside = None

    def _turn_to(self, run: Run, step: int) -> None:
        self.shown = run.number
        self.step = self.start = step
        self.form.show(run.form_settings)

    def _keep(self, run: Run) -> None:
        """Keep a run, by a name that no other has.

        If there are too many runs or too much text, drop the oldest that are not shown.
        """
        self.problem = self.training.failed = ""
        name = free_name(run.name, [r.name for r in self.runs])
        self.runs = [*self.runs, run if name == run.name else replace(run, name=name)]
        shown = self.shown, self.beside
        for old in self.runs[:-1]:
            large = sum(r.corpus.part is not None for r in self.runs) > limits().kept_large_runs
            too_much = sum(r.corpus.byte_total for r in self.runs) > limits().kept_bytes
            drops = len(self.runs) > limits().kept_runs or too_much or (large and old.corpus.part is not None)
            if drops and old.number not in shown and self._begun_with(old.number) is None:
                self.runs = [r for r in self.runs if r is not old]

    def show_part(self, shown: ShownText) -> None:
        """Show another part of a large corpus in all runs on it whose split patterns cut there."""
        for place, run in enumerate(self.runs):
            if run.corpus.part and run.corpus.part.whole is shown.part.whole:
                with suppress(CorpusError):
                    self.runs[place] = run.showing(shown)
        self.parts += 1
        self.start = self.step

    def put_beside(self, number: int | None) -> None:
        """Show a run beside the shown one; None for no run."""
        self.beside = number
        self.start = self.step

    def rename(self, number: int, name: str) -> None:
        """Rename a run, by a name that no other has; an empty name changes nothing."""
        if name.strip():
            free = free_name(name.strip(), [r.name for r in self.runs if r.number != number])
            self.runs = [replace(r, name=free) if r.number == number else r for r in self.runs]
            self.start = self.step

    def drop(self, number: int) -> None:
        """Delete a run. If it was shown, show the one beside it, or else the latest."""
        if len(self.runs) < 2:
            return
        if (later := self._begun_with(number)) is not None:  # saved, it is trained again from this one
            self.problem = f"“{later.name}” begins with this run. Delete that one first."
            return
        if self.shown == number:
            other = self.run_beside or next(r for r in reversed(self.runs) if r.number != number)
            self.turn_to(other.number)
        if self.beside == number:
            self.put_beside(None)
        self.runs = [r for r in self.runs if r.number != number]

    def _begun_with(self, number: int) -> Run | None:
        """Return a run that begins with the run of this number; None if there is none."""
        return next((run for run in self.runs if run.start and run.start.key == f"run-{number}"), None)

    def run_at_step(self) -> RunAtStep:
        """Return the run at the step where the player rests. Raises LookupError without a run."""
        if self.run is None:
            raise LookupError("no run is shown")
        if self._at_step is None or self._at_step.run is not self.run or self._at_step.step != self.step:
            self._at_step = RunAtStep(self.run, self.step)
        return self._at_step

    def enter(self, page: str) -> None:
        """Note which page is on show. What failed on another one is not said there, and on a change of page
        the player starts at the step on show."""
        if self.page != page:
            self.page, self.problem = page, ""
            self.visit += 1
            self.start = self.step

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Clear the problem on the page. If the block fails with a BpevizError, that is the new one."""
        self.problem = ""
        try:
            yield
        except BpevizError as error:
            self.problem = str(error)

    def restore_settings(self) -> None:
        """Set the form to the settings of the run, in new widgets."""
        if self.run is not None:
            self.form.settings, self.form.declined = self.run.form_settings, None
            self.form.renewals += 1

    def cancel_training(self) -> None:
        """Cancel what trains, and forget the text that was to be trained on."""
        self.form.wanted = None
        self.training.end()


def _continues(run: Run, other: Run) -> bool:
    """Return whether both make the same merges as far as both go."""
    both = min(len(run.steps), len(other.steps))
    return run.recipe == other.recipe and run.steps[:both] == other.steps[:both]


def session() -> Session:
    """Return the state of the current session."""
    if "session" not in st.session_state:
        st.session_state["session"] = Session()
    return cast(Session, st.session_state["session"])
