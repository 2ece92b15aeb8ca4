"""The real libraries behind one face: what ``tokenizers``, ``tiktoken`` and ``sentencepiece`` make of texts.

A ``Library`` encodes texts and decodes ids. An ``Encoded`` has the ids and where tokens end. The ends are
offsets in characters; an end inside a character is left out. After a token some characters may belong to no
token, such as white space that is dropped, so an end is a range.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import sentencepiece
import tiktoken
import tokenizers

__all__ = ["Encoded", "HuggingFace", "Library", "SentencePiece", "Tiktoken", "character_ends"]


@dataclass(frozen=True)
class Encoded:
    """The ``ids`` of a text, and the first and last offset at which each token may end, ascending; None if
    the library doesn't say."""

    ids: list[int]
    ends: list[tuple[int, int]] | None


class Library(Protocol):
    """A tokenizer of a real library."""

    def encode_all(self, texts: Sequence[str]) -> list[Encoded]: ...
    def decode(self, ids: list[int]) -> str: ...


def character_ends(text: str, byte_ends: Iterable[int]) -> list[int]:
    """The offsets in characters of those offsets in UTF-8 that are not inside a character."""
    offset_of = {end: i for i, end in enumerate(accumulate((len(c.encode()) for c in text), initial=0))}
    return [offset_of[end] for end in byte_ends if end in offset_of]


def _ends_of_spans(spans: Sequence[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Where tokens end, from where each begins and ends.

    Spans overlap where several tokens share a character; there is no end between them. The library counts
    beyond the text if a model falls back to the bytes of its suffix, which is not in the text.
    """
    if not spans:
        return []
    spans = [(min(start, length), min(end, length)) for start, end in spans]
    ends = list(accumulate((end for _, end in spans), max))
    starts = list(accumulate((start for start, _ in reversed(spans)), min))[::-1]
    between = zip(ends, [*starts[1:], length], strict=True)
    found = [(end, next_start) for end, next_start in between if 0 < end <= next_start]
    # tokens of no width end where the one before them does
    return [one for one, after in pairwise([*found, None]) if after is None or one[0] != after[0]]


@dataclass(frozen=True)
class HuggingFace:
    """A tokenizer.json in ``tokenizers``, without the post-processor, which adds tokens and trims offsets.

    With ``special_as_text`` special tokens are plain text, but not the other added tokens.
    """

    tokenizer: tokenizers.Tokenizer
    special_as_text: bool = False

    @classmethod
    def of(cls, file: bytes, *, special_as_text: bool = False) -> "HuggingFace":
        """The tokenizer of a file."""
        with TemporaryDirectory() as folder:  # 1.0.0rc3 reads no string
            path = Path(folder, "tokenizer.json")
            path.write_text(json.dumps(json.loads(file) | {"post_processor": None}), "utf-8")
            return cls(tokenizers.Tokenizer.from_file(str(path)), special_as_text)

    def encode_all(self, texts: Sequence[str]) -> list[Encoded]:
        options = {"add_special_tokens": False}
        if hasattr(self.tokenizer, "encode_special_tokens"):
            self.tokenizer.encode_special_tokens = self.special_as_text
        else:  # 1.0.0rc3
            options["encode_special_tokens"] = self.special_as_text
        encodings = self.tokenizer.encode_batch(list(texts), **options)
        return [
            Encoded(e.ids, _ends_of_spans(e.offsets, len(text)) if hasattr(e, "offsets") else None)
            for text, e in zip(texts, encodings, strict=True)
        ]

    def decode(self, ids: list[int]) -> str:
        # without an id the library panics on CLIP's decoder
        return self.tokenizer.decode(ids, skip_special_tokens=False) if ids else ""


@dataclass(frozen=True)
class Tiktoken:
    """An encoding of tiktoken.

    ``special``: whether it finds special tokens in the text. ``first_id`` is added to every id: in tekken the
    first ids are those of the special tokens.
    """

    encoding: tiktoken.Encoding
    special: bool = False
    first_id: int = 0

    def encode_all(self, texts: Sequence[str]) -> list[Encoded]:
        return [self._encode(text) for text in texts]

    def _encode(self, text: str) -> Encoded:
        ids = (
            self.encoding.encode(text, allowed_special="all")
            if self.special
            else self.encoding.encode_ordinary(text)
        )
        byte_ends = accumulate(map(len, self.encoding.decode_tokens_bytes(ids)))
        return Encoded([i + self.first_id for i in ids], [(e, e) for e in character_ends(text, byte_ends)])

    def decode(self, ids: list[int]) -> str:
        return self.encoding.decode([i - self.first_id for i in ids])


@dataclass(frozen=True)
class SentencePiece:
    """A .model of SentencePiece."""

    processor: sentencepiece.SentencePieceProcessor

    @classmethod
    def of(cls, file: bytes) -> "SentencePiece":
        return cls(sentencepiece.SentencePieceProcessor(model_proto=file))

    def encode_all(self, texts: Sequence[str]) -> list[Encoded]:
        return [self._encode(text) for text in texts]

    def _encode(self, text: str) -> Encoded:
        pieces = self.processor.encode(text, return_type="proto").pieces
        ends = _ends_of_spans([(piece.begin, piece.end) for piece in pieces], len(text.encode()))
        firsts, lasts = zip(*ends, strict=True) if ends else ((), ())
        in_characters = zip(character_ends(text, firsts), character_ends(text, lasts), strict=True)
        return Encoded([piece.id for piece in pieces], list(in_characters))

    def decode(self, ids: list[int]) -> str:
        return self.processor.decode(ids)
