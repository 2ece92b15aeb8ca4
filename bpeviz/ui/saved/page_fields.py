"""What is saved of the pages whose own folder does not say it yet: Watch and Compare."""

from typing import Annotated

import msgspec
from msgspec import Meta

from bpeviz.sessions.document import Many, Name, Names, Number
from bpeviz.sessions.page_fields import PageFields
from bpeviz.ui.session.text_fields import TextFields

__all__ = ["CompareFields", "SavedSeveral", "WatchFields"]

TokenId = Annotated[int, Meta(ge=0, lt=2**31)]


class WatchFields(PageFields, forbid_unknown_fields=True):
    """The fields of the main page, besides those of its text and its rules."""

    pair: tuple[TokenId, TokenId] | None = None
    panels: Names | None = None
    race_length: Number = 0


class SavedSeveral(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields for up to six tokenizers: see SeveralFields."""

    sides: Names | None = None
    baseline: Name = ""
    source: Name = ""
    part: Number = 0
    line: Number = 1


class CompareFields(PageFields, forbid_unknown_fields=True):
    """The fields of the page "Compare"."""

    text: TextFields = msgspec.field(default_factory=TextFields)
    merges: Annotated[tuple[tuple[Name, Name, Number], ...], Many] = ()
    others: Names = ()
    locked: bool = False
    several: SavedSeveral = SavedSeveral()

    @property
    def about(self) -> str:
        """What the text is."""
        return self.text.about
