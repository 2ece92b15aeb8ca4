"""The document of a saved session: what its runs are trained from, and the fields of the pages.

It holds no merges: training is deterministic, so a text, settings and choices give the same run again. It
holds no texts, only their SHA-256; the store keeps the texts beside it. Anybody may have written a document,
so reading checks it against the types below.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bpeviz.decoders import json_decoder
from bpeviz.errors import SavedSessionError
from bpeviz.formats.reading import MOST_FILES
from bpeviz.limits import Limits
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings

__all__ = [
    "MOST_DOCUMENT_BYTES",
    "MOST_FEW",
    "MOST_NAME_CHARACTERS",
    "MOST_PART_CHARACTERS",
    "MOST_PATTERN_CHARACTERS",
    "Digest",
    "Few",
    "SavedCompare",
    "SavedDivergence",
    "SavedEncode",
    "SavedFile",
    "SavedPart",
    "SavedRun",
    "SavedSession",
    "SavedSettings",
    "SavedText",
    "SavedTextFields",
    "SavedTokenizer",
    "SavedTraining",
    "SpecialTokens",
    "read_document",
    "write_document",
]

#: The version that this program writes; it reads older ones and refuses newer ones.
VERSION = 1
#: Hundreds of times what a session writes: a document holds no texts.
MOST_DOCUMENT_BYTES = 1_000_000
MOST_NAME_CHARACTERS = 200
MOST_PATTERN_CHARACTERS = 10_000
MOST_FEW = 64
#: As long as the text that the part is of may be on any server.
MOST_PART_CHARACTERS = Limits().max_encoded_characters

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
#: The key of an uploaded tokenizer.
FileKey = Annotated[str, Meta(pattern="^file-[0-9]{1,9}$")]
Number = Annotated[int, Meta(ge=0, le=2**53)]
TokenId = Annotated[int, Meta(ge=0, lt=2**31)]
Name = Annotated[str, Meta(max_length=MOST_NAME_CHARACTERS)]
Few = Meta(max_length=MOST_FEW)
Many = Meta(max_length=10_000)
Names = Annotated[tuple[Name, ...], Few]
NameByName = Annotated[dict[Name, Name], Few]
SpecialTokens = Names

_USUAL = TrainingSettings()


class _Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a document. A field that is missing has the value of a new session."""


class SavedPart(_Saved, frozen=True, forbid_unknown_fields=True):
    """Which part of a large corpus a text is.

    ``corpus``, ``byte_total``, ``files``: the corpus: its name and size, and the digest of its list of files;
    ``file_name``, ``file``, ``offset``: where the part begins; without ``file`` only counts are known;
    ``shown``: how many bytes of the file it has.
    """

    corpus: Name
    byte_total: Number
    files: Name = ""
    file_name: Name = ""
    file: Number | None = None
    offset: Number = 0
    shown: Number = 0


class SavedText(_Saved, frozen=True, forbid_unknown_fields=True):
    """A text: its name and digest, and which part of a large corpus it is."""

    name: Name
    digest: Digest
    part: SavedPart | None = None


class SavedSettings(_Saved, frozen=True, forbid_unknown_fields=True):
    """The training settings that a person chooses: names and numbers, no rules."""

    recipe: Name = _USUAL.recipe_name
    split: Name = _USUAL.split
    custom_pattern: Annotated[str, Meta(max_length=MOST_PATTERN_CHARACTERS)] = ""
    num_merges: Number = _USUAL.num_merges
    min_frequency: Number = _USUAL.min_frequency
    vocab_size: Number | None = None
    special_tokens: SpecialTokens | None = None
    max_token_length: Number | None = None

    @classmethod
    def of(cls, settings: TrainingSettings) -> "SavedSettings":
        """Return what is saved of settings, besides their choices."""
        named = replace(settings, recipe=settings.recipe_name)
        return cls(**{field: getattr(named, field) for field in cls.__struct_fields__})

    def chosen(self) -> TrainingSettings:
        """Return them as settings to train with; anybody may have written them."""
        return TrainingSettings(**msgspec.structs.asdict(self))


class SavedFile(_Saved, frozen=True, forbid_unknown_fields=True):
    """A file: its name, its size unpacked, and the digest of its packed bytes."""

    name: Name
    byte_total: Number
    digest: Digest


class SavedRun(_Saved, frozen=True, forbid_unknown_fields=True):
    """What to train a run from; on a large corpus, the packed ``counts`` of all of it."""

    name: Name
    text: SavedText
    settings: SavedSettings
    choices: Annotated[tuple[Choice, ...], Many] = ()
    counts: SavedFile | None = None


class SavedTraining(_Saved, frozen=True, forbid_unknown_fields=True):
    """A training that was asked for and not done. ``parent``: for a fork, the place of the run it forks."""

    parent: Number | None = None


class SavedTokenizer(_Saved, frozen=True, forbid_unknown_fields=True):
    """An uploaded tokenizer: its files, and the split pattern that the person chose for them."""

    name: Name
    files: Annotated[tuple[SavedFile, ...], Meta(min_length=1, max_length=MOST_FILES)]
    split: Name | None = None


