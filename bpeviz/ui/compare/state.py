"""The state of the page "Compare": what is saved of it, and what is not."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

import msgspec

from bpeviz.runs.run import NamedText
from bpeviz.sessions.document import Many, Name, Names, Number
from bpeviz.sessions.page_fields import PageFields
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.compared_text import TextFields
from bpeviz.ui.session.tokenizers import UploadedTokenizer

__all__ = [
    "MOST_TOKENIZERS",
    "SEVERAL_SOURCES",
    "CompareFields",
    "CompareState",
    "SeveralFields",
]

MOST_TOKENIZERS = 6

SeveralSource = Literal["This text", "All samples", "Your files", "Parallel sample"]
SEVERAL_SOURCES: tuple[SeveralSource, ...] = ("This text", "All samples", "Your files", "Parallel sample")


class SeveralFields(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of the tab that compares all tokenizers of the page, as they are saved."""

    #: The key of the tokenizer that the others are measured against.
    baseline: Name = ""
    #: Which texts to measure on.
    source: SeveralSource = "This text"
    #: The place of the text whose line is shown, and the number of that line, from 1.
    part: Number = 0
    line: Number = 1


class CompareFields(PageFields, forbid_unknown_fields=True):
    """The fields of the page, as they are saved."""

    text: TextFields = msgspec.field(default_factory=TextFields)
    #: How many merges to use: the side, the key of its tokenizer, and the number.
    merges: Annotated[tuple[tuple[Name, Name, Number], ...], Many] = ()
    #: The keys of the tokenizers in more rows, below both sides.
    others: Names = ()
    #: Whether both sides keep equal vocabulary sizes.
    locked: bool = False
    several: SeveralFields = msgspec.field(default_factory=SeveralFields)

    @property
    def about(self) -> str:
        """What the text is."""
        return self.text.about

    @property
    def merges_by_side(self) -> dict[tuple[str, str], int]:
        """How many merges to use, by side and key."""
        return {(slot, key): number for slot, key, number in self.merges}

    def set_merges(self, slot: str, key: str, number: int) -> None:
        """Use so many merges of a tokenizer on a side."""
        made = self.merges_by_side | {(slot, key): number}
        self.merges = tuple((*side, number) for side, number in made.items())

    def swap(self) -> None:
        """Give each side the numbers of the other one."""
        other = {"left": "right", "right": "left"}
        self.merges = tuple((other[slot], key, number) for slot, key, number in self.merges)


@dataclass
class CompareState:
    """The state of the page."""

    address: ClassVar[str] = "compare"

    saved: CompareFields = field(default_factory=CompareFields)
    #: Of the tab of all tokenizers: whether the samples include the standard library, whether the words that
    #: change are listed, the files, decoded, and why others can't be used.
    with_library: bool = False
    with_words: bool = False
    uploaded_texts: list[NamedText] = field(default_factory=list)
    refused_texts: list[str] = field(default_factory=list)
    #: The keys of both sides that were compared last.
    pair: tuple[str, str] | None = None
    #: The tokenizer files read last, by Streamlit's ids, and what was wrong with them.
    brought: tuple[str, ...] = ()
    fault: str = ""
    #: How many uploads were read, so that the field is empty for the next one.
    reads: int = 0
    #: An uploaded tokenizer for which the person has to choose one that makes room.
    waiting: tuple[UploadedTokenizer, Tokenizer] | None = None
    #: A model of the Hub, and its files, whose split pattern the person has to choose.
    fetched: tuple[str, dict[str, bytes]] | None = None
    #: The bytes that the component shows, and what they were made from.
    packed: tuple[tuple[object, ...], bytes] | None = None
    #: How many of them there were, and which the component shows, by its last report.
    serial: int = 0
    on_screen: int = 0
