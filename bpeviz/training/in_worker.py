"""Training in a worker, so that a server can answer other visitors meanwhile.

The request is a text, files or counts; the answer is the training result, as numbers and short texts.
"""

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import structs

from bpeviz.core.spelled_vocabulary import SpelledVocabulary
from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.errors import TrainingProcessError
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.text.utf8 import check_text
from bpeviz.tokenizer.parts import TokenizerParts
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.recipes import Recipe
from bpeviz.training.result import MergeStep, TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.start import SpelledCorpus, Start, begin_with
from bpeviz.training.text_training import (
    OnTraining,
    Source,
    TrainingProgress,
    UncountedFiles,
    UncountedText,
    cut_by,
    train_text,
)
from bpeviz.workers import workers
from bpeviz.workers.task import Task, WorkerError, why_it_ended
from bpeviz.workers.turns import Turns

__all__ = ["MOST_HERE", "TRAIN", "train_here", "train_in_worker"]

#: How many trainings run at the same time in this process. Its threads can't compute at the same time, so
#: more would only slow all pages.
MOST_HERE = 1
_turns_here = Turns(MOST_HERE, spare=0)


class _Request(msgspec.Struct, frozen=True):
    """A training on a text, on ``files``, on the counts of pre-tokens, or a training to continue (``made``).
    ``split`` includes the pattern's timeout, which the settings lack. ``start`` is the tokenizer to begin
    with, which the settings lack here; ``spelled`` and ``tokens`` are those of a SpelledVocabulary."""

    split: SplitPattern
    settings: TrainingSettings
    source: str | dict[str, int] = ""
    files: CorpusFiles | None = None
    made: "_Result | None" = None
    start: TokenizerParts | None = None
    spelled: dict[str, tuple[int, ...]] | None = None
    tokens: dict[int, bytes] = {}


class _Result(msgspec.Struct, frozen=True):
    """A training result. ``merges`` holds the left id, right id and token id of each merge in order;
    ``figures`` its count, its number of tied pairs, and the token total after it."""

    counts: dict[str, int]
    split: SplitPattern
    recipe: Recipe
    special_tokens: tuple[str, ...]
    stop_reason: str
    tokens: tuple[bytes, ...]
    merges: npt.NDArray[np.int32]
    figures: npt.NDArray[np.int64]
    symbol_gap_ranks: npt.NDArray[Any]
    pre_tokens: npt.NDArray[Any]


def train_here(source: Source, settings: TrainingSettings, on_progress: OnTraining) -> TrainingResult:
    """Train as ``train_text`` does, in this process, when no other training runs in it. ``on_progress`` is
    also called several times a second during the wait, and what it raises ends the wait."""
    waiting = TrainingProgress("waiting", 0, settings.num_merges)
    with _turns_here.turn(lambda: on_progress(waiting)):
        return train_text(source, settings, on_progress)


def train_in_worker(source: Source, settings: TrainingSettings, on_progress: OnTraining) -> TrainingResult:
    """Train as ``train_text`` does, in a worker.

    ``on_progress`` is called several times a second, even if there is no news; what it raises ends the worker
    at once. Raises what ``train_text`` raises, and TrainingProcessError if no worker can start or if it ends
    early.
    """
    source = cut_by(source, settings)
    if isinstance(source, UncountedText):
        check_text(source.text)
    waiting, now = (TrainingProgress(phase, 0, settings.num_merges) for phase in ("waiting", "starting"))

    def told(progress: TrainingProgress) -> None:
        nonlocal now
        now = progress
        on_progress(now)

    def wait(queued: bool) -> None:
        on_progress(waiting if queued else now)

    try:
        message = workers().run(TRAIN, _request_of(source, settings), None, wait, told)
    except WorkerError as error:
        why, _ = why_it_ended(error.why, "The training", "")
        raise TrainingProcessError(
            f"{why}. Train again, or take a smaller text. Nothing else changed."
        ) from None
    start = settings.start.tokenizer if settings.start else None
    corpus = source.corpus if isinstance(source, TrainingResult) else source
    result = _result_of(message, start, corpus if isinstance(corpus, SpelledCorpus) else None)
    return replace(result, choices=settings.choices) if start else result


