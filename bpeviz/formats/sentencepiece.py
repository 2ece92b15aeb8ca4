"""SentencePiece's .model: a protobuf message with pieces, their scores, and how the text is normalized.

    pieces {"▁t": -2.0, "in": -3.0, …}      the higher its score, the earlier a piece is merged
    trainer_spec, normalizer_spec           model type, byte fallback, ▁ before the text, …

``sentencepiece`` itself normalizes the text and finds the base symbols (see bpeviz.pipelines). A model of
type BPE names no merges: they follow from the scores, as those of ranks do (mergeable_ranks). Models of any
other type have no merges: their pieces are symbols that never merge. Control pieces such as <s> are special
tokens; the library never finds them in a text.

A tokenizer of characters is written as such a model:

    0  <unk>   0  UNKNOWN
    1  <s>     0  CONTROL      special tokens; the library does not look for them in a text
    3  ▁       0  NORMAL       characters
    5  ab      0  NORMAL       merges: the score is the negative rank
    6  ▁ab    -1  NORMAL

The library merges any two neighbours that spell a token, the one of the highest score first, the leftmost
among equals. A merge list says which two. Both give the same tokens if each token is what merging its own
text makes, as the reason in ``bpeviz.core.reach`` explains; training always makes such tokens.

The library takes one line at a time. For line feeds, U+0000 and U+001F inside a text it gives <unk>; here
they are not tokens. It also gives <unk> for characters that the vocabulary lacks; here encoding such a text
raises TokenizerError. All other ids are the same.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from bpeviz.core.base_vocabulary import ListedVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.errors import PipelineError
from bpeviz.formats.bounds import check_lengths, check_special_tokens, check_total
from bpeviz.formats.characters import character_texts, same_text_refusal
from bpeviz.formats.detect import Found
from bpeviz.formats.huggingface_writing import not_of_sentencepiece
from bpeviz.formats.mergeable_ranks import all_halves
from bpeviz.formats.source import FaultError, shown
from bpeviz.pipelines.definitions import (
    BYTE,
    CONTROL,
    NORMAL,
    UNUSED,
    USER_DEFINED,
    SentencePieceDefinition,
)
from bpeviz.pipelines.definitions import UNKNOWN as UNKNOWN_PIECE
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.pipelines.running import spell
from bpeviz.text.special_tokens import UNKNOWN
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["Numbering", "pieces_of", "read_sentencepiece", "sentencepiece_refusal", "write_sentencepiece"]


_BPE = 2
_SPACE_MARK = "▁"
_BYTE_PIECE = re.compile("<0x([0-9A-F]{2})>")


@dataclass(frozen=True)
class Numbering:
    """The id of each piece, and the ids of the tokens that are found in a text before the pieces; with those
    of them that drop the spaces before (``strips_left``) and after them, and those that aren't special."""

    ids: Sequence[int]
    added: Mapping[str, int] = field(default_factory=dict)
    strips_left: Sequence[str] = ()
    strips_right: Sequence[str] = ()
    found_always: Collection[str] = ()


def pieces_of(file: Found) -> list[str]:
    """Return the pieces of a .model file in order. Raises FaultError."""
    return [str(piece.piece) for piece in _parse(file.data).pieces]


