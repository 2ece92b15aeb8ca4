"""A run: one corpus trained by one set of rules, with everything that the pages show of it.

Pure functions of text and settings: nothing here draws. Training reports its progress through a callback. A
long text is trained in another process: in this one, everybody's page would wait for it.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.core.gap_ranks import GapRanks
from bpeviz.core.token_chain import Pair
from bpeviz.jobs.training_process import train_here, train_in_process
from bpeviz.limits import limits
from bpeviz.runs.training_words import LAID_OUT_FROM, Progress, TrainingWords
from bpeviz.text.errors import CorpusError
from bpeviz.text.split_patterns import SplitPattern, custom_split_pattern, get_split_pattern
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.fork import Choice, continued_with
from bpeviz.training.history import MergeHistory
from bpeviz.training.recipes import RECIPES, Recipe
from bpeviz.training.text_training import OnTraining, TextTraining, TrainedText
from bpeviz.training.trainer import MergeStep

__all__ = [
    "CUSTOM_SPLIT",
    "OWN_PROCESS_BYTES",
    "RECIPE_SPLIT",
    "Asked",
    "NamedText",
    "Run",
    "TrainingSettings",
    "asked_fork",
    "asked_run",
    "check_text_size",
    "fork_run",
    "train_again",
    "train_run",
    "trainer_for",
]

#: Longer texts train in a process of their own; shorter ones are done sooner than it starts.
OWN_PROCESS_BYTES = 500_000
#: A text that is not split takes this many times as long.
UNSPLIT_TIMES = 5
RECIPE_SPLIT = "the recipe's own"
CUSTOM_SPLIT = "custom"


@dataclass(frozen=True)
class NamedText:
    """A corpus as the person chose it: its text, and what to call it."""

    name: str
    text: str

    @cached_property
    def byte_total(self) -> int:
        return len(self.text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True)
class TrainingSettings:
    """What a person chooses besides the corpus; the defaults suit a first look."""

    recipe: str = "huggingface"
    split: str = RECIPE_SPLIT
    custom_pattern: str = ""
    num_merges: int = 500
    min_frequency: int = 2

    @property
    def complete(self) -> bool:
        """Whether there is something to train by: a custom pattern may yet have to be typed."""
        return self.split != CUSTOM_SPLIT or bool(self.custom_pattern)

    def same_rules(self, other: "TrainingSettings") -> bool:
        """Whether training differs at most in when it stops."""
        return replace(self, num_merges=0, min_frequency=0) == replace(other, num_merges=0, min_frequency=0)

    def split_pattern(self) -> SplitPattern:
        """The split pattern chosen. Raises SplitPatternError for a bad custom one."""
        if self.split == CUSTOM_SPLIT:
            return custom_split_pattern(self.custom_pattern, timeout=limits().split_timeout_seconds)
        return get_split_pattern(RECIPES[self.recipe].split if self.split == RECIPE_SPLIT else self.split)


@dataclass(frozen=True, eq=False)
class Run:
    """A finished training run. ``number`` tells runs of one session apart, ``name`` tells a person;
    ``choices`` are a person's own, in which a fork differs from the run by the same settings;
    ``pre_tokens`` are those of the text, each by its index in the corpus, and ``gap_ranks`` the text's."""

    number: int
    name: str
    corpus: NamedText
    settings: TrainingSettings
    recipe: Recipe
    split: SplitPattern
    steps: tuple[MergeStep, ...]
    stop_reason: str
    choices: tuple[Choice, ...]
    tokenizer: Tokenizer = field(repr=False)
    history: MergeHistory = field(repr=False)
    pre_tokens: npt.NDArray[np.int64] = field(repr=False)
    gap_ranks: GapRanks = field(repr=False)

    @cached_property
    def merges_table(self) -> pd.DataFrame:
        """Every merge as a row, in the order they were made, tokens as a person can read them."""
        return pd.DataFrame(
            {
                "merge": [s.rank + 1 for s in self.steps],
                "left": [self.label(s.pair[0]) for s in self.steps],
                "right": [self.label(s.pair[1]) for s in self.steps],
                "token": [self.label(s.token_id) for s in self.steps],
                "token id": [s.token_id for s in self.steps],
                "count": [s.count for s in self.steps],
                "tied": [s.tied for s in self.steps],
                "tokens after": [s.token_total for s in self.steps],
            }
        )

    def choice_at(self, rank: int) -> Choice | None:
        """The merge that a person chose to be made with this rank."""
        return next((c for c in self.choices if c.rank == rank and c.action == "merge"), None)

    def vetoed(self, step: int) -> set[Pair]:
        """The pairs that are not merged any more once ``step`` merges are made."""
        return {c.pair for c in self.choices if c.rank <= step and c.action == "veto"}

    def pair_label(self, pair: Pair) -> str:
        """A pair as a person can read it."""
        return f"{self.label(pair[0])} + {self.label(pair[1])}"

    def label(self, token_id: int) -> str:
        """A token as a person can read it."""
        return visible(self.tokenizer.token_bytes(token_id))


@dataclass(frozen=True)
class Asked:
    """A training that was asked for: all that ``train_again`` needs, and of a fork the number of its
    ``parent``."""

    corpus: NamedText
    settings: TrainingSettings
    choices: tuple[Choice, ...]
    name: str
    parent: int | None = None


