"""The document of a saved session: what its runs are trained from, and the types that its other fields use.

It holds no merges: training is deterministic, so a text, settings and choices give the same run again. It
holds no texts, only their SHA-256; the store keeps the texts beside it. Anybody may have written a document,
so reading checks it against the types below.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal, Self, TypeVar, get_args

import msgspec
from msgspec import Meta

from bpeviz.decoders import json_decoder
from bpeviz.formats import MOST_FILES
from bpeviz.limits import limits
from bpeviz.sessions.errors import SavedSessionError
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.choice import Choice, check_choices
from bpeviz.training.errors import ChoiceError
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import CUSTOM_SPLIT, RECIPE_SPLIT, TrainingSettings

__all__ = [
    "MOST_FEW",
    "MOST_NAME_CHARACTERS",
    "MOST_PATTERN_CHARACTERS",
    "MOST_SETTING",
    "Digest",
    "Few",
    "FileDigest",
    "FileKey",
    "Many",
    "Name",
    "Number",
    "SavedFile",
    "SavedPart",
    "SavedRun",
    "SavedSession",
    "SavedSettings",
    "SavedText",
    "SavedTokenizer",
    "SavedTraining",
    "SpecialTokens",
    "TokenId",
    "allowed",
    "allowed_run",
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
#: The greatest value of the settings that limit no work.
MOST_SETTING = 1_000_000

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
FileDigest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", title="of a packed file")]
#: The key of an uploaded tokenizer.
FileKey = Annotated[str, Meta(pattern="^file-[0-9]{1,9}$")]
Number = Annotated[int, Meta(ge=0, le=2**53)]
TokenId = Annotated[int, Meta(ge=0, lt=2**31)]
Name = Annotated[str, Meta(max_length=MOST_NAME_CHARACTERS)]
Few = Meta(max_length=MOST_FEW)
Many = Meta(max_length=10_000)
SpecialTokens = Annotated[tuple[Name, ...], Few]

_USUAL = TrainingSettings()


class SavedPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class SavedText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text: its name and digest, and which part of a large corpus it is."""

    name: Name
    digest: Digest
    part: SavedPart | msgspec.UnsetType = msgspec.UNSET


class SavedSettings(msgspec.Struct, frozen=True):
    """The training settings that a person chooses: names and numbers, no rules. Those that are None are
    not written."""

    recipe: Name = _USUAL.recipe_name
    split: Name = _USUAL.split
    custom_pattern: Annotated[str, Meta(max_length=MOST_PATTERN_CHARACTERS)] = ""
    num_merges: Number = _USUAL.num_merges
    min_frequency: Number = _USUAL.min_frequency
    vocab_size: Number | msgspec.UnsetType = msgspec.UNSET
    special_tokens: SpecialTokens | msgspec.UnsetType = msgspec.UNSET
    max_token_length: Number | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, settings: TrainingSettings) -> "SavedSettings":
        """Return what is saved of settings, besides their choices."""
        named = replace(settings, recipe=settings.recipe_name)
        values = {field: getattr(named, field) for field in cls.__struct_fields__}
        return cls(**{field: value for field, value in values.items() if value is not None})

    def chosen(self) -> TrainingSettings:
        """Return them as settings to train with; anybody may have written them."""
        values = msgspec.structs.asdict(self)
        return TrainingSettings(**{k: value for k, value in values.items() if value is not msgspec.UNSET})


class SavedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file: its name, its size unpacked, and the digest of its packed bytes."""

    name: Name
    byte_total: Number
    digest: FileDigest


class SavedRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to train a run from; on a large corpus, the packed ``counts`` of all of it."""

    name: Name
    text: SavedText
    settings: SavedSettings
    choices: Annotated[tuple[Choice, ...], Many] = ()
    counts: SavedFile | msgspec.UnsetType = msgspec.UNSET


class SavedTraining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A training that was asked for and not done. ``parent``: for a fork, the place of the run it forks."""

    parent: Number | None = None


class SavedTokenizer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An uploaded tokenizer: its files, and the split pattern that the person chose for them."""

    name: Name
    files: Annotated[tuple[SavedFile, ...], Meta(min_length=1, max_length=MOST_FILES)]
    split: Name | None = None


class SavedSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The runs of a saved session, the oldest first; a subclass adds the fields of the page's state.

    ``shared``: others may open it, each gets a copy. With a ``training``, the last of ``runs`` was still
    training. ``tokenizers``: the uploaded ones, by key. Without a training, tokenizers or large corpora
    nothing is written for them, so that an older bpeviz can read the document.
    """

    runs: Annotated[tuple[SavedRun, ...], Few]
    shared: bool = False
    version: Literal[1] = 1
    training: SavedTraining | msgspec.UnsetType = msgspec.UNSET
    tokenizers: Annotated[dict[FileKey, SavedTokenizer], Few] | msgspec.UnsetType = msgspec.UNSET

    def as_shared(self) -> Self:
        """Return the same, for others to open."""
        return msgspec.structs.replace(self.without_training(), shared=True)

    def without_training(self) -> Self:
        """Return the same without a training that was asked for."""
        if self.training is msgspec.UNSET:
            return self
        return msgspec.structs.replace(self, runs=self.runs[:-1], training=msgspec.UNSET)

    def digests(self) -> set[str]:
        """Return the digests of all texts that it refers to."""
        return set(_digests(self, Digest))

    def file_digests(self) -> set[str]:
        """Return the digests of all packed files that it refers to."""
        return set(_digests(self, FileDigest))


def _digests(value: object, kind: object) -> Iterator[str]:
    """Yield the values of all fields of the type ``kind`` in a part of a document."""
    match value:
        case msgspec.Struct():
            for field in msgspec.structs.fields(value):
                inside = getattr(value, field.name)
                if isinstance(inside, str) and kind in (field.type, *get_args(field.type)):
                    yield inside
                yield from _digests(inside, kind)
        case tuple():
            for inside in value:
                yield from _digests(inside, kind)
        case dict():
            yield from _digests(tuple(value.values()), kind)


Document = TypeVar("Document", bound=SavedSession)


def write_document(document: SavedSession) -> str:
    """Return it as JSON. Raises SavedSessionError for what read_document would not read again."""
    try:
        written = msgspec.json.encode(document)
    except (msgspec.MsgspecError, OverflowError, UnicodeError, TypeError) as error:
        raise SavedSessionError(f"it can't be written ({error})") from None
    _decoded(written, type(document))
    return written.decode("utf-8")


@dataclass(frozen=True)
class _Version:
    version: int = 0


def read_document(data: str | bytes, texts: Collection[str], as_type: type[Document]) -> Document:
    """Return a document from JSON that may come from anybody.

    ``texts``: the digests of the texts and packed files that came with it. Raises SavedSessionError if it is
    no document of this type, or a text or file is missing.
    """
    document = _decoded(data, as_type)
    for kind, digests in (("texts", document.digests()), ("files", document.file_digests())):
        if missing := digests.difference(texts):
            raise SavedSessionError(f"{len(missing)} of its {kind} are missing")
    return document


def _decoded(data: str | bytes, as_type: type[Document]) -> Document:
    if len(data) > MOST_DOCUMENT_BYTES:
        raise SavedSessionError(f"it has more than {MOST_DOCUMENT_BYTES:,} bytes")
    try:
        if json_decoder(_Version).decode(data).version > VERSION:
            raise SavedSessionError("a newer bpeviz made it; update this one")
        document = json_decoder(as_type).decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise SavedSessionError(f"it is not a session ({error})") from None
    if document.training is not msgspec.UNSET and not document.runs:
        raise SavedSessionError("its training has no run")
    return document


def allowed(settings: SavedSettings) -> TrainingSettings:
    """Return the settings if a person can choose them on this page. Raises SavedSessionError."""
    if settings.recipe not in RECIPES:
        raise SavedSessionError(f"there is no recipe called {settings.recipe[:40]!r}")
    if settings.split not in (RECIPE_SPLIT, CUSTOM_SPLIT, *SPLIT_PATTERNS):
        raise SavedSessionError(f"there is no split pattern called {settings.split[:40]!r}")
    if not 1 <= settings.num_merges <= limits().max_merges:
        raise SavedSessionError(f"merges go from 1 to {limits().max_merges:,} here")
    for name, value in (
        ("minimum frequency", settings.min_frequency),
        ("vocabulary size", settings.vocab_size),
        ("longest token", settings.max_token_length),
    ):
        if value is not msgspec.UNSET and not 1 <= value <= MOST_SETTING:
            raise SavedSessionError(f"the {name} goes from 1 to {MOST_SETTING:,}")
    if len(settings.custom_pattern) > MOST_PATTERN_CHARACTERS:
        raise SavedSessionError("its split pattern is too long")
    return settings.chosen()


def allowed_run(run: SavedRun) -> TrainingSettings:
    """Return the settings of a run with its choices if a person can make them. Raises SavedSessionError."""
    settings = allowed(run.settings)
    try:
        check_choices(run.choices, settings.num_merges)
    except ChoiceError as error:
        merge = error.rank + 1 if isinstance(error.rank, int) else error.rank
        raise SavedSessionError(f"its choice at merge {merge} can't be made, because {error.why}") from None
    if any(not 0 <= token < 2**31 for choice in run.choices for token in choice.pair):
        raise SavedSessionError("its choices name tokens that can't exist")
    return replace(settings, choices=run.choices)
