"""Every claim of a lesson: about runs and texts, made of other claims, and figures of notebooks."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from bpeviz.lessons.claim import Claim, ClaimedLesson, Name, Value, listed
from bpeviz.lessons.measured_claims import (
    Bytes,
    Characters,
    Continuations,
    Count,
    Encoded,
    Id,
    Ids,
    Made,
    Merge,
    MergeCount,
    MergeOf,
    Merges,
    Occurs,
    Pieces,
    PreToken,
    Shortest,
    ShortestPieces,
    Tied,
    Tokens,
    Vocabulary,
)

__all__ = ["AnyClaim", "Difference", "Largest", "Printed", "Ratio", "Same", "Smallest"]


class Ratio(Claim, frozen=True, kw_only=True, tag="ratio"):
    """One claim divided by another."""

    over: Name
    under: Name
    decimals: Annotated[int, Meta(ge=0, le=3)] = 1

    def compute(self, lesson: ClaimedLesson) -> float:
        return round(_figure(lesson, self.over) / _figure(lesson, self.under), self.decimals)


class Difference(Claim, frozen=True, kw_only=True, tag="difference"):
    """One claim minus another."""

    more: Name
    less: Name

    def compute(self, lesson: ClaimedLesson) -> int | float:
        return _figure(lesson, self.more) - _figure(lesson, self.less)


class Same(Claim, frozen=True, kw_only=True, tag="same"):
    """Whether two claims have the same value: "the same" or "different"."""

    one: Name
    other: Name

    def compute(self, lesson: ClaimedLesson) -> str:
        one, other = (lesson.claims[name].compute(lesson) for name in (self.one, self.other))
        return "the same" if one == other else "different"


class Largest(Claim, frozen=True, kw_only=True, tag="largest"):
    """The name of the largest of several claims: ``{ Hindi = "hindi_tokens", … }``."""

    among: dict[str, str]

    def compute(self, lesson: ClaimedLesson) -> str:
        return _only(self.among, [_figure(lesson, name) for name in self.among.values()], 1)


class Smallest(Claim, frozen=True, kw_only=True, tag="smallest"):
    """The name of the smallest of several claims."""

    among: dict[str, str]

    def compute(self, lesson: ClaimedLesson) -> str:
        return _only(self.among, [_figure(lesson, name) for name in self.among.values()], -1)


class Printed(Claim, frozen=True, kw_only=True, tag="printed"):
    """A figure that a notebook printed, quoted: its ``notebook`` and the ``key`` of the figure there.

    It is for figures that need the notebook's own text, which is not here. A test compares it with the
    notebook.
    """

    notebook: Name
    key: Name
    value: int | float | tuple[int, ...]

    def compute(self, _lesson: ClaimedLesson) -> Value:
        return self.value if isinstance(self.value, int | float) else listed(self.value)


def _figure(lesson: ClaimedLesson, name: str) -> int | float:
    value = lesson.claims[name].compute(lesson)
    if not isinstance(value, int | float):
        raise ValueError(f"{name} is no number")
    return value


def _only(among: dict[str, str], figures: Sequence[int | float], sign: int) -> str:
    """Return the name of the largest figure, or with sign -1 of the smallest. Raises ValueError if two share
    it."""
    best = max(sign * figure for figure in figures)
    names = [name for name, figure in zip(among, figures, strict=True) if sign * figure == best]
    if len(names) > 1:
        raise ValueError(f"{' and '.join(names)} are equal")
    return names[0]


AnyClaim = (
    Tokens
    | Vocabulary
    | Merges
    | Count
    | Merge
    | Made
    | MergeCount
    | Tied
    | MergeOf
    | PreToken
    | Bytes
    | Characters
    | Occurs
    | Encoded
    | Continuations
    | Pieces
    | Id
    | Ids
    | Shortest
    | ShortestPieces
    | Ratio
    | Difference
    | Same
    | Largest
    | Smallest
    | Printed
)
