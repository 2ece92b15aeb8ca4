"""A person's work as a document: what the session's state comes down to, without what follows from it.

Runs are not in it: training is deterministic, so a text, settings and a person's own choices bring them back.
Texts are not in it either, but their SHA-256; whoever keeps the document keeps them beside it. A document may
come from anybody, so it is read against the types below, and what it asks for is checked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bpeviz.limits import Limits, limits
from bpeviz.storage.errors import WorkDocumentError
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.choice import Choice, check_choices
from bpeviz.training.errors import ChoiceError
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import CUSTOM_SPLIT, RECIPE_SPLIT, TrainingSettings

__all__ = [
    "MOST_NAME_CHARACTERS",
    "MOST_PART_CHARACTERS",
    "MOST_PATTERN_CHARACTERS",
    "Digest",
    "SavedCompare",
    "SavedDivergence",
    "SavedEncode",
    "SavedRun",
    "SavedSettings",
    "SavedText",
    "SavedTextFields",
    "SavedTraining",
    "WorkDocument",
    "allowed",
    "allowed_run",
    "read_document",
    "write_document",
]

#: The one that this program writes; older ones are read too, newer ones refused.
VERSION = 1
#: A document holds no texts: thousands of times what a session writes.
MOST_DOCUMENT_BYTES = 1_000_000
MOST_NAME_CHARACTERS = 200
#: As many as the encode page takes of the text that it is a part of.
MOST_PART_CHARACTERS = Limits().max_encoded_characters
MOST_PATTERN_CHARACTERS = 10_000

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Number = Annotated[int, Meta(ge=0, le=2**53)]
TokenId = Annotated[int, Meta(ge=0, lt=2**31)]
Name = Annotated[str, Meta(max_length=MOST_NAME_CHARACTERS)]
Few = Meta(max_length=64)
Many = Meta(max_length=10_000)


_USUAL = TrainingSettings()


class SavedText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text by its digest, and what it is called."""

    name: Name
    digest: Digest


class SavedSettings(msgspec.Struct, frozen=True):
    """The training settings that a person chooses in the form: names and numbers."""

    recipe: str = _USUAL.recipe_name
    split: str = _USUAL.split
    custom_pattern: str = ""
    num_merges: int = _USUAL.num_merges
    min_frequency: int = _USUAL.min_frequency

    @classmethod
    def of(cls, settings: TrainingSettings) -> "SavedSettings":
        """What is saved of settings, besides their choices."""
        return cls(
            settings.recipe_name,
            settings.split,
            settings.custom_pattern,
            settings.num_merges,
            settings.min_frequency,
        )


class SavedRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a run is trained from."""

    name: Name
    text: SavedText
    settings: SavedSettings
    choices: Annotated[tuple[Choice, ...], Many] = ()


class SavedTextFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a page's text comes from, as bpeviz.ui.session.compare.TextFields has it."""

    source: Literal["Corpus", "Type", "Sample", "Upload"] | None = None
    typed: Digest | None = None
    sample: Name = ""
    uploaded: SavedText | None = None


class SavedCompare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The compare page; ``merges`` by slot and side."""

    text: SavedTextFields = SavedTextFields()
    merges: Annotated[tuple[tuple[Name, Name, Number], ...], Many] = ()
    locked: bool = False


class SavedDivergence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The page of disagreements."""

    text: SavedTextFields
    recipes: Annotated[tuple[Name, ...], Few]
    num_merges: Number
    one_split: bool
    split: Name
    pair: tuple[Name, Name] | None
    all_merges: bool


class SavedEncode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The encode page; ``num_merges`` by run, ``ids`` and ``part`` where the person wrote them."""

    text: Digest | None = None
    special: bool = False
    num_merges: Annotated[tuple[tuple[Number, Number], ...], Many] = ()
    ids: Digest | None = None
    part: Annotated[str, Meta(max_length=MOST_PART_CHARACTERS)] | None = None


class SavedTraining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A training that was asked for and not done; of a fork, the place of its ``parent`` among the runs."""

    parent: Number | None = None


class WorkDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A session's work. Runs go by their place among ``runs``, the oldest first.

    ``shared`` is one that others may open: what they change becomes theirs. With a ``training``, the last of
    ``runs`` is the one that was being trained. Without one nothing is written for it, so that an older bpeviz
    reads the document.
    """

    source: Literal["Paste", "Upload", "Sample"]
    pasted: Digest | None
    sample: Name
    library_megabytes: Number
    uploaded: SavedText | None
    settings: SavedSettings
    choosing: bool
    runs: Annotated[tuple[SavedRun, ...], Few]
    shown: Number | None
    beside: Number | None
    step: Number
    pair: tuple[TokenId, TokenId] | None
    race_length: Number
    sides: Annotated[dict[Name, Name], Few]
    compare: SavedCompare
    disagree: SavedDivergence
    encode: SavedEncode
    shared: bool = False
    version: Literal[1] = 1
    training: SavedTraining | msgspec.UnsetType = msgspec.UNSET

    def as_shared(self) -> "WorkDocument":
        """The same, for others to open."""
        return msgspec.structs.replace(self.without_training(), shared=True)

    def without_training(self) -> "WorkDocument":
        """The same without a training that was asked for."""
        if self.training is msgspec.UNSET:
            return self
        return msgspec.structs.replace(self, runs=self.runs[:-1], training=msgspec.UNSET)

    def digests(self) -> set[str]:
        """The digests of all texts that it refers to."""
        named = [self.uploaded, self.compare.text.uploaded, self.disagree.text.uploaded]
        named += [run.text for run in self.runs]
        bare = [self.pasted, self.compare.text.typed, self.disagree.text.typed]
        bare += [self.encode.text, self.encode.ids]
        return {text.digest for text in named if text} | {digest for digest in bare if digest}


def write_document(document: WorkDocument) -> str:
    """As JSON. Raises WorkDocumentError for what read_document would not read again."""
    try:
        written = msgspec.json.encode(document)
    except (msgspec.MsgspecError, OverflowError, UnicodeError, TypeError) as error:
        raise WorkDocumentError(f"it can't be written ({error})") from None
    _checked(_decoded(written))
    return written.decode("utf-8")


@dataclass(frozen=True)
class _Version:
    version: int = field(default=0)


def read_document(data: str | bytes, texts: Mapping[str, object]) -> WorkDocument:
    """A document from JSON that may come from anybody, with the digests of the ``texts`` that came with it.

    Raises WorkDocumentError for anything that is not one, or whose texts are not all there.
    """
    document = _checked(_decoded(data))
    if missing := document.digests() - texts.keys():
        raise WorkDocumentError(f"{len(missing)} of its texts are missing")
    return document


def _decoded(data: str | bytes) -> WorkDocument:
    if len(data) > MOST_DOCUMENT_BYTES:
        raise WorkDocumentError(f"it has more than {MOST_DOCUMENT_BYTES:,} bytes")
    try:
        if msgspec.json.decode(data, type=_Version).version > VERSION:
            raise WorkDocumentError("a newer bpeviz made it; update this one")
        return msgspec.json.decode(data, type=WorkDocument)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise WorkDocumentError(f"it is not one ({error})") from None


def _checked(document: WorkDocument) -> WorkDocument:
    """The document, if what the types cannot say of it holds too."""
    settings = [document.settings, *(run.settings for run in document.runs)]
    for each in settings:
        if max(map(len, (each.recipe, each.split))) > MOST_NAME_CHARACTERS:
            raise WorkDocumentError("a recipe or split pattern in it has too long a name")
        if len(each.custom_pattern) > MOST_PATTERN_CHARACTERS:
            raise WorkDocumentError("its split pattern is too long")
        if not all(0 <= number <= 2**53 for number in (each.num_merges, each.min_frequency)):
            raise WorkDocumentError("a number in it is too large")
    if document.training is not msgspec.UNSET and not document.runs:
        raise WorkDocumentError("the training in it has no run")
    return document


def allowed(settings: SavedSettings) -> TrainingSettings:
    """The settings, if a person could have chosen them on this page. Raises WorkDocumentError."""
    if settings.recipe not in RECIPES:
        raise WorkDocumentError(f"there is no recipe called {settings.recipe[:40]!r}")
    if settings.split not in (RECIPE_SPLIT, CUSTOM_SPLIT, *SPLIT_PATTERNS):
        raise WorkDocumentError(f"there is no split pattern called {settings.split[:40]!r}")
    if not 1 <= settings.num_merges <= limits().max_merges:
        raise WorkDocumentError(f"merges go from 1 to {limits().max_merges:,} here")
    if not 1 <= settings.min_frequency <= 1_000_000:
        raise WorkDocumentError("fewest occurrences go from 1 to 1,000,000")
    if len(settings.custom_pattern) > MOST_PATTERN_CHARACTERS:
        raise WorkDocumentError("its split pattern is too long")
    return TrainingSettings(**msgspec.structs.asdict(settings))


def allowed_run(run: SavedRun) -> TrainingSettings:
    """The settings of a run with its choices, if a person could have made them. Raises WorkDocumentError."""
    settings = allowed(run.settings)
    try:
        check_choices(run.choices, settings.num_merges)
    except ChoiceError as error:
        raise WorkDocumentError(
            f"its choice at rank {error.rank} cannot be followed, as {error.why}"
        ) from None
    if any(not 0 <= token < 2**31 for choice in run.choices for token in choice.pair):
        raise WorkDocumentError("its choices are of tokens that cannot be")
    return replace(settings, choices=run.choices)
