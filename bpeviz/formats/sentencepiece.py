"""SentencePiece's .model: a protobuf message with pieces, their scores, and how the text is normalized.

    pieces {"▁t": -2.0, "in": -3.0, …}      the higher its score, the earlier a piece is merged
    trainer_spec, normalizer_spec           model type, byte fallback, ▁ before the text, …

``sentencepiece`` itself normalizes the text and finds the base symbols (see bpeviz.pipelines). A model of
type BPE names no merges: they follow from the scores, as those of ranks do (mergeable_ranks). Models of any
other type have no merges: their pieces are symbols that never merge. Control pieces such as <s> are special
tokens; the library never finds them in a text.
"""

from typing import Any

from bpeviz.core.base_vocabulary import ListedVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.errors import PipelineError
from bpeviz.formats.bounds import check_lengths, check_special_tokens, check_total
from bpeviz.formats.detect import Found
from bpeviz.formats.mergeable_ranks import all_halves
from bpeviz.formats.source import FaultError, shown
from bpeviz.pipelines.definitions import (
    BYTE,
    CONTROL,
    NORMAL,
    UNUSED,
    USER_DEFINED,
    define_sentencepiece,
)
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.pipelines.running import spell
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["read_sentencepiece"]

_BPE = 2
_SPACE_MARK = "▁"


def read_sentencepiece(file: Found) -> Tokenizer:
    """Return the tokenizer of a .model file. Raises FaultError."""
    model = _parse(file.data)
    pieces = [(str(p.piece), float(p.score), int(p.type)) for p in model.pieces]
    check_total(tokens=len(pieces))
    check_lengths(((p, len(p)) for p, _, _ in pieces), lambda piece: f"the piece {shown(piece)}")
    has_merges = model.trainer_spec.model_type == _BPE and _are_merged(pieces)
    marks = bool(model.normalizer_spec.escape_whitespaces)
    special_tokens = {piece: i for i, (piece, _, kind) in enumerate(pieces) if kind == CONTROL}
    check_special_tokens(special_tokens)
    symbols = {
        i: _bytes_of(piece, kind, marks=marks)
        for i, (piece, _, kind) in enumerate(pieces)
        if kind != CONTROL and (not has_merges or kind != NORMAL or len(piece) == 1)
    }
    pipeline = Pipeline("sentencepiece", define_sentencepiece(file.data, merges=has_merges), symbols, {})
    _check_loads(pipeline)
    return Tokenizer(
        ListedVocabulary(symbols),
        _merges(pieces) if has_merges else [],
        split=get_split_pattern("none"),
        special_tokens=special_tokens,
        pipeline=pipeline,
    )


def _parse(data: bytes) -> Any:
    """Return the message in a file. Raises FaultError."""
    # imported here: only such a file needs them
    from google.protobuf.message import DecodeError
    from sentencepiece import sentencepiece_model_pb2 as messages

    try:
        return vars(messages)["ModelProto"].FromString(data)
    except DecodeError:
        raise FaultError(
            "it starts like a SentencePiece model, but the rest can't be read. It may have been cut off; "
            "copy or download it again."
        ) from None


def _check_loads(pipeline: Pipeline) -> None:
    """Raise FaultError if the library cannot load the model."""
    try:
        spell(pipeline, "a")
    except PipelineError as error:
        raise FaultError(
            f"the sentencepiece library can't load it: {error.said or error.why}. Download the file again."
        ) from None


def _bytes_of(piece: str, kind: int, *, marks: bool) -> bytes:
    """Return the bytes that a piece stands for. ``marks``: whether ▁ stands for a space."""
    if kind == BYTE:
        return bytes([int(piece[3:-1], 16)])
    spaced = piece.replace(_SPACE_MARK, " ") if marks and kind in (NORMAL, USER_DEFINED) else piece
    return spaced.encode("utf-8")


def _are_merged(pieces: list[tuple[str, float, int]]) -> bool:
    """Return whether merges of characters explain all pieces. They don't if a character has no piece, or
    if pieces are unused, which the library takes apart again. Then its own tokens are the symbols."""
    normal = {piece for piece, _, kind in pieces if kind == NORMAL}
    known = {piece for piece in normal if len(piece) == 1}
    return set().union(*normal) <= known and not any(kind == UNUSED for _, _, kind in pieces)


def _merges(pieces: list[tuple[str, float, int]]) -> list[tuple[Pair, int]]:
    """Return the merges by rank, highest score first. A piece that merging its characters does not give has
    none."""
    normal = [i for i, (piece, _, kind) in enumerate(pieces) if kind == NORMAL and piece]
    by_score = sorted(normal, key=lambda i: (len(pieces[i][0]) > 1, -pieces[i][1], i))
    id_of = {pieces[i][0]: i for i in by_score}
    ranks = {pieces[i][0]: rank for rank, i in enumerate(by_score)}
    return [((id_of[left], id_of[right]), id_of[piece]) for piece, (left, right) in all_halves(ranks).items()]
