"""The document of a saved session: what its runs are trained from, and the fields of the pages.

It holds no merges: training is deterministic, so a text, settings and choices give the same run again. It
holds no texts, only their SHA-256; the store keeps the texts beside it. Anybody may have written a document,
so reading checks it against the types below: see document_json.py.
"""

from dataclasses import replace
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bpeviz.formats.reading import MOST_FILES
from bpeviz.limits import Limits
from bpeviz.runs.run import MOST_RUN_NUMBER
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.start import Start

__all__ = [
    "MOST_DOCUMENT_BYTES",
    "MOST_FEW",
    "MOST_NAME_CHARACTERS",
    "MOST_PART_CHARACTERS",
    "MOST_PATTERN_CHARACTERS",
    "Digest",
    "Few",
    "FileKey",
    "Many",
    "Name",
    "NameByName",
    "Names",
    "Number",
    "RunNumber",
    "SavedFile",
    "SavedPage",
    "SavedPart",
    "SavedRun",
    "SavedSession",
    "SavedSettings",
    "SavedText",
    "SavedTokenizer",
    "SavedTraining",
    "SpecialTokens",
]

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
#: Of a run; see bpeviz.runs.run.new_number.
RunNumber = Annotated[int, Meta(ge=1, le=MOST_RUN_NUMBER)]
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
    by_line: bool = False
    #: The key of the tokenizer that the training begins with; empty for none.
    start: Name = ""

    @classmethod
    def of(cls, settings: TrainingSettings) -> "SavedSettings":
        """Return what is saved of settings, besides their choices."""
        named = replace(settings, recipe=settings.recipe_name)
        values = {field: getattr(named, field) for field in cls.__struct_fields__}
        return cls(**values | {"start": settings.start.key if settings.start else ""})

    def chosen(self, start: Start | None = None) -> TrainingSettings:
        """Return them as settings to train with, which begin with ``start``; anybody may have written
        them."""
        return TrainingSettings(**msgspec.structs.asdict(self) | {"start": start})


class SavedFile(_Saved, frozen=True, forbid_unknown_fields=True):
    """A file: its name, its size unpacked, and the digest of its packed bytes."""

    name: Name
    byte_total: Number
    digest: Digest


class SavedRun(_Saved, frozen=True, forbid_unknown_fields=True):
    """What to train a run from, and the ``number`` that it has in its session; on a large corpus, the packed
    ``counts`` of all of it."""

    number: RunNumber
    name: Name
    text: SavedText
    settings: SavedSettings
    choices: Annotated[tuple[Choice, ...], Many] = ()
    counts: SavedFile | None = None


class SavedTraining(_Saved, frozen=True, forbid_unknown_fields=True):
    """A training that was asked for and not done. ``parent``: for a fork, the number of the run it forks."""

    parent: RunNumber | None = None


class SavedTokenizer(_Saved, frozen=True, forbid_unknown_fields=True):
    """An uploaded tokenizer: its files, and the split pattern that the person chose for them."""

    name: Name
    files: Annotated[tuple[SavedFile, ...], Meta(min_length=1, max_length=MOST_FILES)]
    split: Name | None = None


class SavedPage(_Saved, frozen=True, forbid_unknown_fields=True, eq=False):
    """What is saved of a page: its ``fields``, which it reads when a person opens it, the digests of the
    ``texts`` in them, and what people know these by: ``about``."""

    fields: msgspec.Raw
    texts: Annotated[tuple[Digest, ...], Few] = ()
    about: Name = ""

    def __eq__(self, other: object) -> bool:
        """Compare what is written: msgspec compares the identity of a Raw."""
        if not isinstance(other, SavedPage):
            return NotImplemented
        return self._written == other._written

    def __hash__(self) -> int:
        return hash(self._written)

    @property
    def _written(self) -> tuple[object, ...]:
        return bytes(self.fields), self.texts, self.about


class SavedSession(_Saved, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is saved of a session.

    - ``runs``: the oldest first; with a ``training``, the last of them was still training;
    - ``shared``: others may open it, each gets a copy;
    - ``typed``, ``settings``: the fields for the text and the rules; ``renewals``: how often the widgets of
      the settings were replaced, so that they have the same keys after a lost connection;
    - ``shown``, ``beside``: the numbers of the shown runs; ``step``: how many merges are made;
    - ``sides``: the keys of picked tokenizers, by field; that of a run has its number;
    - ``tokenizers``: the uploaded ones, by key; ``splits``: the patterns chosen for files of the cache;
    - ``pages``: what is saved of each page, by its address. This package doesn't know what that is.
    """

    version: Literal[4] = 4
    runs: Annotated[tuple[SavedRun, ...], Few]
    shared: bool = False
    training: SavedTraining | None = None
    typed: Digest | None = None
    settings: SavedSettings = SavedSettings()
    renewals: Number = 0
    shown: RunNumber | None = None
    beside: RunNumber | None = None
    step: Number = 0
    sides: NameByName = {}
    tokenizers: Annotated[dict[FileKey, SavedTokenizer], Few] = {}
    splits: NameByName = {}
    pages: Annotated[dict[Name, SavedPage], Few] = {}

    def as_shared(self) -> "SavedSession":
        """Return the same, for others to open."""
        return msgspec.structs.replace(self.without_training(), shared=True)

    def without_training(self) -> "SavedSession":
        """Return the same without a training that was asked for."""
        if self.training is None:
            return self
        return msgspec.structs.replace(self, runs=self.runs[:-1], training=None)

    def run(self, number: int | None) -> SavedRun | None:
        """Return the run with this number; None if there is none."""
        return next((run for run in self.runs if run.number == number), None)

    def digests(self) -> set[str]:
        """Return the digests of all texts that it refers to."""
        of_pages = {digest for page in self.pages.values() for digest in page.texts}
        return {run.text.digest for run in self.runs} | of_pages | ({self.typed} if self.typed else set())

    def file_digests(self) -> set[str]:
        """Return the digests of all packed files that it refers to."""
        files = [file for each in self.tokenizers.values() for file in each.files]
        return {file.digest for file in (*files, *(run.counts for run in self.runs if run.counts))}
