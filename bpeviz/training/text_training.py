"""A whole training of one text: split, counted and merged, told of as it goes.

    trained = train_text(TextTraining("the cat in the hat", "minbpe", get_split_pattern("gpt2"), 9), print)
    trained.learned.history().gap_ranks_of(trained.pre_tokens)

What goes in and what comes out are plain values, so that it can as well be done in another process.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

import numpy as np
import numpy.typing as npt

from bpeviz.corpus.corpus import Corpus
from bpeviz.processes.sharing import TELL_EVERY_SECONDS
from bpeviz.text.pre_token_ends import pre_tokens
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.text.utf8 import check_text
from bpeviz.training.fork import Choice, steps_with
from bpeviz.training.learned import Learned
from bpeviz.training.recipes import Recipe
from bpeviz.training.trainer import MergeStep, Trainer

__all__ = [
    "OnTraining",
    "Phase",
    "TextTraining",
    "TrainedText",
    "TrainingProgress",
    "split_and_count",
    "train_text",
]

Phase = Literal["waiting", "starting", "splitting", "counting", "merging"]


@dataclass(frozen=True)
class TrainingProgress:
    """How far a training is: ``made`` of ``asked`` merges, in the course of ``phase``."""

    phase: Phase
    made: int
    asked: int


#: Is told several times a second how far training is; what it raises ends the training.
OnTraining = Callable[[TrainingProgress], object]


@dataclass(frozen=True)
class TextTraining:
    """What to train on, and by what: a ``source`` that is no text is one already counted by the same
    ``split``; ``choices`` are a person's own merges and vetoes."""

    source: str | Corpus = field(repr=False)
    recipe: str | Recipe
    split: SplitPattern
    num_merges: int
    min_frequency: int = 1
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, eq=False)
class TrainedText:
    """What came of it. ``pre_tokens`` are those of the text in a row, each by its index in the corpus; none
    where the source was already counted."""

    learned: Learned
    steps: tuple[MergeStep, ...] = field(repr=False)
    stop_reason: str
    pre_tokens: npt.NDArray[np.int64] = field(repr=False)


def train_text(training: TextTraining, on_progress: OnTraining) -> TrainedText:
    """Train from the beginning to the end. Raises BpevizError for what cannot be trained with, and whatever
    ``on_progress`` raises."""
    asked = training.num_merges
    if isinstance(training.source, Corpus):
        corpus, indices = training.source, np.zeros(0, np.int64)
    else:
        on_progress(TrainingProgress("splitting", 0, asked))
        corpus, indices = split_and_count(training.source, training.split)
    on_progress(TrainingProgress("counting", 0, asked))
    trainer = Trainer(corpus, training.recipe, num_merges=asked, min_frequency=training.min_frequency)
    steps = _collect(steps_with(trainer, training.choices), asked, on_progress)
    return TrainedText(trainer.learned(), steps, trainer.stop_reason or "", indices)


def split_and_count(text: str, split: SplitPattern) -> tuple[Corpus, npt.NDArray[np.int64]]:
    """The corpus of a text, and the text's pre-tokens in a row, each by its index in the corpus.

    Raises LoneSurrogateError, SplitPatternError.
    """
    check_text(text)
    cut = pre_tokens(text, split)
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    indices = np.fromiter(map(numbers.__getitem__, cut), np.int64, len(cut))
    counts = np.bincount(indices, minlength=len(numbers)).tolist()
    return Corpus.from_counts(dict(zip(numbers, counts, strict=True)), split), indices


def _collect(made: Iterable[MergeStep], asked: int, on_progress: OnTraining) -> tuple[MergeStep, ...]:
    steps: list[MergeStep] = []
    told = time.monotonic()
    for step in made:
        steps.append(step)
        if time.monotonic() - told > TELL_EVERY_SECONDS:
            told = time.monotonic()
            on_progress(TrainingProgress("merging", len(steps), asked))
    return tuple(steps)
