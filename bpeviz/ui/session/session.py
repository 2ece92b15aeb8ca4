"""The session's state: everything that outlives one rerun of a page, typed, in one place.

A widget's own value is gone once the widget is not on the page. So each page notes here what its widgets
give, and passes it as the default of the widget when it returns; nothing writes to a widget's own state.
"""

from dataclasses import dataclass, field, replace
from typing import Literal, cast

import streamlit as st

from bpeviz.core.token_chain import Pair
from bpeviz.limits import limits
from bpeviz.parity import Parity
from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.runs.run import NamedText, Run, RunRequest
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.runs.samples import SAMPLES
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.background_training import BackgroundTraining
from bpeviz.ui.session.compare_fields import CompareFields
from bpeviz.ui.session.divergence_fields import DisagreeFields
from bpeviz.ui.session.encode_fields import EncodeFields
from bpeviz.ui.session.session_cache import SessionCache
from bpeviz.ui.session.table_choices import TableChoices
from bpeviz.ui.session.work_fields import WorkFields

__all__ = ["RACE_LENGTHS", "SOURCES", "Session", "Source", "session"]

Source = Literal["Paste", "Upload", "Sample"]
#: How many merges the pair race can go back.
RACE_LENGTHS = (20, 50, 200, 1000)
SOURCES: tuple[Source, ...] = ("Paste", "Upload", "Sample")


