"""The session's state: everything that outlives one rerun of a page, with a part for each page.

Streamlit forgets a widget's value when the widget leaves the page. So each page copies its widgets' values
into the state, and passes them as defaults when it draws the widgets again. Nothing writes to a widget's own
state.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Annotated, cast

import streamlit as st

from bpeviz.core.token_chain import Pair
from bpeviz.limits import limits
from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.runs.large_corpus import ShownText
from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.text.errors import CorpusError
from bpeviz.ui.session.compare import CompareState
from bpeviz.ui.session.corpus_form import CorpusFormState
from bpeviz.ui.session.divergence import DivergenceState
from bpeviz.ui.session.encode import EncodeState
from bpeviz.ui.session.merges import MergesState
from bpeviz.ui.session.saved_fields import INLINE, SAVED
from bpeviz.ui.session.tokenizers import TokenizersState
from bpeviz.ui.session.training import TrainingState
from bpeviz.ui.session.vocabulary import VocabularyState
from bpeviz.ui.session.work import WorkState

__all__ = ["Session", "session"]


@dataclass(slots=True, weakref_slot=True)
class Session:
    """One person's session: the ``runs``, oldest first, the training, the state of each page, the tokenizers
    picked, and where the session is saved (``work``)."""

    runs: list[Run] = field(default_factory=list)
    training: TrainingState = field(default_factory=TrainingState)
    form: Annotated[CorpusFormState, INLINE] = field(default_factory=CorpusFormState)
    merges: Annotated[MergesState, INLINE] = field(default_factory=MergesState)
    compare: Annotated[CompareState, SAVED] = field(default_factory=CompareState)
    divergence: Annotated[DivergenceState, SAVED.named("disagree")] = field(default_factory=DivergenceState)
    encode: Annotated[EncodeState, SAVED] = field(default_factory=EncodeState)
    vocabulary: VocabularyState = field(default_factory=VocabularyState)
    tokenizers: Annotated[TokenizersState, INLINE] = field(default_factory=TokenizersState)
    work: WorkState = field(default_factory=WorkState)

    @property
    def run(self) -> Run | None:
        """The run on show."""
        return self._numbered(self.merges.shown)

    @property
    def run_beside(self) -> Run | None:
        """The run on show beside it."""
        return self._numbered(self.merges.beside)

    def _numbered(self, number: int | None) -> Run | None:
        return next((run for run in self.runs if run.number == number), None)

    def comparable(self) -> list[Run]:
        """Return the other runs on the text of the one on show."""
        run = self.run
        return [r for r in self.runs if run and r is not run and r.corpus == run.corpus]

    def show(self, run: Run) -> None:
        """Show a new run, at the same step as the old one if both made the same merges so far."""
        made = min(self.merges.step, len(run.steps))
        old = self.run
        same = old is not None and old.corpus == run.corpus and old.steps[:made] == run.steps[:made]
        self._turn_to(run, made if same else 0)
        self.merges.beside = None
        self._keep(run)

    def show_fork(self, parent: int, fork: Run) -> None:
        """Show a new fork, with its parent beside it if the session still has it."""
        rank = fork.choices[-1].rank
        self._turn_to(fork, min(self.merges.step, len(fork.steps)) if self.merges.shown == parent else rank)
        self.merges.beside = parent if self._numbered(parent) else None
        self._keep(fork)

    def turn_to(self, number: int) -> None:
        """Show another run. On the same text the step stays. If it was beside, both swap places."""
        old, run = self.run, self._numbered(number)
        if run is None or old is None or run is old:
            return
        same_text = run.corpus == old.corpus
        self._turn_to(run, min(self.merges.step, len(run.steps)) if same_text else 0)
        if self.merges.beside == number:
            self.merges.beside = old.number
        elif not same_text:
            self.merges.beside = None

    def _turn_to(self, run: Run, step: int) -> None:
        if self.merges.pair and not _same_tokens(self.merges.pair, self.run, run):
            self.merges.pair = None
        self.merges.shown = run.number
        self.merges.step = self.merges.start = step
        self.form.show(run.form_settings)
        self.form.open = False
        self.merges.fork = None

    def _keep(self, run: Run) -> None:
        """Keep a run. If there are too many runs or too much text, drop the oldest that are not on show."""
        self.runs = [*self.runs, run]
        on_show = self.merges.shown, self.merges.beside
        for old in self.runs[:-1]:
            large = sum(r.corpus.part is not None for r in self.runs) > limits().kept_large_runs
            too_much = sum(r.corpus.byte_total for r in self.runs) > limits().kept_bytes
            drops = len(self.runs) > limits().kept_runs or too_much or (large and old.corpus.part is not None)
            if drops and old.number not in on_show:
                self.runs = [r for r in self.runs if r is not old]

    def show_part(self, shown: ShownText) -> None:
        """Show another part of a large corpus in all runs on it whose split patterns cut there."""
        for place, run in enumerate(self.runs):
            if run.corpus.part and run.corpus.part.whole is shown.part.whole:
                with suppress(CorpusError):
                    self.runs[place] = run.showing(shown)
        self.merges.parts += 1
        self.merges.start = self.merges.step

    def put_beside(self, number: int | None) -> None:
        """Show a run beside the one on show; None for no run."""
        self.merges.beside = number
        self.merges.start = self.merges.step

    def rename(self, number: int, name: str) -> None:
        """Rename a run; an empty name changes nothing."""
        if name.strip():
            self.runs = [replace(r, name=name.strip()) if r.number == number else r for r in self.runs]
            self.merges.start = self.merges.step

    def drop(self, number: int) -> None:
        """Delete a run. If it was on show, show the one beside it, or else the latest."""
        if len(self.runs) < 2:
            return
        if self.merges.shown == number:
            other = self.run_beside or next(r for r in reversed(self.runs) if r.number != number)
            self.turn_to(other.number)
        if self.merges.beside == number:
            self.put_beside(None)
        self.runs = [r for r in self.runs if r.number != number]

    def stop(self) -> RunAtStep:
        """Return the run at the step where the player rests."""
        return self.merges.stop(self._run_on_show())

    def _run_on_show(self) -> Run:
        if self.run is None:
            raise LookupError("there is no run on show")
        return self.run

    def compared(self) -> ForkComparison | None:
        """Return the comparison of the run on show with the one beside it; None if there is none."""
        run, other = self.run, self.run_beside
        return self.merges.compared(run, other) if run and other else None

    def open_form(self) -> None:
        """Open the corpus form; the run stays."""
        self.form.open = True

    def close_form(self) -> None:
        """Close the corpus form, and show the settings of the run again."""
        self.form.open = False
        self.merges.start = self.merges.step
        self.restore_rules()

    def restore_rules(self) -> None:
        """Set the form to the settings of the run, in new widgets."""
        if self.run is not None:
            self.form.settings, self.form.declined = self.run.form_settings, None
            self.form.renewals += 1

    @property
    def _to_draw(self) -> tuple[object, ...]:
        return (
            self.form.open,
            self.merges.shown,
            self.merges.beside,
            self.merges.start,
            self.form.renewals,
            self.merges.parts,
            [r.name for r in self.runs],
        )

    def finish(self) -> None:
        """Note that the main page on the screen shows the state."""
        self.merges.drawn = self._to_draw

    @property
    def stands(self) -> bool:
        """Whether the main page on the screen shows the state, so that parts of it can rerun alone."""
        return self.merges.drawn == self._to_draw


def _same_tokens(pair: Pair, old: Run | None, new: Run) -> bool:
    """Tell whether the ids of a pair stand for the same bytes in both runs."""
    if old is None:
        return False
    of_new = new.tokenizer.vocabulary
    return all(of_new.get(token_id) == old.tokenizer.token_bytes(token_id) for token_id in pair)


def session() -> Session:
    """Return the state of the current session."""
    if "session" not in st.session_state:
        st.session_state["session"] = Session()
    return cast(Session, st.session_state["session"])
