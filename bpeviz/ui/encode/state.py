"""The state of the page "Encode": what is saved of it, and what is not."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from bpeviz.sessions.document import MOST_PART_CHARACTERS, Many, Name, Number, RunNumber
from bpeviz.sessions.page_fields import PageFields, Text, beginning

__all__ = ["EncodeFields", "EncodeState"]


MergesByRun = Annotated[dict[RunNumber, Number], Many]


class EncodeFields(PageFields, forbid_unknown_fields=True):
    """The fields of the page, as they are saved."""

    #: The text to encode, None until the person changes it.
    text: Text | None = None
    #: Whether special tokens in the text become tokens.
    special: bool = False
    #: How many merges of a run to use, by the run's number.
    num_merges: MergesByRun = msgspec.field(default_factory=dict)
    #: The ids to decode, None for those of the text.
    ids: Text | None = None
    #: A checksum of the ids in whose place the person wrote these.
    ids_of: Number | None = None
    #: The key of the tokenizer whose merge tree is beside, once the person has picked one.
    beside: Name | None = None
    #: The part of the text to explain, if the person wrote one.
    part: Annotated[str, Meta(max_length=MOST_PART_CHARACTERS)] | None = None
    #: What is put into the text to see which tokens it changes, and after how many characters.
    edit: Annotated[str, Meta(max_length=MOST_PART_CHARACTERS)] = ""
    edit_at: Number | None = None

    @property
    def about(self) -> str:
        """How the text begins."""
        return f"{beginning(self.text.text)}text to encode" if self.text and self.text.text else ""


@dataclass
class EncodeState:
    """The state of the page."""

    address: ClassVar[str] = "encode"

    saved: EncodeFields = field(default_factory=EncodeFields)
    #: The picked pre-token, by its place and its text.
    word: tuple[int, str] = (-1, "")
    #: The chance to leave a merge out, in percent.
    dropout: int = 10
    seed: int = 1
