"""Pipelines of ``tokenizers``: added tokens, normalizer, pre-tokenizer, and a model without merges."""

import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from bpeviz.cached import cached_property
from bpeviz.decoders import msgpack_decoder
from bpeviz.pipelines.definitions import LEFT_OUT_ID, HuggingFaceDefinition
from bpeviz.pipelines.symbols import FoundSymbols
from bpeviz.text.characters import byte_offsets, length_of_character
from bpeviz.text.library import encode, load, normalizer_of, splitter_of

__all__ = ["HuggingFacePipeline"]


#: A token and its id for a character that a model writes as the tokens of its bytes. No text has U+FFFF.
IN_BYTES, BYTES_ID = "\uffffbytes\uffff", -2


class HuggingFacePipeline:
    """A pipeline of ``tokenizers`` in this process."""

    def __init__(self, definition: bytes, token_texts: Mapping[int, str]) -> None:
        self._definition: HuggingFaceDefinition = msgpack_decoder(HuggingFaceDefinition).decode(definition)
        self._token_texts = token_texts
        self._file: dict[str, Any] = json.loads(self._definition.file)
        self._variant = lru_cache(maxsize=4)(self._make_variant)
        self._normalize = normalizer_of(self._file["normalizer"])

    def find(self, text: str, added: Collection[str]) -> FoundSymbols:
        """Return the symbols of a text; of the added tokens, only ``added`` are found in it. The library
        reads the others as text, and finds nothing inside them."""
        ids, spans, words = self._encode(text, added, whole=False)
        if self._marked_bytes is not None:
            spans = self._spans_of_bytes(text, added, ids, spans)
        wholes = np.zeros(0, np.int32)
        if self._definition.wholes:
            ids, spans, words, wholes = self._with_wholes(text, added, ids, spans, words)
        at = byte_offsets(text)
        starts, ends = at[np.minimum(spans, len(at) - 1)].T
        return FoundSymbols(ids, starts, ends, words, wholes)

    def _encode(
        self, text: str, added: Collection[str], *, whole: bool, in_bytes: bool = True
    ) -> tuple[Any, Any, Any]:
        """Return the id of each token, its characters, and the number of its pre-token. Not ``in_bytes``, a
        character without a token is one BYTES_ID, not a token for each byte."""
        library, ids = self._variant(frozenset(added), whole=whole, in_bytes=in_bytes)
        numbers, spans, words = encode(library, text)
        found = ids[numbers]
        kept = found != LEFT_OUT_ID
        return found[kept], spans[kept], words[kept]

    @cached_property
    def _marked_bytes(self) -> Mapping[int, int] | None:
        """The byte that each token stands for, by id, if a model writes characters in bytes with its prefix
        or suffix: the library then counts these as text, and its places are wrong. None for all other
        models."""
        model, ids = self._file["model"], self._definition.ids
        marked = model.get("continuing_subword_prefix") or model.get("end_of_word_suffix")
        if not (model.get("byte_fallback") and marked and ids):
            return None
        texts = {f"<0x{byte:02X}>": byte for byte in range(256)}
        return {ids[number]: texts[text] for text, number in model["vocab"].items() if text in texts}

    def _spans_of_bytes(self, text: str, added: Collection[str], ids: Any, spans: Any) -> Any:
        """Return the characters of each symbol, where bytes stand for a character with its prefix and suffix.

        They are those of the library with one unknown token for each such character. If a byte has no token,
        it is not known which characters are in bytes: then the places are only put in order.
        """
        if self._marked_bytes is None or len(self._marked_bytes) < 256:
            return np.maximum.accumulate(spans)
        model = self._file["model"]
        before = len((model.get("continuing_subword_prefix") or "").encode())
        after = len((model.get("end_of_word_suffix") or "").encode())
        numbers, spans, numbered = self._encode(text, added, whole=False, in_bytes=False)
        changes = numbered[1:] != numbered[:-1]
        first, last = np.r_[True, changes], np.r_[changes, True]
        found: list[tuple[int, int]] = []
        for i, (start, end) in enumerate(spans.tolist()):
            if numbers[i] != BYTES_ID:
                found.append((start, end))
                continue
            found += [(start, start)] * (0 if first[i] else before)
            found += [(start, end)] * length_of_character(self._marked_bytes[int(ids[len(found)])])
            found += [(end, end)] * (after if last[i] else 0)
        return np.array(found, np.int64).reshape(-1, 2)

    def _with_wholes(
        self, text: str, added: Collection[str], ids: Any, spans: Any, words: Any
    ) -> tuple[Any, Any, Any, Any]:
        """Return the same with the tokens of pre-tokens that have no symbol at all; and for each pre-token
        the id of the token that replaces all of it, or -1."""
        more_ids, more_spans, more_words = self._encode(text, added, whole=True)
        new = ~np.isin(more_words, words)
        order = np.argsort(np.r_[words, more_words[new]], kind="stable")
        ids, spans = np.r_[ids, more_ids[new]][order], np.r_[spans, more_spans[new]][order]
        words = np.r_[words, more_words[new]][order]
        numbers, tokens = np.unique(more_words, return_counts=True)
        is_whole = np.isin(more_ids, list(self._definition.wholes.values()))
        alone = is_whole & (tokens[np.searchsorted(numbers, more_words)] == 1)
        each = np.unique(words)
        wholes = np.full(len(each), -1, np.int32)
        wholes[np.searchsorted(each, more_words[alone])] = more_ids[alone]
        return ids, spans, words, wholes

    def pre_token_total(self, text: str) -> int:
        """Return how many pre-tokens a text is."""
        return self._count(text)

    @cached_property
    def _count(self) -> Callable[[str], int]:
        return splitter_of(self._file["normalizer"], self._file["pre_tokenizer"])

    def leaves_nothing(self, part: str) -> bool:
        """Return whether normalization leaves nothing of a part of a text."""
        return not self._normalize(part)

    def decode(self, ids: list[int]) -> str:
        """Return the text that ids spell, by the decoder of the file."""
        if not ids:
            return ""  # the library panics: CLIP's decoder strips the last character of nothing
        library, number_of = self._decoding
        return str(library.decode([number_of[i] for i in ids], skip_special_tokens=False))

    @cached_property
    def _decoding(self) -> tuple[Tokenizer, Mapping[int, int]]:
        """The library's tokenizer to decode with, and the number that each id has in it."""
        tokens, added = self._file["added_tokens"], self._definition.added
        # the library writes these itself: normalized, if it searches for them in normalized text
        searched = {added[token["content"]] for token in tokens if token["content"]}
        texts = {**self._token_texts, **{token_id: content for content, token_id in added.items()}}
        texts = {token_id: text for token_id, text in texts.items() if token_id not in searched}
        vocab = {text: number for number, text in enumerate(dict.fromkeys(["", *texts.values()]))}
        library, numbers = load(
            {
                "normalizer": self._file["normalizer"],
                "pre_tokenizer": None,
                "added_tokens": tokens,
                "decoder": json.loads(self._definition.decoder),
                "model": {"type": "WordLevel", "vocab": vocab, "unk_token": ""},
            }
        )
        number_of = {token_id: vocab[text] for token_id, text in texts.items()}
        return library, number_of | {added[content]: number for content, number in numbers.items()}

    def _make_variant(
        self, added: frozenset[str], *, whole: bool, in_bytes: bool = True
    ) -> tuple[Tokenizer, Any]:
        """Return the library's tokenizer that finds the ``added`` tokens, and the ids of its tokens."""
        file = self._file | {
            "added_tokens": [
                token | {"special": token["content"] not in added} for token in self._file["added_tokens"]
            ],
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
        if not in_bytes:
            vocab = file["model"]["vocab"] | {IN_BYTES: len(ids)}
            own = {"byte_fallback": False, "unk_token": IN_BYTES, "fuse_unk": False, "vocab": vocab}
            file["model"] = file["model"] | own
            ids.append(BYTES_ID)
        library, numbers = load(file)
        with suppress(AttributeError):  # 1.0.0rc3 lacks it, and doesn't say places either
            library.encode_special_tokens = True
        known = np.arange(len(file["model"]["vocab"]) + len(numbers), dtype=np.int32)
        known[: len(ids)] = ids
        for content, number in numbers.items():
            known[number] = self._definition.added[content]
        return library, known
