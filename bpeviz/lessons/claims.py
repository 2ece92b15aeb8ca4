"""Claims: the figures of a lesson, by what they are. No figure in a caption is typed by hand.

    [claims]
    start = { of = "tokens", step = 0 }          # "The text has {start} tokens."

``computing.py`` computes them. A claim names a run of its lesson, or the first one if it names none. ``by``
is a run of the lesson or a built-in tokenizer, such as gpt2.
"""

from typing import Annotated

from msgspec import Meta, Struct

__all__ = [
    "Bytes",
    "Characters",
    "Claim",
    "Count",
    "Difference",
    "Encoded",
    "Id",
    "Ids",
    "Largest",
    "Made",
    "Merge",
    "MergeCount",
    "MergeOf",
    "Merges",
    "Occurs",
    "Pieces",
    "PreToken",
    "Printed",
    "Ratio",
    "Same",
    "Shortest",
    "ShortestPieces",
    "Smallest",
    "Text",
    "Tied",
    "Tokens",
    "Vocabulary",
]

Whole = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(max_length=60)]


class Text(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text: written out, or ``texts`` apart, or the name of a ``sample``, or the sentences of the parallel
    sample in a ``language`` (its code)."""

    text: str = ""
    texts: tuple[str, ...] = ()
    sample: Name = ""
    language: Name = ""


class OfText(Text, frozen=True, kw_only=True):
    """A claim about a text: the one given, or the text of ``run``."""

    run: Name = ""


class OfStep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A claim about a run after ``step`` merges; without a step, after all."""

    run: Name = ""
    step: Whole | None = None


class OfMerge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A claim about one merge of a run, counted from 1."""

    run: Name = ""
    merge: Annotated[int, Meta(ge=1, le=1_000_000)]


class Tokens(OfStep, frozen=True, kw_only=True, tag_field="of", tag="tokens"):
    """How many tokens the text of a run has."""


class Vocabulary(OfStep, frozen=True, kw_only=True, tag_field="of", tag="vocabulary"):
    """How many tokens the vocabulary of a run has; with ``by``, that of a built-in tokenizer."""

    by: Name = ""


class Merges(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of", tag="merges"):
    """How many merges a run has."""

    run: Name = ""


class Count(OfStep, frozen=True, kw_only=True, tag_field="of", tag="count"):
    """How often a pair occurs, overlaps included."""

    pair: tuple[str, str]


class Merge(OfMerge, frozen=True, kw_only=True, tag_field="of", tag="merge"):
    """The pair of a merge: ``a + b``."""


class Made(OfMerge, frozen=True, kw_only=True, tag_field="of", tag="made"):
    """The token that a merge makes."""


class MergeCount(OfMerge, frozen=True, kw_only=True, tag_field="of", tag="merge-count"):
    """How often the pair of a merge occurred."""


class Tied(OfMerge, frozen=True, kw_only=True, tag_field="of", tag="tied"):
    """How many pairs shared the highest count at a merge."""


class MergeOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of", tag="merge-of"):
    """The number of the merge that makes a token."""

    run: Name = ""
    token: str


class PreToken(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of", tag="pre-token"
):
    """How often a pre-token occurs in the text of a run."""

    run: Name = ""
    token: str


class Bytes(OfText, frozen=True, kw_only=True, tag_field="of", tag="bytes"):
    """How many bytes a text has in UTF-8."""


class Characters(OfText, frozen=True, kw_only=True, tag_field="of", tag="characters"):
    """How many characters a text has."""


class Occurs(OfText, frozen=True, kw_only=True, tag_field="of", tag="occurs"):
    """How often a ``part`` occurs in a text, without overlaps."""

    part: str


class Encoded(OfText, frozen=True, kw_only=True, tag_field="of", tag="encoded"):
    """How many tokens a text is; ``special``: special tokens in it are found."""

    by: Name = ""
    special: bool = False


class Pieces(OfText, frozen=True, kw_only=True, tag_field="of", tag="pieces"):
    """The tokens that a text is."""

    by: Name = ""
    special: bool = False


class Ids(OfText, frozen=True, kw_only=True, tag_field="of", tag="ids"):
    """The ids of the tokens that a text is, with commas."""

    by: Name = ""


class Id(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of", tag="id"):
    """The id of a token."""

    by: Name = ""
    token: str


class Shortest(OfText, frozen=True, kw_only=True, tag_field="of", tag="shortest"):
    """The fewest tokens of a vocabulary that spell a text."""

    by: Name = ""


class ShortestPieces(OfText, frozen=True, kw_only=True, tag_field="of", tag="shortest-pieces"):
    """The tokens of one of the shortest ways to spell a text."""

    by: Name = ""


class Ratio(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of", tag="ratio"):
    """One claim divided by another."""

    over: Name
    under: Name
    decimals: Annotated[int, Meta(ge=0, le=3)] = 1


class Difference(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of", tag="difference"
):
    """One claim minus another."""

    more: Name
    less: Name


class Same(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of", tag="same"):
    """Whether two claims have the same value: "the same" or "different"."""

    one: Name
    other: Name


class Largest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of", tag="largest"):
    """The name of the largest of several claims: ``{ Hindi = "hindi_tokens", … }``."""

    among: dict[str, str]


class Smallest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of", tag="smallest"):
    """The name of the smallest of several claims."""

    among: dict[str, str]


class Printed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="of", tag="printed"):
    """A figure that a notebook printed, quoted: its ``notebook`` and the ``key`` of the figure there.

    It is for figures that need the notebook's own text, which is not here. A test compares it with the
    notebook.
    """

    notebook: Name
    key: Name
    value: int | float | tuple[int, ...]


Claim = (
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