def read_sentencepiece(file: Found, numbering: Numbering | None = None, *, normalizer: str = "") -> Tokenizer:
    """Return the tokenizer of a .model file, with the ids of the model or others. ``normalizer`` changes the
    text before the model does: the JSON of one of a tokenizer.json. Raises FaultError."""
    model = _parse(file.data)
    pieces = [(str(p.piece), float(p.score), int(p.type)) for p in model.pieces]
    check_total(tokens=len(pieces))
    check_lengths(((p, len(p)) for p, _, _ in pieces), lambda piece: f"the piece {shown(piece)}")
    has_merges = model.trainer_spec.model_type == _BPE and _are_merged(pieces)
    marks = bool(model.normalizer_spec.escape_whitespaces)
    numbering = numbering or Numbering(range(len(pieces)))
    ids, added = numbering.ids, numbering.added
    control = {piece: ids[i] for i, (piece, _, kind) in enumerate(pieces) if kind == CONTROL}
    special_tokens = {**control, **added}
    check_special_tokens(special_tokens)
    symbols = {
        ids[i]: _bytes_of(piece, kind, marks=marks)
        for i, (piece, _, kind) in enumerate(pieces)
        if kind != CONTROL and (not has_merges or kind != NORMAL or len(piece) == 1)
    }
    definition = SentencePieceDefinition(
        file.data,
        has_merges,
        [] if isinstance(ids, range) else list(ids),
        dict(added),
        list(numbering.strips_left),
        list(numbering.strips_right),
        normalizer=normalizer,
    )
    pipeline = Pipeline("sentencepiece", msgspec.msgpack.encode(definition), symbols, {})
    _check_loads(pipeline)
    return Tokenizer(
        ListedVocabulary(
            symbols,
            byte_ids=frozenset(ids[i] for i, p in enumerate(pieces) if p[2] == BYTE),
            unmerged_ids=frozenset(
                ids[i] for i, p in enumerate(pieces) if p[2] in (UNKNOWN_PIECE, USER_DEFINED)
            ),
        ),
        _merges(pieces, ids) if has_merges else [],
        split=get_split_pattern("none"),
        special_tokens=special_tokens,
        found_always=numbering.found_always,
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
    """Return the bytes that a piece stands for. ``marks``: whether ▁ stands for a space. Raises
    FaultError."""
    if kind == BYTE:
        if not (found := _BYTE_PIECE.fullmatch(piece)):
            raise FaultError(
                f"the piece {shown(piece)} stands for a byte, but isn't like <0x0A>. Download the file again."
            )
        return bytes.fromhex(found[1])
    spaced = piece.replace(_SPACE_MARK, " ") if marks and kind in (NORMAL, USER_DEFINED) else piece
    return spaced.encode("utf-8")


def _are_merged(pieces: list[tuple[str, float, int]]) -> bool:
    """Return whether merges of characters explain all pieces. They don't if a character has no piece, or
    if pieces are unused, which the library takes apart again. Then its own tokens are the symbols."""
    normal = {piece for piece, _, kind in pieces if kind == NORMAL}
    known = {piece for piece in normal if len(piece) == 1}
    return set().union(*normal) <= known and not any(kind == UNUSED for _, _, kind in pieces)


def _merges(pieces: list[tuple[str, float, int]], ids: Sequence[int]) -> list[tuple[Pair, int]]:
    """Return the merges by rank, highest score first. A piece that merging its characters does not give has
    none."""
    normal = [i for i, (piece, _, kind) in enumerate(pieces) if kind == NORMAL and piece]
    by_score = sorted(normal, key=lambda i: (len(pieces[i][0]) > 1, -pieces[i][1], i))
    id_of = {pieces[i][0]: ids[i] for i in by_score}
    ranks = {pieces[i][0]: rank for rank, i in enumerate(by_score)}
    return [((id_of[left], id_of[right]), id_of[piece]) for piece, (left, right) in all_halves(ranks).items()]


# --- writing -------------------------------------------------------------------------------------------


def sentencepiece_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as a .model file; empty if it can."""
    return (
        not_of_sentencepiece(tokenizer)
        or _special_refusal(tokenizer)
        or same_text_refusal(tokenizer, tokenizer.special_tokens)
        or _numbering_refusal(tokenizer)
        or _merging_refusal(tokenizer)
    )


def _special_refusal(tokenizer: Tokenizer) -> str:
    if UNKNOWN not in tokenizer.special_tokens:
        return f"it has no special token {UNKNOWN}, which SentencePiece needs."
    for token in tokenizer.special_tokens:
        if "\0" in token:
            return f"its special token {shown(token)} holds U+0000, which SentencePiece does not take."
    return ""


def _numbering_refusal(tokenizer: Tokenizer) -> str:
    if [*tokenizer.vocabulary] != [*range(tokenizer.n_vocab)]:
        return "its ids have gaps. The file holds no ids: SentencePiece numbers the tokens from 0."
    return ""


def _merging_refusal(tokenizer: Tokenizer) -> str:
    """Why the library would merge something else; empty if it merges the same."""
    if len(set(tokenizer.merge_token_ids)) < len(tokenizer.merges):
        return "two of its merges make the same token, and the file has one score for each token."
    texts = character_texts(tokenizer)
    characters = {text for text in texts.values() if len(text) == 1}
    # no merge crosses a line feed
    joined = "\n".join(texts.values())
    if not characters.issuperset(joined.replace("\n", "")) or tokenizer.encode(joined) != [*texts]:
        return "its merges never make one of its tokens, and SentencePiece would."
    return ""


def write_sentencepiece(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the .model file of a tokenizer that sentencepiece_refusal accepts."""
    from sentencepiece import sentencepiece_model_pb2  # 50 milliseconds, which importing bpeviz need not take

    model = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    texts = character_texts(tokenizer)
    rank_of = {token_id: rank for rank, token_id in enumerate(tokenizer.merge_token_ids)}
    special_tokens = {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    for token_id in range(tokenizer.n_vocab):
        piece = model.pieces.add(piece=texts.get(token_id) or special_tokens[token_id])
        piece.score = -rank_of.get(token_id, 0)
        if token_id in special_tokens:
            piece.type = piece.UNKNOWN if piece.piece == UNKNOWN else piece.CONTROL
    settings = model.trainer_spec
    settings.model_type = settings.BPE
    settings.vocab_size = tokenizer.n_vocab
    settings.unk_id = tokenizer.special_tokens[UNKNOWN]
    settings.bos_id = tokenizer.special_tokens.get(settings.bos_piece, -1)
    settings.eos_id = tokenizer.special_tokens.get(settings.eos_piece, -1)
    settings.pad_id = tokenizer.special_tokens.get(settings.pad_piece, -1)
    # the text unchanged, but with ▁ for spaces
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = False
    model.normalizer_spec.remove_extra_whitespaces = False
    return {"tokenizer.model": model.SerializeToString(deterministic=True)}
