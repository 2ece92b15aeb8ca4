"""Variation: a mistake that people make in trainers, as hooks of the reference trainer that differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from bpeviz.merge_check.reference import Rules

__all__ = ["Kind", "Variation"]

#: What a mistake is about.
Kind = Literal[
    "tie",
    "numbering",
    "ids",
    "gpt2-text",
    "spelling",
    "order",
    "overlaps",
    "set",
    "words-once",
    "loop",
    "stale",
    "round",
    "first-place",
    "str-replace",
    "same-bytes",
    "longest-token",
    "minimum-frequency",
    "number-of-merges",
    "characters",
    "special-tokens",
    "text",
    "digits",
    "walls",
    "part",
    "blocks",
    "recipe",
]


@dataclass(frozen=True)
class Variation:
    """A mistake: its ``kind`` and ``name``, a sentence without its point, of which ``lead`` is the part that
    several of the kind share, and the ``hooks`` of Rules that differ."""

    kind: Kind
    name: str
    lead: str
    rest: str = ""
    hooks: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def of(self, rules: Rules) -> Rules:
        """Return the rules of a trainer with this mistake."""
        return replace(rules, **self.hooks)
