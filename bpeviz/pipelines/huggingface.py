"""Pipelines of ``tokenizers``: added tokens, normalizer, pre-tokenizer, and a model without merges."""

import json
from collections.abc import Collection
from functools import lru_cache
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from bpeviz.decoders import msgpack_decoder
from bpeviz.pipelines.huggingface_definition import HuggingFaceDefinition
from bpeviz.pipelines.symbols import FoundSymbols

__all__ = ["HuggingFacePipeline"]


class HuggingFacePipeline:
    """A pipeline of ``tokenizers`` in this process."""

    def __init__(self, definition: bytes) -> None:
        self._definition: HuggingFaceDefinition = msgpack_decoder(HuggingFaceDefinition).decode(definition)
        self._file: dict[str, Any] = json.loads(self._definition.file)
        self._variant = lru_cache(maxsize=4)(self._make_variant)
        self._normalizer = self._variant(frozenset(), whole=False)[0].normalizer

    def find(self, text: str, added: Collection[str]) -> FoundSymbols:
        """The symbols of a text; of the added tokens, only ``added`` are found in it."""
        library, ids = self._variant(frozenset(added), whole=False)
        encoding = library.encode(text, add_special_tokens=False)
        offsets = np.array(encoding.offsets, np.int64).reshape(-1, 2)
        words = np.array([-1 if w is None else w for w in encoding.word_ids], np.int32)
        at = _byte_offsets(text)
        # beyond the text if a model falls back to the bytes of its prefix too, of which there is no text
        offsets = np.minimum(offsets, len(at) - 1)
        found = ids[np.array(encoding.ids, np.int64)]
        wholes = np.zeros(0, np.int32)
        if self._definition.wholes:
            wholes = self._wholes(text, added, words)
        return FoundSymbols(found, at[offsets[:, 0]], at[offsets[:, 1]], _from_zero(words), wholes)

    def _wholes(self, text: str, added: Collection[str], words: "np.ndarray[Any, Any]") -> Any:
        """For each pre-token the id of the token that it is as a whole; -1 for those that are none."""
        library, ids = self._variant(frozenset(added), whole=True)
        encoding = library.encode(text, add_special_tokens=False)
        parts = np.array(encoding.word_ids, np.int64)
        found = ids[np.array(encoding.ids, np.int64)]
        wholes = np.full(int(_from_zero(words)[-1]) + 1 if len(words) else 0, -1, np.int32)
        numbered = _from_zero(parts)
        whole_ids = np.array(sorted(self._definition.wholes.values()), np.int32)
        alone = np.isin(found, whole_ids) & (np.bincount(numbered)[numbered] == 1)
        wholes[numbered[alone]] = found[alone]
        return wholes

    def leaves_nothing(self, part: str) -> bool:
        """Whether normalization leaves nothing of a part of a text."""
        return self._normalizer is not None and not self._normalizer.normalize_str(part)

    def decode(self, tokens: list[str]) -> str:
        """The text that tokens spell, by the decoder of the file."""
        decoder = self._variant(frozenset(), whole=False)[0].decoder
        return str(decoder.decode(tokens)) if decoder is not None else " ".join(tokens)

    def _make_variant(self, added: frozenset[str], *, whole: bool) -> tuple[Tokenizer, Any]:
        """The library's tokenizer that finds the ``added`` tokens, and the ids of its tokens."""
        file = self._file | {
            "added_tokens": [token for token in self._file["added_tokens"] if token["content"] in added],
            "decoder": json.loads(self._definition.decoder),
            "post_processor": None,
            "truncation": None,
            "padding": None,
        }
        ids = list(self._definition.ids)
        if whole:
            wholes = {t: i for t, i in self._definition.wholes.items() if t not in file["model"]["vocab"]}
            vocab = file["model"]["vocab"] | {t: len(ids) + n for n, t in enumerate(wholes)}
            file["model"] = file["model"] | {"vocab": vocab, "ignore_merges": True}
            ids += wholes.values()
        library = Tokenizer.from_str(json.dumps(file, ensure_ascii=False))
        known = np.arange(
            max(library.get_vocab(with_added_tokens=True).values(), default=-1) + 1, dtype=np.int32
        )
        known[: len(ids)] = ids
        for token in file["added_tokens"]:
            known[library.token_to_id(token["content"])] = self._definition.added[token["content"]]
        return library, known


def _from_zero(words: Any) -> Any:
    """The words numbered 0, 1, 2 …: another number begins another word."""
    if not len(words):
        return words.astype(np.int32)
    return np.r_[0, np.cumsum(words[1:] != words[:-1])].astype(np.int32)


def _byte_offsets(text: str) -> Any:
    """How many bytes lie before each character, and before the end."""
    data = np.frombuffer(text.encode("utf-8"), np.uint8)
    return np.append(np.flatnonzero((data & 0xC0) != 0x80), len(data))
