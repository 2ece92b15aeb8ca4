"""Changes: the mistakes that people make in trainers, each a change of the right rules or of how merges are
read.

    walls          the rule cuts by gpt2, theirs by cl100k or not at all
    overlaps       aaa holds a + a twice, theirs counts it once
    stale          a count that theirs no longer updates
    ids, gpt2-text their merges are written in ids, or in GPT-2's characters
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from bpeviz.merge_check.rules import Halves, Rules
from bpeviz.merge_check.ties import TIES

__all__ = [
    "Change",
    "Kind",
    "tie_change",
]

Kind = Literal[
    "tie",
    "overlaps",
    "stale",
    "walls",
    "special-tokens",
    "characters",
    "ids",
    "gpt2-text",
    "minimum-frequency",
    "order",
    "same-bytes",
    "words-once",
    "numbering",
    "longest-token",
    "spelling",
    "text",
    "recipe",
]


@dataclass(frozen=True)
class Change:
    """A mistake: its ``kind`` and ``name``, and a sentence, of which ``lead`` is the part that all of the
    kind share. ``rules`` makes the wrong rules of the right ones; ``read`` reads their merges in another way,
    None if they can't be meant so."""

    kind: Kind
    name: str
    lead: str
    rest: str = ""
    rules: Callable[[Rules], Rules] = lambda rules: rules
    read: Callable[[Sequence[Halves]], list[Halves] | None] | None = None

    @property
    def rare(self) -> bool:
        """Whether it is one of many with other numbers: such ones are seldom tried with another mistake."""
        return self.kind in ("stale", "minimum-frequency") and bool(self.rest)


def tie_change(name: str) -> Change:
    """Return the change of a trainer with another tie rule."""
    return Change("tie", name, "Of pairs that occur equally often, yours takes the one ", TIES[name].which)