@dataclass
class Session:
    """One person's session.

    - ``source``, ``pasted``, ``sample``, ``library_megabytes``: where the corpus comes from, as last chosen;
    - ``uploaded``: what was uploaded last, decoded;
    - ``settings``: the rules to train by, as the widgets stand;
    - ``declined``: changed rules whose training was begun and not finished, so that it is not begun again
      by itself;
    - ``rules_shown``: how often the widgets of the rules were made anew;
    - ``runs``: the runs kept, oldest first; ``shown``: the number of the one on show, None before the first;
      ``beside``: the number of the one on show beside it, None where there is none;
    - ``fork``: what is to be done otherwise, in a fork of the run on show that is yet to be trained;
    - ``training``: the training of a long text that goes on in the background; ``trained``: the name of the
      text of one that is done and was not looked at yet; ``failed``: why the last one is not;
    - ``wanted``: the run that was asked for and is not there yet: saved, so that it is trained again after an
      interruption;
    - ``choosing``: whether the corpus form is open although there is a run;
    - ``step``: merges made at the step on show, and ``moving``: whether the player was on its way further
      when it told; ``start``: the step that the player was mounted at;
    - ``moment``: the run at the step where the player rested last: the panels show it;
    - ``fork_comparison``: the run on show and the one beside it, compared;
    - ``pair``: the pair that the person looks at, in ids of the run on show; ``picks``: how often one was
      picked, so that a chart clicked on starts afresh;
    - ``race_length``: how many merges the pair race goes back;
    - ``asked``: the step that something beside the player asked it to go to, and how often one was;
    - ``packed``: the bytes the player was mounted with, and what they were made of;
    - ``page``: the page drawn last; ``drawn``: what of this state the main page on the screen was drawn from,
      None where it is not there or not yet whole;
    - ``compare``: the fields of the compare page;
    - ``choices``: what was chosen on the vocabulary page and for the batch of texts;
    - ``encode``: the fields of the encode page;
    - ``disagree``: the fields of the page of disagreements, and what was trained for it;
    - ``parities``: what came of holding a run against the real library, by the run's number;
    - ``sides``: the key of the tokenizer picked in each field that picks one;
    - ``tokenizer_files``: the tokenizers from files that the person brought, with their names, by key;
    - ``work``: where all this is kept;
    - ``cache``: what was computed and may be needed again.
    """

    source: Source = "Paste"
    pasted: str = ""
    sample: str = next(iter(SAMPLES))
    library_megabytes: int = 1
    uploaded: NamedText | None = None
    settings: TrainingSettings = field(default_factory=TrainingSettings)
    declined: TrainingSettings | None = None
    rules_shown: int = 0
    runs: list[Run] = field(default_factory=list)
    shown: int | None = None
    beside: int | None = None
    fork: Choice | None = None
    training: BackgroundTraining | None = None
    wanted: RunRequest | None = None
    trained: str = ""
    failed: str = ""
    choosing: bool = False
    step: int = 0
    moving: bool = False
    start: int = 0
    moment: RunAtStep | None = None
    fork_comparison: ForkComparison | None = None
    pair: Pair | None = None
    picks: int = 0
    race_length: int = 50
    asked: tuple[int, int] = (0, 0)
    packed: tuple[tuple[object, ...], bytes] | None = None
    page: str = ""
    drawn: tuple[object, ...] | None = None
    compare: CompareFields = field(default_factory=CompareFields)
    choices: TableChoices = field(default_factory=TableChoices)
    encode: EncodeFields = field(default_factory=EncodeFields)
    disagree: DisagreeFields = field(default_factory=DisagreeFields)
    parities: dict[int, Parity] = field(default_factory=dict)
    sides: dict[str, str] = field(default_factory=dict)
    tokenizer_files: dict[str, tuple[str, Tokenizer]] = field(default_factory=dict)
    work: WorkFields = field(default_factory=WorkFields)
    cache: SessionCache = field(default_factory=SessionCache)

    @property
    def run(self) -> Run | None:
        """The run on show."""
        return self._numbered(self.shown)

    @property
    def run_beside(self) -> Run | None:
        """The run that is on show beside it."""
        return self._numbered(self.beside)

    def _numbered(self, number: int | None) -> Run | None:
        return next((run for run in self.runs if run.number == number), None)

    def comparable(self) -> list[Run]:
        """The runs on the same text as the one on show, itself left out."""
        run = self.run
        return [r for r in self.runs if run and r is not run and r.corpus == run.corpus]

    def show(self, run: Run) -> None:
        """Put a new run on the page: where the old one stood if both made the same merges up to there."""
        made = min(self.step, len(run.steps))
        old = self.run
        same = old is not None and old.corpus == run.corpus and old.steps[:made] == run.steps[:made]
        self._turn_to(run, made if same else 0)
        self.beside = None
        self._keep(run)

    def show_fork(self, parent: int, fork: Run) -> None:
        """Put a new fork on the page, and beside it the run it parts from, unless that is gone."""
        rank = fork.choices[-1].rank
        self._turn_to(fork, min(self.step, len(fork.steps)) if self.shown == parent else rank)
        self.beside = parent if self._numbered(parent) else None
        self._keep(fork)

    @property
    def busy(self) -> bool:
        """Whether a training goes on in the background."""
        return self.training is not None and not self.training.done

    def begin(self, training: BackgroundTraining, wanted: RunRequest | None = None) -> None:
        """Follow a training in the background, in the place of any other."""
        self.end_training()
        self.training, self.wanted = training, wanted

    def end_training(self) -> None:
        """Want nothing more of the training in the background."""
        if self.training is not None:
            self.training.cancel()
        self.training = self.wanted = None
        self.trained = self.failed = ""

    def turn_to(self, number: int) -> None:
        """Show another run, on the same text at the same step; one that stood beside changes places."""
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
        if self.pair and not _same_tokens(self.pair, self.run, run):
            self.pair = None
        self.shown = run.number
        self.step = self.start = step
        self.moving = False
        if self.settings != run.form_settings:  # as the widgets stand; new ones show those of the run
            self.rules_shown += 1
        self.settings, self.declined = run.form_settings, None
        self.choosing = False
        self.fork = None
        self.moment = None

    def _keep(self, run: Run) -> None:
        """Keep a run; where that makes too many or too much, the oldest go that are not on the page."""
        self.runs = [*self.runs, run]
        for old in self.runs[:-1]:
            too_much = sum(r.corpus.byte_total for r in self.runs) > limits().kept_bytes
            if (len(self.runs) > limits().kept_runs or too_much) and old.number not in (
                self.shown,
                self.beside,
            ):
                self.runs = [r for r in self.runs if r is not old]

    def put_beside(self, number: int | None) -> None:
        """Show a run beside the one on show, or none."""
        self.beside = number
        self.start = self.step

    def rename(self, number: int, name: str) -> None:
        """Call a run something else; an empty name is no name."""
        if name.strip():
            self.runs = [replace(r, name=name.strip()) if r.number == number else r for r in self.runs]
            self.moment = None
            self.start = self.step

    def drop(self, number: int) -> None:
        """Forget a run; the one beside it, or else the latest, takes its place."""
        if len(self.runs) < 2:
            return
        if self.shown == number:
            other = self.run_beside or next(r for r in reversed(self.runs) if r.number != number)
            self.turn_to(other.number)
        if self.beside == number:
            self.put_beside(None)
        self.runs = [r for r in self.runs if r.number != number]

    def pick(self, pair: Pair | None) -> None:
        """Look at a pair."""
        self.pair = pair
        self.picks += 1

    def ask_for(self, step: int) -> None:
        """Have the player go to a step."""
        self.asked = step, self.asked[1] + 1

    def stop(self) -> RunAtStep:
        """Note that the player rests at the step on show; gives the moment to show."""
        run = self.run
        if run is None:
            raise LookupError("there is no run on show")
        if self.moment is None or self.moment.run is not run or self.moment.step != self.step:
            self.moment = RunAtStep(run, self.step)
        return self.moment

    def last_stop(self) -> RunAtStep:
        """The moment where the player rested last, which is now unless it moves."""
        return self.moment if self.moving and self.moment else self.stop()

    def compared(self) -> ForkComparison | None:
        """The run on show and the one beside it; None where nothing stands beside it."""
        run, other = self.run, self.run_beside
        if run is None or other is None:
            return None
        if (
            self.fork_comparison is None
            or self.fork_comparison.run is not run
            or self.fork_comparison.other is not other
        ):
            self.fork_comparison = ForkComparison(run, other)
        return self.fork_comparison

    def open_form(self) -> None:
        """Choose another corpus; the run stays as it is."""
        self.choosing = True

    def close_form(self) -> None:
        """Back to the run, at its step and by its rules."""
        self.choosing = False
        self.start = self.step
        self.restore_rules()

    def restore_rules(self) -> None:
        """Take the rules of the run again; new widgets show them, since theirs is the only other copy."""
        if self.run is not None:
            self.settings, self.declined = self.run.form_settings, None
            self.rules_shown += 1

    @property
    def _to_draw(self) -> tuple[object, ...]:
        return (
            self.choosing,
            self.shown,
            self.beside,
            self.start,
            self.rules_shown,
            [r.name for r in self.runs],
        )

    def finish(self) -> None:
        """Note that the main page stands as the state has it."""
        self.drawn = self._to_draw

    @property
    def stands(self) -> bool:
        """Whether the main page is on the screen as the state has it, so that parts of it can run alone."""
        return self.drawn == self._to_draw

    def enter(self, page: str) -> None:
        """Note which page is drawn; coming to one anew, the player starts where the person left off."""
        self.drawn = None
        if self.page != page:
            self.page = page
            self.start = self.step


def _same_tokens(pair: Pair, old: Run | None, new: Run) -> bool:
    """Whether the ids of a pair stand for the same bytes in both runs."""
    if old is None:
        return False
    of_new = new.tokenizer.vocabulary
    return all(of_new.get(token_id) == old.tokenizer.token_bytes(token_id) for token_id in pair)


def session() -> Session:
    """Give the state of the browser session that is being served."""
    if "session" not in st.session_state:
        st.session_state["session"] = Session()
    return cast(Session, st.session_state["session"])
