"""A whole training on one text, or on files: split, count, merge, and report progress.

    text = UncountedText("the cat in the hat", get_split_pattern("gpt2"))
    result = train_text(text, TrainingSettings("minbpe", num_merges=9), print)
    result.gap_ranks

Input and output are plain values, so another process can do the training.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import BinaryIO, Literal, cast

import numpy as np
import numpy.typing as npt

from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.text.pre_token_ends import pre_tokens
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.text.utf8 import check_text
from bpeviz.training.choice import Choice
from bpeviz.training.fork import steps_with
from bpeviz.training.result import MergeStep, TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.trainer import Trainer
from bpeviz.workers.sharing import TELL_EVERY_SECONDS, cores

__all__ = [
    "OnTraining",
    "Phase",
    "Source",
    "Train",
    "TrainingProgress",
    "UncountedFiles",
    "UncountedText",
    "cut_by",
    "split_and_count",
    "train_text",
]

Phase = Literal["waiting", "starting", "reading", "splitting", "counting", "merging"]

#: Files of more bytes in all are counted by several processes: starting them takes a second.
SEVERAL_PROCESSES_BYTES = 20_000_000


@dataclass(frozen=True)
class TrainingProgress:
    """How far a training is: its ``phase``, and ``made`` of ``asked`` merges; while it reads files, bytes.
    ``asked`` is 0 while merging if that number isn't known."""

    phase: Phase
    made: int
    asked: int


#: Called with the progress several times a second; raises an exception to stop the training.
OnTraining = Callable[[TrainingProgress], object]


@dataclass(frozen=True)
class UncountedText:
    """A text to train on, and its split pattern."""

    text: str = field(repr=False)
    split: SplitPattern


@dataclass(frozen=True)
class UncountedFiles:
    """Files to train on, each a separate text, and their split pattern."""

    files: CorpusFiles
    split: SplitPattern


#: What to train on: a text, files, the counts of either, or a training to continue.
Source = UncountedText | UncountedFiles | Corpus | TrainingResult
#: A function that trains as ``train_text`` does.
Train = Callable[[Source, TrainingSettings, OnTraining], TrainingResult]


def train_text(source: Source, settings: TrainingSettings, on_progress: OnTraining) -> TrainingResult:
    """Train on ``source``, which has its own split pattern: ``settings.split`` is only for a corpus that none
    has cut.

    A training as the source has made its merges already, by the same rules; of the choices in the settings,
    it has followed those of lower ranks. Raises BpevizError for a text or settings that cannot train, and
    whatever ``on_progress`` raises.
    """
    asked = settings.num_merges
    corpus, made, pre_tokens = _counted(cut_by(source, settings), asked, on_progress)
    on_progress(TrainingProgress("counting", 0, asked))
    trainer = Trainer(
        corpus,
        settings.recipe,
        vocab_size=settings.vocab_size,
        num_merges=asked if settings.vocab_size is None else None,
        min_frequency=settings.min_frequency,
        special_tokens=settings.special_tokens,
        max_token_length=settings.max_token_length,
        made=made,
        start=settings.start.tokenizer if settings.start else None,
    )
    trainer.num_merges = asked  # with a vocab size too: a merge can make a token that there is
    most = 0 if settings.start else min(asked, trainer.most_merges or asked)
    _report_on(_steps(trainer, settings.choices), most, on_progress)
    result = trainer.result()
    return result if pre_tokens is None else replace(result, pre_tokens=pre_tokens)


def cut_by(source: Source, settings: TrainingSettings) -> Source:
    """Return a source that has a split pattern: that of the settings, for a corpus that none has cut."""
    return source.cut_by(settings.split_pattern()) if isinstance(source, Corpus) else source


def _counted(
    source: Source, asked: int, on_progress: OnTraining
) -> tuple[Corpus, TrainingResult | None, npt.NDArray[np.int64] | None]:
    """Return the corpus of a source; the training to go on with, if any; and the text's pre-tokens, if there
    is a text."""
    match source:
        case Corpus():
            return source, None, None
        case TrainingResult():
            return source.corpus, source, None
        case UncountedFiles():
            return count_files(source, on_progress), None, None
        case UncountedText():
            on_progress(TrainingProgress("splitting", 0, asked))
            corpus, pre_tokens = split_and_count(source.text, source.split)
            return corpus, None, pre_tokens


def _steps(trainer: Trainer, choices: Sequence[Choice]) -> Iterator[MergeStep]:
    """Return the steps by these choices; of those that the trainer has followed, only the vetoes still
    count."""
    made = len(trainer.merges)
    for choice in choices:
        if choice.rank < made and choice.action == "veto":
            trainer.veto(choice.pair)
    return steps_with(trainer, [choice for choice in choices if choice.rank >= made])


def split_and_count(text: str, split: SplitPattern) -> tuple[Corpus, npt.NDArray[np.int64]]:
    """Return the corpus of a text, and the text's pre-tokens in order, as indices in the corpus.

    Raises CorpusError, SplitPatternError.
    """
    check_text(text)
    cut = pre_tokens(text, split)
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    indices = np.fromiter(map(numbers.__getitem__, cut), np.int64, len(cut))
    counts = np.bincount(indices, minlength=len(numbers)).tolist()
    return Corpus.from_counts(dict(zip(numbers, counts, strict=True)), split), indices


def count_files(source: UncountedFiles, on_progress: OnTraining) -> Corpus:
    """Return the corpus of files, which are read a few megabytes at a time.

    Raises CorpusError, SplitPatternError.
    """
    total, read = source.files.byte_total, 0

    def opened() -> Iterator[_Measured]:
        for listed, file in zip(source.files.files, source.files.opened(), strict=True):
            yield _Measured(file, listed.name, note)

    def note(byte_total: int) -> None:
        nonlocal read
        read += byte_total

    def tell(_: int) -> None:
        on_progress(TrainingProgress("reading", read, total))

    tell(0)
    return Corpus.from_files(
        cast(Iterator[BinaryIO], opened()),
        source.split,
        errors=source.files.errors,
        processes=cores() if total > SEVERAL_PROCESSES_BYTES else 1,
        on_counted=tell,
    )


class _Measured:
    """A file that tells how many bytes are read."""

    def __init__(self, file: BinaryIO, name: str, note: Callable[[int], None]) -> None:
        self.name = name
        self._file, self._note = file, note

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self._note(len(data))
        return data


def _report_on(steps: Iterable[MergeStep], asked: int, on_progress: OnTraining) -> None:
    reported = time.monotonic()
    for step in steps:
        if time.monotonic() - reported > TELL_EVERY_SECONDS:
            reported = time.monotonic()
            on_progress(TrainingProgress("merging", step.rank + 1, asked))
