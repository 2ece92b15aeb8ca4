"""Pipelines of ``sentencepiece``: its normalizer, and a model without merges."""

import json
from collections.abc import Collection
from itertools import groupby
from typing import Any

import numpy as np
import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as messages

from bpeviz.decoders import msgpack_decoder
from bpeviz.pipelines.definitions import BYTE, NORMAL, SentencePieceDefinition
from bpeviz.pipelines.symbols import FoundSymbols
from bpeviz.text.characters import byte_offsets
from bpeviz.text.library import changer_of
from bpeviz.text.special_tokens import SpecialTokenFinder

__all__ = ["SentencePiecePipeline"]

#: Stands for the id of a piece that was dropped.
_DROPPED = -1
_NO_WHOLES = np.zeros(0, np.int32)


class SentencePiecePipeline:
    """A pipeline of ``sentencepiece`` in this process."""

    def __init__(self, definition: bytes) -> None:
        defined: SentencePieceDefinition = msgpack_decoder(SentencePieceDefinition).decode(definition)
        self._merges = defined.merges
        self._whole = _load(defined.model)
        model = _model_proto().FromString(defined.model)
        kept = [
            i
            for i, p in enumerate(model.pieces)
            if p.type != NORMAL or len(p.piece) == 1 or not defined.merges
        ]
        ids = defined.ids or range(len(model.pieces))
        if defined.new_ids:
            ids = [defined.new_ids.get(i, _DROPPED) for i in ids]
        self._place_of = {token_id: place for place, token_id in enumerate(ids)}
        self._added = defined.added
        self._strips_left, self._strips_right = {*defined.strips_left}, {*defined.strips_right}
        self._text_of = {token_id: text for text, token_id in defined.added.items()}
        self._ids = np.array([ids[i] for i in kept], np.int32)
        self._is_byte = np.array([model.pieces[i].type == BYTE for i in kept], np.bool_)
        pieces = [model.pieces[i] for i in kept]
        symbols = _model_proto()()
        symbols.CopyFrom(model)
        del symbols.pieces[:]
        symbols.pieces.extend(pieces)
        self._symbols = _load(symbols.SerializeToString())
        self._change = changer_of(json.loads(defined.normalizer)) if defined.normalizer else None

    def find(self, text: str, added: Collection[str]) -> FoundSymbols:
        """Return the symbols of a text; each part between ``added`` tokens is encoded alone, without the
        spaces that a token drops. Those of the model itself, such as <s>, are never found."""
        wanted = self._added.keys() & added
        if not wanted or not text:
            return self._found(text)
        parts: list[FoundSymbols] = []
        start = word = 0
        cut = ["", *(part for part, _ in SpecialTokenFinder(wanted).cut(text)), ""]
        for before, part, after in zip(cut, cut[1:], cut[2:], strict=False):
            length, dropped = len(part.encode("utf-8")), 0
            if part in wanted:
                here = _one(self._added[part], length)
            else:
                kept = part.lstrip() if before in self._strips_right else part
                dropped = length - len(kept.encode("utf-8"))
                here = self._found(kept.rstrip() if after in self._strips_left else kept)
            at = start + dropped
            parts.append(
                FoundSymbols(here.ids, here.starts + at, here.ends + at, here.words + word, _NO_WHOLES)
            )
            start, word = start + length, int(parts[-1].words.max(initial=word)) + 1
        return FoundSymbols(
            np.concatenate([part.ids for part in parts]),
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.ends for part in parts]),
            np.concatenate([part.words for part in parts]),
            _NO_WHOLES,
        )

    def _found(self, text: str) -> FoundSymbols:
        if self._change is None:
            return self._found_in_model(text)
        changed, characters = self._change(text)
        found, at = self._found_in_model(changed), byte_offsets(text)
        first, last = at[characters].T
        starts = np.r_[first, at[-1]][found.starts]
        ends = np.where(found.ends > found.starts, np.r_[0, last][found.ends], starts)
        return FoundSymbols(found.ids, starts, ends, found.words, found.wholes)

    def _found_in_model(self, text: str) -> FoundSymbols:
        encoded = self._symbols.encode_as_proto(text)
        pieces = encoded.pieces
        found = np.array([p.id for p in pieces], np.int64)
        starts = np.array([p.begin for p in pieces], np.int64)
        ends = np.array([p.end for p in pieces], np.int64)
        _give_to_bytes(self._is_byte[found], starts, ends)
        words = np.zeros(len(found), np.int32) if self._merges else np.arange(len(found), dtype=np.int32)
        return FoundSymbols(self._ids[found], starts, ends, words, _NO_WHOLES)

    def pre_token_total(self, _text: str) -> int:
        """Return how many pre-tokens a text is: this library merges across all of it."""
        return 1

    def leaves_nothing(self, _part: str) -> bool:
        """Return whether normalization leaves nothing of a part of a text. All that a symbol does not
        stand for is lost by normalization, because nothing else removes text."""
        return True

    def decode(self, ids: list[int]) -> str:
        """Return the text that ids spell."""
        parts: list[str] = []
        for is_added, group in groupby(ids, self._text_of.__contains__):
            if is_added:
                parts += map(self._text_of.__getitem__, group)
            else:
                parts.append(str(self._whole.decode([self._place_of[i] for i in group])))
        return "".join(parts)


def _one(token_id: int, length: int) -> FoundSymbols:
    """Return an added token that is a whole part of a text."""
    ids, words = np.array([token_id], np.int32), np.zeros(1, np.int32)
    return FoundSymbols(ids, np.zeros(1, np.int64), np.array([length], np.int64), words, _NO_WHOLES)


def _model_proto() -> Any:
    """Return the class of a model, which protobuf makes when it is imported."""
    return vars(messages)["ModelProto"]


def _load(model: bytes) -> sentencepiece.SentencePieceProcessor:
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(model)
    return processor


def _give_to_bytes(is_byte: "np.ndarray", starts: "np.ndarray", ends: "np.ndarray") -> None:
    """Give the symbols for the bytes of one character its whole range, which the library gives to the last of
    them alone. Changes ``starts`` and ``ends`` in place."""
    for i in np.flatnonzero(is_byte)[::-1].tolist():
        if starts[i] == ends[i] and i + 1 < len(starts) and is_byte[i + 1]:
            starts[i], ends[i] = starts[i + 1], ends[i + 1]
