"""The state of the compare page, and the fields of a text, which the page of divergences has too."""

from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import msgspec

from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import ENGLISH
from bpeviz.sessions.document import Few, Many, Name, Number
from bpeviz.ui.session.saved_fields import (
    INLINE,
    NAMED_TEXT,
    NUMBER,
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
    "MOST_TOKENIZERS",
    "SEVERAL_SOURCES",
    "TEXT_SOURCES",
    "BatchFields",
    "BatchSource",
    "CompareState",
    "SeveralFields",
    "SeveralSource",
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
    sample: Annotated[str, SAMPLE] = ENGLISH.title
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


MOST_TOKENIZERS = 6

SeveralSource = Literal["This text", "Many texts", "Parallel sample"]
SEVERAL_SOURCES: tuple[SeveralSource, ...] = ("This text", "Many texts", "Parallel sample")


def _if_changed(name: str, usual: object, how: SavedAs) -> SavedAs:
    """How to save a field whose ``usual`` value isn't written: an older bpeviz doesn't have the field, and
    refuses a document with it."""

    def save(value: Any, saving: Saving) -> Any:
        return msgspec.UNSET if value == usual else how.save(value, saving)

    return replace(how.named(name), save=save)


def _save_keys(keys: tuple[str, ...], saving: Saving) -> tuple[str, ...]:
    return tuple(filter(None, (run_key(key, saving.places) for key in keys)))


def _restore_keys(saved: tuple[str, ...], restoring: Restoring) -> tuple[str, ...]:
    return tuple(filter(None, (run_key(key, restoring.numbers) for key in saved)))


SIDE_KEYS = SavedAs(Annotated[tuple[Name, ...], Few], _save_keys, _restore_keys)
SIDE_KEY = SavedAs(
    Name,
    lambda key, saving: run_key(key, saving.places),
    lambda key, restoring: run_key(key, restoring.numbers),
)


@dataclass
class SeveralFields:
    """The fields of the tab that compares up to six tokenizers.

    - ``sides``: the keys of the tokenizers, None until the person picks some; ``baseline``: the key of the
      one that others are measured against;
    - ``source``: which texts to measure on; ``part``: the place of the text whose line is shown; ``line``:
      the number of that line, from 1.
    """

    sides: Annotated[tuple[str, ...] | None, _if_changed("several_sides", None, SIDE_KEYS)] = None
    baseline: Annotated[str, _if_changed("several_baseline", "", SIDE_KEY)] = ""
    source: Annotated[SeveralSource, _if_changed("several_source", "This text", SAVED)] = "This text"
    part: Annotated[int, _if_changed("several_part", 0, NUMBER)] = 0
    line: Annotated[int, _if_changed("several_line", 1, NUMBER)] = 1


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
    - ``merges``: how many merges to use, by side and tokenizer key; ``pair``: the keys of both sides that
      were compared last;
    - ``batch``: where the many texts come from; ``several``: the fields of the comparison of up to six;
    - ``others``: the keys of the tokenizers in more rows, below both sides;
    - ``locked``: whether both sides keep equal vocabulary sizes;
    - ``brought``: the tokenizer files read last, by Streamlit's ids; ``fault``: what was wrong with them;
      ``reads``: how many uploads were read, so that the field is empty for the next one;
    - ``fetched``: a model of the Hub, and its files, whose split pattern the person has to choose;
    - ``packed``: the bytes that the component shows, and what they were made from; ``serial``: how many there
      were; ``on_screen``: which of them the component shows, by its last report.
    """

    text: Annotated[TextFields, SAVED] = field(default_factory=TextFields)
    merges: Annotated[dict[tuple[str, str], int], MERGES] = field(default_factory=dict)
    batch: BatchFields = field(default_factory=BatchFields)
    several: Annotated[SeveralFields, INLINE] = field(default_factory=SeveralFields)
    others: Annotated[tuple[str, ...], _if_changed("others", (), SIDE_KEYS)] = ()
    pair: tuple[str, str] | None = None
    locked: Annotated[bool, SAVED] = False
    brought: tuple[str, ...] = ()
    fault: str = ""
    reads: int = 0
    fetched: tuple[str, dict[str, bytes]] | None = None
    packed: tuple[tuple[object, ...], bytes] | None = None
    serial: int = 0
    on_screen: int = 0
