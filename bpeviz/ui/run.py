"""A run: one corpus trained by one set of rules, with everything that the pages show of it.

Pure functions of text and settings: nothing here draws. Training reports its progress through a callback. A
long text is trained in another process: in this one, everybody's page would wait for it.
"""

import itertools
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.errors import CorpusError
from bpeviz.fork import Choice, continued_with
from bpeviz.gap_ranks import GapRanks
from bpeviz.history import MergeHistory
from bpeviz.recipes import RECIPES, Recipe
from bpeviz.split_patterns import SplitPattern, custom_split_pattern, get_split_pattern
from bpeviz.text_training import TextTraining, TrainedText, train_text
from bpeviz.token_chain import Pair
from bpeviz.token_text import visible
from bpeviz.tokenizer import Tokenizer
from bpeviz.trainer import MergeStep
from bpeviz.training_process import train_in_process
from bpeviz.ui.limits import limits
from bpeviz.ui.training_words import LAID_OUT_FROM, Progress, TrainingWords

__all__ = [
    "CUSTOM_SPLIT",
    "OWN_PROCESS_BYTES",
    "RECIPE_SPLIT",
    "NamedText",
    "Run",
    "Settings",
    "fork_run",
    "train_again",
    "train_run",
]

#: Longer texts are trained on in a process of their own; shorter ones are trained on sooner than it starts.
OWN_PROCESS_BYTES = 500_000
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
class Settings:
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

    def same_rules(self, other: "Settings") -> bool:
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
    settings: Settings
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


def _check_size(text: NamedText) -> None:
    """Raise CorpusError for a text that the page does not take."""
    if not text.text:
        raise CorpusError("There is no text yet. Paste some, upload a file, or pick a sample.")
    if text.byte_total > limits().max_text_bytes:
        most = limits().max_text_megabytes
        raise CorpusError(
            f"This text has {text.byte_total / 1e6:.1f} MB; the page takes up to {most} MB. "
            "Shorten it, or train in Python: Trainer(Corpus.from_files(…))."
        )


_numbers = itertools.count(1)


def train_run(
    corpus: NamedText, settings: Settings, on_progress: Progress, *, like: Run | None = None
) -> Run:
    """Train on ``corpus``; ``on_progress(share, phase)`` is called several times a second and may raise to
    cancel. With the text and rules of ``like``, its choices are made again. Raises BpevizError for a text
    or settings that cannot be trained with, and where the process of a long text is gone before its time."""
    again = like is not None and like.corpus == corpus and like.settings.same_rules(settings)
    name = like.name if like and again else f"{corpus.name}, {settings.recipe}"
    choices = like.choices if like and again else ()
    return train_again(corpus, settings, choices, name, on_progress)


def train_again(
    corpus: NamedText, settings: Settings, choices: tuple[Choice, ...], name: str, on_progress: Progress
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
    pair, merge = parent.pair_label(choice.pair), f"merge {choice.rank + 1:,}"
    name = f"without {pair} from {merge} on" if choice.action == "veto" else f"{pair} at {merge}"
    settings, counted = parent.settings, parent.history.corpus
    choices = continued_with(parent.choices, choice)
    training = TextTraining(
        counted, settings.recipe, counted.split, settings.num_merges, settings.min_frequency, choices
    )
    return _train(parent.corpus, settings, training, on_progress, name=name, parent=parent)


def _train(
    corpus: NamedText,
    settings: Settings,
    training: TextTraining,
    on_progress: Progress,
    *,
    name: str,
    parent: Run | None = None,
) -> Run:
    train = train_in_process if corpus.byte_total > OWN_PROCESS_BYTES else train_text
    trained = train(training, TrainingWords(on_progress).tell)
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