def _work(request: _Request, tell: OnTraining) -> _Result:
    # the pipeline of a start has spelled the text already, so it isn't needed here
    tokenizer = request.start.tokenizer(isolated=True) if request.start else None
    settings = replace(request.settings, start=Start("", "", tokenizer) if tokenizer else None)
    return _message_of(train_text(_source_of(request, tokenizer), settings, tell))


TRAIN = Task("bpeviz.training.in_worker:TRAIN", _Request, _Result, _work, event=TrainingProgress, kind="long")


def _request_of(source: Source, settings: TrainingSettings) -> _Request:
    split = source.split
    start = TokenizerParts.of(settings.start.tokenizer) if settings.start else None
    settings = replace(settings, start=None)
    corpus = source.corpus if isinstance(source, TrainingResult) else source
    base = corpus.base if isinstance(corpus, SpelledCorpus) else None
    spelled, tokens = (dict(base.spelled), dict(base.tokens)) if base else (None, {})
    request = _Request(split, settings, start=start, spelled=spelled, tokens=tokens)
    match source:
        case UncountedText():
            return structs.replace(request, source=source.text)
        case UncountedFiles():
            return structs.replace(request, files=source.files)
        case Corpus():
            return structs.replace(request, source=dict(source.counts))
        case TrainingResult():
            return structs.replace(request, made=_message_of(source))


def _source_of(request: _Request, start: Tokenizer | None) -> Source:
    base = None
    if start is not None and request.spelled is not None:
        base = SpelledVocabulary(start.base, request.spelled, request.tokens)
    if request.made is not None:
        spelled = SpelledCorpus(request.made.counts, request.split, base) if base else None
        return _result_of(request.made, start, spelled)
    if request.files is not None:
        return UncountedFiles(request.files, request.split)
    if isinstance(request.source, str):
        return UncountedText(request.source, request.split)
    if base is not None:
        return SpelledCorpus(request.source, request.split, base)
    return Corpus.from_counts(request.source, request.split)


def _message_of(result: TrainingResult) -> _Result:
    merges = [(*step.pair, step.token_id) for step in result.steps]
    figures = [(step.count, step.tied, step.token_total) for step in result.steps]
    return _Result(
        counts=dict(result.corpus.counts),
        split=result.split,
        recipe=result.recipe,
        special_tokens=result.special_tokens,
        stop_reason=result.stop_reason,
        tokens=result.tokens,
        merges=np.array(merges, np.int32).reshape(-1, 3),
        figures=np.array(figures, np.int64).reshape(-1, 3),
        symbol_gap_ranks=result.symbol_gap_ranks,
        pre_tokens=result.pre_tokens,
    )


def _result_of(
    message: _Result, start: Tokenizer | None, spelled: SpelledCorpus | None = None
) -> TrainingResult:
    corpus: Corpus = spelled or Corpus.from_counts(message.counts, message.split)
    if start is None:
        base = message.recipe.base_vocabulary(corpus, message.special_tokens)
    else:
        corpus, base = begin_with(start, corpus)
    rows = zip(message.merges.tolist(), message.figures.tolist(), strict=True)
    return TrainingResult(
        corpus=corpus,
        recipe=message.recipe,
        special_tokens=message.special_tokens,
        base=base,
        steps=tuple(
            MergeStep(rank, (left, right), token_id, message.tokens[token_id], *figures)
            for rank, ((left, right, token_id), figures) in enumerate(rows)
        ),
        stop_reason=message.stop_reason,
        tokens=message.tokens,
        symbol_gap_ranks=message.symbol_gap_ranks,
        pre_tokens=message.pre_tokens,
        start=start,
    )
