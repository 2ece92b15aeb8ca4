"""Variation: a mistake that people make in trainers, as hooks of the reference trainer that differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bpeviz.merge_check.reference import Rules

__all__ = ["Variation"]


@dataclass(frozen=True)
class Variation:
    """A mistake: its ``kind`` and ``name``, a sentence without its point, of which ``lead`` is the part that
    several of the kind share, and the ``hooks`` of Rules that differ."""

    kind: str
    name: str
    lead: str
    rest: str = ""
    hooks: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def of(self, rules: Rules) -> Rules:
        """Return the rules of a trainer with this mistake."""
        return replace(rules, **self.hooks)
