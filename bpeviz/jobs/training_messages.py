"""Messages between the process that asks for a training and the one that trains."""

from typing import IO

import msgspec
import numpy as np

from bpeviz.base_error import BpevizError
from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.processes.messages import Array, Failure, read_message, write_message
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.training.merge_step import MergeStep
from bpeviz.training.recipes import Recipe
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.text_training import Source, TrainingProgress, UncountedFiles, UncountedText

__all__ = ["Answer", "read_answer", "read_request", "write_answer", "write_request"]

#: What the process that trains sends: progress several times, then a result or an error.
Answer = TrainingProgress | TrainingResult | BpevizError


class _Request(msgspec.Struct, frozen=True):
    """A training on a text, on ``files``, on the counts of pre-tokens, or a training to continue (``made``).
    ``split`` includes the pattern's timeout, which the settings lack."""

    split: SplitPattern
    settings: TrainingSettings
    source: str | dict[str, int] = ""
    files: CorpusFiles | None = None
    made: "_Result | None" = None


class _Progress(msgspec.Struct, frozen=True, tag="progress"):
    now: TrainingProgress


class _Result(msgspec.Struct, frozen=True, tag="result"):
    """A training result. ``merges`` holds the left id, right id and token id of each merge in order;
    ``figures`` its count, its number of tied pairs, and the token total after it."""

    counts: dict[str, int]
    split: SplitPattern
    recipe: Recipe
    special_tokens: tuple[str, ...]
    stop_reason: str
    tokens: tuple[bytes, ...]
    merges: Array
    figures: Array
    symbol_gap_ranks: Array
    pre_tokens: Array


def write_request(source: Source, settings: TrainingSettings, pipe: IO[bytes]) -> None:
    """Send a request for a training."""
    split = source.split
    match source:
        case UncountedText():
            request = _Request(split, settings, source.text)
        case UncountedFiles():
            request = _Request(split, settings, files=source.files)
        case Corpus():
            request = _Request(split, settings, dict(source.counts))
        case TrainingResult():
            request = _Request(split, settings, made=_message_of(source))
    write_message(request, pipe)


def read_request(pipe: IO[bytes]) -> tuple[Source, TrainingSettings]:
    """The next request for a training."""
    request: _Request = read_message(pipe, _Request)
    if request.made is not None:
        return _result_of(request.made), request.settings
    if request.files is not None:
        return UncountedFiles(request.files, request.split), request.settings
    if isinstance(request.source, str):
        return UncountedText(request.source, request.split), request.settings
    return Corpus.from_counts(request.source, request.split), request.settings


def write_answer(answer: Answer, pipe: IO[bytes]) -> None:
    """Send progress, the result, or the error."""
    match answer:
        case TrainingProgress():
            write_message(_Progress(answer), pipe)
        case BpevizError():
            write_message(Failure.of(answer), pipe)
        case TrainingResult():
            write_message(_message_of(answer), pipe)


def read_answer(pipe: IO[bytes]) -> Answer:
    """The next answer of the process that trains. Raises EOFError, ValueError, OSError."""
    message: _Progress | _Result | Failure = read_message(pipe, _Progress | _Result | Failure)
    match message:
        case _Progress():
            return message.now
        case _Result():
            return _result_of(message)
        case Failure():
            return message.error()


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
        merges=Array.of(np.array(merges, np.int32).ravel()),
        figures=Array.of(np.array(figures, np.int64).ravel()),
        symbol_gap_ranks=Array.of(result.symbol_gap_ranks),
        pre_tokens=Array.of(result.pre_tokens),
    )


def _result_of(message: _Result) -> TrainingResult:
    corpus = Corpus.from_counts(message.counts, message.split)
    rows = zip(
        message.merges.array().reshape(-1, 3).tolist(),
        message.figures.array().reshape(-1, 3).tolist(),
        strict=True,
    )
    return TrainingResult(
        corpus=corpus,
        recipe=message.recipe,
        special_tokens=message.special_tokens,
        base=message.recipe.base_vocabulary(corpus, message.special_tokens),
        steps=tuple(
            MergeStep(rank, (left, right), token_id, message.tokens[token_id], *figures)
            for rank, ((left, right, token_id), figures) in enumerate(rows)
        ),
        stop_reason=message.stop_reason,
        tokens=message.tokens,
        symbol_gap_ranks=message.symbol_gap_ranks.array(),
        pre_tokens=message.pre_tokens.array(),
    )