class SavedTextFields(_Saved, frozen=True, forbid_unknown_fields=True):
    """The fields of the pages that compare on a text: see TextFields of the page."""

    source: Name | None = None
    typed: Digest | None = None
    sample: Name = ""
    uploaded: SavedText | None = None

    def digests(self) -> list[str | None]:
        """Return the digests of its texts."""
        return [self.typed, self.uploaded.digest if self.uploaded else None]


class SavedCompare(_Saved, frozen=True, forbid_unknown_fields=True):
    """The fields of the page "Compare"; ``several_…`` are those for up to six tokenizers."""

    text: SavedTextFields = SavedTextFields()
    merges: Annotated[tuple[tuple[Name, Name, Number], ...], Many] = ()
    others: Names = ()
    locked: bool = False
    several_sides: Names | None = None
    several_baseline: Name = ""
    several_source: Name = ""
    several_part: Number = 0
    several_line: Number = 1


class SavedDivergence(_Saved, frozen=True, forbid_unknown_fields=True):
    """The fields of the page "Recipes"."""

    text: SavedTextFields = SavedTextFields()
    recipes: Names | None = None
    num_merges: Number | None = None
    one_split: bool = False
    split: Name = ""
    pair: tuple[Name, Name] | None = None
    all_merges: bool = False


class SavedEncode(_Saved, frozen=True, forbid_unknown_fields=True):
    """The fields of the page "Encode"; ``num_merges`` by the place of a run."""

    text: Digest | None = None
    special: bool = False
    num_merges: Annotated[tuple[tuple[Number, Number], ...], Many] = ()
    ids: Digest | None = None
    part: Annotated[str, Meta(max_length=MOST_PART_CHARACTERS)] | None = None


class SavedSession(_Saved, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is saved of a session.

    - ``runs``: the oldest first; with a ``training``, the last of them was still training;
    - ``shared``: others may open it, each gets a copy;
    - ``typed``, ``settings``: the fields for the text and the rules;
    - ``shown``, ``beside``: the places of the shown runs; ``step``, ``pair``, ``panels``, ``race_length``:
      the fields of the main page;
    - ``sides``: the keys of picked tokenizers, by field; a run's key has its place;
    - ``tokenizers``: the uploaded ones, by key; ``splits``: the patterns chosen for files of the cache;
    - ``compare``, ``disagree``, ``encode``: the fields of these pages.
    """

    version: Literal[1] = 1
    runs: Annotated[tuple[SavedRun, ...], Few]
    shared: bool = False
    training: SavedTraining | None = None
    typed: Digest | None = None
    settings: SavedSettings = SavedSettings()
    shown: Number | None = None
    beside: Number | None = None
    step: Number = 0
    pair: tuple[TokenId, TokenId] | None = None
    panels: Names | None = None
    race_length: Number = 0
    sides: NameByName = {}
    tokenizers: Annotated[dict[FileKey, SavedTokenizer], Few] = {}
    splits: NameByName = {}
    compare: SavedCompare = SavedCompare()
    disagree: SavedDivergence = SavedDivergence()
    encode: SavedEncode = SavedEncode()

    def as_shared(self) -> "SavedSession":
        """Return the same, for others to open."""
        return msgspec.structs.replace(self.without_training(), shared=True)

    def without_training(self) -> "SavedSession":
        """Return the same without a training that was asked for."""
        if self.training is None:
            return self
        return msgspec.structs.replace(self, runs=self.runs[:-1], training=None)

    def digests(self) -> set[str]:
        """Return the digests of all texts that it refers to."""
        fields = [self.typed, self.encode.text, self.encode.ids]
        fields += [*self.compare.text.digests(), *self.disagree.text.digests()]
        return {run.text.digest for run in self.runs} | {digest for digest in fields if digest}

    def file_digests(self) -> set[str]:
        """Return the digests of all packed files that it refers to."""
        files = [file for each in self.tokenizers.values() for file in each.files]
        return {file.digest for file in (*files, *(run.counts for run in self.runs if run.counts))}


def write_document(document: SavedSession) -> str:
    """Return it as JSON. Raises SavedSessionError for what read_document would not read again."""
    try:
        written = msgspec.json.encode(document)
    except (msgspec.MsgspecError, OverflowError, UnicodeError, TypeError) as error:
        raise SavedSessionError(f"it can't be written ({error})") from None
    _decoded(written)
    return written.decode("utf-8")


@dataclass(frozen=True)
class _Version:
    version: int = 0


def read_document(data: str | bytes, texts: Collection[str]) -> SavedSession:
    """Return a document from JSON that may come from anybody.

    ``texts``: the digests of the texts and packed files that came with it. Raises SavedSessionError if it is
    no document, or a text or file is missing.
    """
    document = _decoded(data)
    for kind, digests in (("texts", document.digests()), ("files", document.file_digests())):
        if missing := digests.difference(texts):
            raise SavedSessionError(f"{len(missing)} of its {kind} are missing")
    return document


def _decoded(data: str | bytes) -> SavedSession:
    if len(data) > MOST_DOCUMENT_BYTES:
        raise SavedSessionError(f"it has more than {MOST_DOCUMENT_BYTES:,} bytes")
    try:
        if json_decoder(_Version).decode(data).version > VERSION:
            raise SavedSessionError("a newer bpeviz made it; update this one")
        document = json_decoder(SavedSession).decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise SavedSessionError(f"it is not a session ({error})") from None
    if document.training is not None and not document.runs:
        raise SavedSessionError("its training has no run")
    return document