def asked_run(corpus: NamedText, settings: TrainingSettings, like: Run | None = None) -> Asked:
    """A run on ``corpus``. With the text and rules of ``like``, its choices before the last merge are made
    again."""
    again = like is not None and like.corpus == corpus and like.settings.same_rules(settings)
    made = like.choices if like and again else ()
    choices = tuple(choice for choice in made if choice.rank < settings.num_merges)
    name = like.name if like and again and choices == made else f"{corpus.name}, {settings.recipe}"
    return Asked(corpus, settings, choices, name)


def asked_fork(parent: Run, choice: Choice) -> Asked:
    """A run as ``parent`` but for one more choice."""
    pair, merge = parent.pair_label(choice.pair), f"merge {choice.rank + 1:,}"
    name = f"without {pair} from {merge} on" if choice.action == "veto" else f"{pair} at {merge}"
    choices = continued_with(parent.choices, choice)
    return Asked(parent.corpus, parent.settings, choices, name, parent.number)


def _check_size(text: NamedText) -> None:
    """Raise CorpusError for a text that the page does not take."""
    if not text.text:
        raise CorpusError("There is no text yet. Paste some, upload a file, or pick a sample.")
    check_text_size(text.byte_total)


def check_text_size(byte_total: int) -> None:
    """Raise CorpusError for a text with more bytes than the page takes."""
    if byte_total > limits().max_text_bytes:
        most = limits().max_text_megabytes
        raise CorpusError(
            f"This text has {byte_total:,} bytes; the page takes up to {most} MB. "
            "Shorten it, or train in Python: Trainer(Corpus.from_files(…))."
        )


_numbers = itertools.count(1)


def train_run(
    corpus: NamedText, settings: TrainingSettings, on_progress: Progress, *, like: Run | None = None
) -> Run:
    """Train on ``corpus`` as ``asked_run`` says. ``on_progress(share, phase)`` is called several times a
    second and may raise to cancel. Raises BpevizError for a text or settings that cannot be trained with, and
    if the process of a long text ends before it is done."""
    asked = asked_run(corpus, settings, like)
    return train_again(corpus, settings, asked.choices, asked.name, on_progress)


def train_again(
    corpus: NamedText,
    settings: TrainingSettings,
    choices: tuple[Choice, ...],
    name: str,
    on_progress: Progress,
) -> Run:
    """Train as a run called ``name`` was; ``on_progress`` as for ``train_run``. Raises BpevizError."""
    _check_size(corpus)
    split = settings.split_pattern()
    training = TextTraining(
        corpus.text, settings.recipe, split, settings.num_merges, settings.min_frequency, choices
    )
    return _train(corpus, settings, training, on_progress, name=name)


def fork_run(parent: Run, choice: Choice, on_progress: Progress) -> Run:
    """Train as ``parent`` was, but for one more choice; ``on_progress`` as for ``train_run``. Raises
    PairNotFoundError, TrainingProcessError."""
    asked, settings, counted = asked_fork(parent, choice), parent.settings, parent.history.corpus
    training = TextTraining(
        counted, settings.recipe, counted.split, settings.num_merges, settings.min_frequency, asked.choices
    )
    return _train(parent.corpus, settings, training, on_progress, name=asked.name, parent=parent)


def trainer_for(corpus: NamedText) -> Callable[[TextTraining, OnTraining], TrainedText]:
    """What trains on a text of that length, so that all who use the server can go on meanwhile."""

    def train(training: TextTraining, on_progress: OnTraining) -> TrainedText:
        times = UNSPLIT_TIMES if training.split.regex is None else 1
        train = train_in_process if corpus.byte_total * times > OWN_PROCESS_BYTES else train_here
        return train(training, on_progress)

    return train


def _train(
    corpus: NamedText,
    settings: TrainingSettings,
    training: TextTraining,
    on_progress: Progress,
    *,
    name: str,
    parent: Run | None = None,
) -> Run:
    trained = trainer_for(corpus)(training, TrainingWords(on_progress).tell)
    if not trained.steps:
        raise CorpusError(_nothing_learned(corpus, trained))
    on_progress(LAID_OUT_FROM, "Laying out the text")
    pre_tokens = parent.pre_tokens if parent else trained.pre_tokens
    learned, history = trained.learned, trained.learned.history()
    return Run(
        number=next(_numbers),
        name=name,
        corpus=corpus,
        settings=settings,
        recipe=learned.recipe,
        split=learned.corpus.split,
        steps=trained.steps,
        stop_reason=trained.stop_reason,
        choices=training.choices,
        tokenizer=learned.tokenizer(),
        history=history,
        pre_tokens=pre_tokens,
        gap_ranks=history.gap_ranks_of(pre_tokens),
    )


def _nothing_learned(corpus: NamedText, trained: TrainedText) -> str:
    if len(corpus.text) == 1:
        return "A text of one character has no pair to merge. Paste at least a few words."
    return (
        f"Nothing can be merged in this text. {trained.stop_reason} "
        "Paste a longer text, lower “fewest occurrences”, or choose a split pattern with longer pre-tokens."
    )
