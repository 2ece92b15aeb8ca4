"""What a claim is: a figure of a lesson, by what it is, and how it is computed.

    [claims]
    start = { of = "tokens", step = 0 }          # "The text has {start} tokens."

No figure in a caption is typed by hand. A claim names a run of its lesson, or the first one if it names none.
``by`` is a run of the lesson or a built-in tokenizer, such as gpt2. The claims are in
measured_claims.py and claims.py.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Protocol

from msgspec import Meta, Struct

from bpeviz.runs.run import Run
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["Claim", "ClaimedLesson", "Name", "OfText", "Text", "Value", "Whole", "listed"]

Whole = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(max_length=60)]
#: A figure, a name, or tokens by their bytes.
Value = int | float | str | tuple[bytes, ...]


class ClaimedLesson(Protocol):
    """What claims ask a lesson for: see bpeviz.lessons.prepared."""

    @property
    def claims(self) -> Mapping[str, "Claim"]: ...
    def run(self, name: str) -> Run: ...
    def tokenizer(self, by: str) -> Tokenizer: ...
    def text(self, source: "OfText") -> str: ...
    def texts(self, source: "OfText") -> tuple[str, ...]: ...


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of"):
    """A figure of a lesson: ``between`` stands between its tokens, and ``grouped`` is whether its number has
    commas."""

    between: ClassVar[str] = " "
    grouped: ClassVar[bool] = True

    def compute(self, lesson: ClaimedLesson) -> Value:
        """Return the value. Raises BpevizError, LookupError, ValueError or ZeroDivisionError."""
        raise NotImplementedError


class Text(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text: written out, or ``texts`` apart, or the name of a ``sample``, or the sentences of the parallel
    sample in a ``language`` (its code)."""

    text: str = ""
    texts: tuple[str, ...] = ()
    sample: Name = ""
    language: Name = ""


class OfText(Text, Claim, frozen=True, kw_only=True):
    """A claim about a text: the one given, or the text of ``run``."""

    run: Name = ""


def listed(ids: Sequence[int]) -> str:
    """Return ids with commas between them."""
    return ", ".join(map(str, ids))
