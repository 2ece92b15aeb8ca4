"""Pipelines of ``sentencepiece``: its normalizer, and a model without merges."""

from collections.abc import Collection
from typing import Any

import numpy as np
import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as messages

from bpeviz.decoders import msgpack_decoder
from bpeviz.pipelines.definitions import BYTE, NORMAL, SentencePieceDefinition
from bpeviz.pipelines.symbols import FoundSymbols

__all__ = ["SentencePiecePipeline"]


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
        self._ids = np.array(kept, np.int32)
        self._is_byte = np.array([model.pieces[i].type == BYTE for i in kept], np.bool_)
        pieces = [model.pieces[i] for i in kept]
        symbols = _model_proto()()
        symbols.CopyFrom(model)
        del symbols.pieces[:]
        symbols.pieces.extend(pieces)
        self._symbols = _load(symbols.SerializeToString())

    def find(self, text: str, _added: Collection[str]) -> FoundSymbols:
        """Return the symbols of a text. A model has no added tokens."""
        encoded = self._symbols.encode_as_proto(text)
        pieces = encoded.pieces
        found = np.array([p.id for p in pieces], np.int64)
        starts = np.array([p.begin for p in pieces], np.int64)
        ends = np.array([p.end for p in pieces], np.int64)
        _give_to_bytes(self._is_byte[found], starts, ends)
        words = np.zeros(len(found), np.int32) if self._merges else np.arange(len(found), dtype=np.int32)
        return FoundSymbols(self._ids[found], starts, ends, words, np.zeros(0, np.int32))

    def leaves_nothing(self, _part: str) -> bool:
        """Return whether normalization leaves nothing of a part of a text. All that a symbol does not
        stand for is lost by normalization, because nothing else removes text."""
        return True

    def decode(self, ids: list[int]) -> str:
        """Return the text that ids spell."""
        return str(self._whole.decode(ids))


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
