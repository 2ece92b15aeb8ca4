"""The state of the compare page."""

from dataclasses import dataclass, field
from typing import Literal

from bpeviz.runs.run import NamedText
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.session.text_fields import TextFields
from bpeviz.ui.session.tokenizers import UploadedTokenizer

__all__ = [
    "BATCH_SOURCES",
    "MOST_TOKENIZERS",
    "SEVERAL_SOURCES",
    "BatchFields",
    "BatchSource",
    "CompareState",
    "SeveralFields",
    "SeveralSource",
]

BatchSource = Literal["All samples", "Upload files"]
BATCH_SOURCES: tuple[BatchSource, ...] = ("All samples", "Upload files")


@dataclass
class BatchFields:
    """Where many texts come from: their ``source``; ``with_library``: whether the samples include the
    standard library; ``with_words``: whether the words that change are listed; ``uploaded``: the files,
    decoded; ``refused``: why other files can't be used."""

    source: BatchSource = "All samples"
    with_library: bool = False
    with_words: bool = False
    uploaded: list[NamedText] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


MOST_TOKENIZERS = 6

SeveralSource = Literal["This text", "Many texts", "Parallel sample"]
SEVERAL_SOURCES: tuple[SeveralSource, ...] = ("This text", "Many texts", "Parallel sample")


@dataclass
class SeveralFields:
    """The fields of the tab that compares up to six tokenizers.

    - ``sides``: the keys of the tokenizers, None until the person picks some; ``baseline``: the key of the
      one that others are measured against;
    - ``source``: which texts to measure on; ``part``: the place of the text whose line is shown; ``line``:
      the number of that line, from 1.
    """

    sides: tuple[str, ...] | None = None
    baseline: str = ""
    source: SeveralSource = "This text"
    part: int = 0
    line: int = 1


@dataclass
class CompareState:
    """The state of the compare page.

    - ``text``: where its text comes from;
    - ``merges``: how many merges to use, by side and tokenizer key; ``pair``: the keys of both sides that
      were compared last;
    - ``batch``: where the many texts come from; ``several``: the fields of the comparison of up to six;
    - ``others``: the keys of the tokenizers in more rows, below both sides;
    - ``ends``: how many merges both sides of that pair have;
    - ``locked``: whether both sides keep equal vocabulary sizes;
    - ``brought``: the tokenizer files read last, by Streamlit's ids; ``fault``: what was wrong with them;
      ``reads``: how many uploads were read, so that the field is empty for the next one;
    - ``waiting``: an uploaded tokenizer for which the person has to choose one that makes room;
    - ``fetched``: a model of the Hub, and its files, whose split pattern the person has to choose;
    - ``packed``: the bytes that the component shows, and what they were made from; ``serial``: how many there
      were; ``on_screen``: which of them the component shows, by its last report.
    """

    text: TextFields = field(default_factory=TextFields)
    merges: dict[tuple[str, str], int] = field(default_factory=dict)
    batch: BatchFields = field(default_factory=BatchFields)
    several: SeveralFields = field(default_factory=SeveralFields)
    others: tuple[str, ...] = ()
    pair: tuple[str, str] | None = None
    ends: tuple[int, int] = (0, 0)
    locked: bool = False
    brought: tuple[str, ...] = ()
    fault: str = ""
    reads: int = 0
    waiting: tuple[UploadedTokenizer, Tokenizer] | None = None
    fetched: tuple[str, dict[str, bytes]] | None = None
    packed: tuple[tuple[object, ...], bytes] | None = None
    serial: int = 0
    on_screen: int = 0
