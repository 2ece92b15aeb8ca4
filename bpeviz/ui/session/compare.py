"""What a person has chosen on the compare page, and what was computed of it; and the fields of a text, which
another page has too."""

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
    """Where a text comes from: ``source``, None until the person says; ``typed``: the text typed, None until
    it is changed; ``sample`` and ``uploaded``: those chosen last."""

    source: Annotated[TextSource | None, SAVED] = None
    typed: Annotated[str | None, TEXT] = None
    sample: Annotated[str, SAMPLE] = next(iter(SAMPLES))
    uploaded: Annotated[NamedText | None, NAMED_TEXT] = None


BatchSource = Literal["All samples", "Upload files"]
BATCH_SOURCES: tuple[BatchSource, ...] = ("All samples", "Upload files")


@dataclass
class BatchFields:
    """Where many texts come from: ``source``; ``with_library``: whether the standard library is among the
    samples; ``uploaded``: the files uploaded, decoded; ``refused``: why others were not."""

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
    - ``merges``: how many merges of a side, by the field it was picked in and its key;
    - ``batch``: where the many texts come from;
    - ``locked``: whether both sides keep to equal vocabulary sizes;
    - ``brought``: the tokenizer files read last, by Streamlit's ids, and ``fault``, what was wrong with them;
    - ``packed``: the bytes that the component was mounted with, and what they were made of; ``serial``: how
      often there were new ones, and ``on_screen``: which of them the component has told to be showing.
    """

    text: Annotated[TextFields, SAVED] = field(default_factory=TextFields)
    merges: Annotated[dict[tuple[str, str], int], MERGES] = field(default_factory=dict)
    batch: BatchFields = field(default_factory=BatchFields)
    locked: Annotated[bool, SAVED] = False
    brought: tuple[str, ...] = ()
    fault: str = ""
    packed: tuple[tuple[object, ...], bytes] | None = None
    serial: int = 0
    on_screen: int = 0
