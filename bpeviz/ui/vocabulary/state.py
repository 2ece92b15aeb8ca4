"""The state of the page "Vocabulary": what is saved of it, and what is not."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bpeviz.sessions.document import Few, Many, Name, Number
from bpeviz.sessions.page_fields import PageFields, Text, beginning

__all__ = ["AUDIT", "DROP", "GLANCE", "MOST_UNDONE", "PANELS", "Drops", "VocabularyFields", "VocabularyState"]

#: The panels beside the table.
GLANCE, DROP, AUDIT = PANELS = ("At a glance", "Drop tokens", "Audit")
#: How many changes a person can undo.
MOST_UNDONE = 50

Ids = Annotated[tuple[Number, ...], Many]


class Drops(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tokens of one tokenizer that a person drops: those that meet all conditions, and exceptions. So
    thousands of tokens are a few words.

    - ``unused``: those that the text never needs; ``longer_than`` so many bytes; ``script``: of the first
      letter;
    - ``also``: other tokens that are dropped; ``kept``: tokens that stay though they meet the conditions;
    - ``ids``: whether the ids of the others close up.
    """

    unused: bool = False
    longer_than: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    script: Name = ""
    also: Ids = ()
    kept: Ids = ()
    ids: Literal["closed", "holes"] = "closed"


class VocabularyFields(PageFields, forbid_unknown_fields=True):
    """The fields of the page, as they are saved."""

    #: What is dropped from each tokenizer, by its key.
    drops: Annotated[dict[Name, Drops], Few] = msgspec.field(default_factory=dict)
    #: A second text, to see what dropping tokens costs there.
    second_text: Text | None = None
    #: Whether an audit compares with an earlier vocabulary: the one that is picked for this.
    against_earlier: bool = False

    @property
    def about(self) -> str:
        """How the second text begins."""
        return f"{beginning(self.second_text.text)}text to count on" if self.second_text else ""


@dataclass
class VocabularyState:
    """The state of the page."""

    address: ClassVar[str] = "vocabulary"

    saved: VocabularyFields = field(default_factory=VocabularyFields)
    #: What the table shows, and in which order.
    search: str = ""
    filters: tuple[str, ...] = ()
    sort: str = "merged"
    #: The selected tokens: the tokenizer's key, and the ids. Several can be selected while dropping.
    picked: tuple[str, tuple[int, ...]] = "", ()
    #: The panel beside the table, one of PANELS.
    panel: str = PANELS[0]
    #: The finding of the audit whose tokens the table shows, by its name; empty for none.
    finding: str = ""
    #: Grows when no row of the audit must be picked any more.
    audit_number: int = 0
    #: The audit that a person cancelled, by its key.
    cancelled: tuple[Hashable, ...] = ()
    #: What was dropped before each change, with the tokenizer's key; the last change comes last.
    before: list[tuple[str, Drops]] = field(default_factory=list)
    #: Grows when the fields of the rule must show other values than a person left there.
    drop_number: int = 0

    def drops_of(self, key: str) -> Drops:
        """Return what is dropped from a tokenizer."""
        return self.saved.drops.get(key, Drops())

    def drop(self, key: str, drops: Drops) -> None:
        """Change what is dropped from a tokenizer; nothing happens if it is the same."""
        if drops != (old := self.drops_of(key)):
            self.before = [*self.before, (key, old)][-MOST_UNDONE:]
            self._set(key, drops)

    def can_undo(self, key: str) -> bool:
        """Return whether there is a change to this tokenizer's drops to undo."""
        return any(changed == key for changed, _ in self.before)

    def undo(self, key: str) -> None:
        """Take back the last change to what is dropped from a tokenizer."""
        for place in reversed(range(len(self.before))):
            if self.before[place][0] == key:
                self._set(key, self.before.pop(place)[1])
                self.drop_number += 1
                return

    def _set(self, key: str, drops: Drops) -> None:
        others = {each: dropped for each, dropped in self.saved.drops.items() if each != key}
        latest = [*others.items()][-63:]
        self.saved.drops = dict(latest) if drops == Drops() else {**dict(latest), key: drops}
