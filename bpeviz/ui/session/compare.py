"""The state of the compare page, and the fields of a text, which the page of divergences has too."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES
from bpeviz.storage.work_document import Many, Name, Number
from bpeviz.ui.session.saved_fields import (
    NAMED_TEXT,
    SAMPLE,
    SAVED,
    TEXT,
    Restoring,
    SavedAs,
    Saving,
    run_key,
)

__all__ = [
    "BATCH_SOURCES",
    "TEXT_SOURCES",
    "BatchFields",
    "BatchSource",
    "CompareState",
    "TextFields",
    "TextSource",
]

TextSource = Literal["Corpus", "Type", "Sample", "Upload"]
TEXT_SOURCES: tuple[TextSource, ...] = ("Corpus", "Type", "Sample", "Upload")


@dataclass
class TextFields:
    """Where a text comes from: its ``source``, None until the person picks one; the text ``typed``, None
    until the person changes it; the last ``sample`` and ``uploaded`` file."""

    source: Annotated[TextSource | None, SAVED] = None
    typed: Annotated[str | None, TEXT] = None
    sample: Annotated[str, SAMPLE] = next(iter(SAMPLES))
    uploaded: Annotated[NamedText | None, NAMED_TEXT] = None


BatchSource = Literal["All samples", "Upload files"]
BATCH_SOURCES: tuple[BatchSource, ...] = ("All samples", "Upload files")


@dataclass
class BatchFields:
    """Where many texts come from: their ``source``; ``with_library``: whether the samples include the
    standard library; ``uploaded``: the files, decoded; ``refused``: why other files can't be used."""

    source: BatchSource = "All samples"
    with_library: bool = False
    uploaded: list[NamedText] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def _save_merges(merges: dict[tuple[str, str], int], saving: Saving) -> list[tuple[str, str, int]]:
    keys = {key: run_key(key, saving.places) for _, key in merges}
    return [(field, keys[key], number) for (field, key), number in merges.items() if keys[key]]


def _restore_merges(saved: list[tuple[str, str, int]], restoring: Restoring) -> dict[tuple[str, str], int]:
    keys = {key: run_key(key, restoring.numbers) for _, key, _ in saved}
    return {(field, keys[key]): number for field, key, number in saved if keys[key]}


MERGES = SavedAs(Annotated[list[tuple[Name, Name, Number]], Many], _save_merges, _restore_merges)


@dataclass
class CompareState:
    """The state of the compare page.

    - ``text``: where its text comes from;
    - ``merges``: how many merges to use, by side and tokenizer key;
    - ``batch``: where the many texts come from;
    - ``locked``: whether both sides keep equal vocabulary sizes;
    - ``brought``: the tokenizer files read last, by Streamlit's ids; ``fault``: what was wrong with them;
      ``reads``: how many uploads were read, so that the field is empty for the next one;
    - ``packed``: the bytes that the component shows, and what they were made from; ``serial``: how many there
      were; ``on_screen``: which of them the component shows, by its last report.
    """

    text: Annotated[TextFields, SAVED] = field(default_factory=TextFields)
    merges: Annotated[dict[tuple[str, str], int], MERGES] = field(default_factory=dict)
    batch: BatchFields = field(default_factory=BatchFields)
    locked: Annotated[bool, SAVED] = False
    brought: tuple[str, ...] = ()
    fault: str = ""
    reads: int = 0
    packed: tuple[tuple[object, ...], bytes] | None = None
    serial: int = 0
    on_screen: int = 0
