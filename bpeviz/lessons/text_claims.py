"""Claims about a text, and what tokenizers make of it."""

from itertools import pairwise
from typing import ClassVar

from bpeviz.lessons.claim import Claim, ClaimedLesson, Name, OfText, Value, listed
from bpeviz.tokenizer.encoding import encode_step_by_step
from bpeviz.tokenizer.other_cuts import fewest_tokens

__all__ = ["Bytes", "Characters", "Encoded", "Id", "Ids", "Occurs", "Pieces", "Shortest", "ShortestPieces"]


class Bytes(OfText, frozen=True, kw_only=True, tag="bytes"):
    """How many bytes a text has in UTF-8."""

    def compute(self, lesson: ClaimedLesson) -> int:
        return sum(len(text.encode("utf-8")) for text in lesson.texts(self))


class Characters(OfText, frozen=True, kw_only=True, tag="characters"):
    """How many characters a text has."""

    def compute(self, lesson: ClaimedLesson) -> int:
        return sum(map(len, lesson.texts(self)))


class Occurs(OfText, frozen=True, kw_only=True, tag="occurs"):
    """How often a ``part`` occurs in a text, without overlaps."""

    part: str

    def compute(self, lesson: ClaimedLesson) -> int:
        return lesson.text(self).count(self.part)


class Pieces(OfText, frozen=True, kw_only=True, tag="pieces"):
    """The tokens that a text is; ``special``: special tokens in it are found."""

    by: Name = ""
    special: bool = False

    def compute(self, lesson: ClaimedLesson) -> Value:
        return self.pieces(lesson)

    def pieces(self, lesson: ClaimedLesson) -> tuple[bytes, ...]:
        tokenizer = lesson.tokenizer(self.by)
        special = "all" if self.special else ()
        encoded = (tokenizer.encode(text, allowed_special=special) for text in lesson.texts(self))
        return tuple(tokenizer.token_bytes(token_id) for ids in encoded for token_id in ids)


class Encoded(Pieces, frozen=True, kw_only=True, tag="encoded"):
    """How many tokens a text is."""

    def compute(self, lesson: ClaimedLesson) -> Value:
        return len(self.pieces(lesson))


class Ids(OfText, frozen=True, kw_only=True, tag="ids"):
    """The ids of the tokens that a text is, with commas."""

    by: Name = ""

    def compute(self, lesson: ClaimedLesson) -> str:
        return listed(lesson.tokenizer(self.by).encode(lesson.text(self)))


class Id(Claim, frozen=True, kw_only=True, tag="id"):
    """The id of a token."""

    grouped: ClassVar[bool] = False

    by: Name = ""
    token: str

    def compute(self, lesson: ClaimedLesson) -> int:
        token_id = lesson.tokenizer(self.by).token_to_id(self.token)
        if token_id is None:
            raise LookupError(f"there is no token {self.token!r}")
        return token_id


class ShortestPieces(OfText, frozen=True, kw_only=True, tag="shortest-pieces"):
    """The tokens of one of the shortest ways to spell a text."""

    by: Name = ""

    def compute(self, lesson: ClaimedLesson) -> Value:
        return self.pieces(lesson)

    def pieces(self, lesson: ClaimedLesson) -> tuple[bytes, ...]:
        tokenizer, text = lesson.tokenizer(self.by), lesson.text(self)
        cuts = fewest_tokens(tokenizer, encode_step_by_step(tokenizer, text))
        data = text.encode("utf-8")
        return tuple(data[start:end] for cut in cuts for start, end in pairwise(cut))


class Shortest(ShortestPieces, frozen=True, kw_only=True, tag="shortest"):
    """The fewest tokens of a vocabulary that spell a text."""

    def compute(self, lesson: ClaimedLesson) -> Value:
        return len(self.pieces(lesson))
