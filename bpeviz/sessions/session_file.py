"""A saved session as one file: the document with its texts, as JSON, for another machine or for later.

``bpeviz train … --out run.bpeviz`` writes the same, with one run on a large corpus and its counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta

from bpeviz.corpus.corpus import Corpus
from bpeviz.decoders import json_decoder
from bpeviz.errors import SavedSessionError
from bpeviz.runs.large_corpus import ShownPart, ShownText
from bpeviz.sessions.document import (
    MOST_NAME_CHARACTERS,
    Digest,
    Few,
    SavedFile,
    SavedPart,
    SavedRun,
    SavedSession,
    SavedSettings,
    SavedText,
)
from bpeviz.sessions.document_json import write_document
from bpeviz.sessions.store import text_digest
from bpeviz.text.split_patterns import CUSTOM
from bpeviz.training.settings import CUSTOM_SPLIT, TrainingSettings

__all__ = [
    "MOST_TEXTS",
    "FileContents",
    "read_file",
    "run_file",
    "saved_counts",
    "saved_part",
    "short_name",
    "write_file",
]

#: More than a document refers to: one for each of its runs, and those of the fields.
MOST_TEXTS = 100


class SessionFile(msgspec.Struct, forbid_unknown_fields=True):
    """What the file holds: the ``document`` of the session, its ``texts`` and packed ``files`` by digest.

    A key that is no digest ends reading at once: msgspec checks how many there are only after all are read.
    """

    document: msgspec.Raw
    texts: Annotated[dict[Digest, str], Meta(max_length=MOST_TEXTS)]
    files: Annotated[dict[Digest, bytes], Few] = {}


@dataclass(frozen=True)
class FileContents:
    """What a file holds: the ``document`` as JSON, and texts and packed files by digest."""

    document: bytes
    contents: Mapping[str, bytes]


def write_file(document: SavedSession, texts: Mapping[str, str], files: Mapping[str, bytes]) -> bytes:
    """Return a document with its texts and packed files, both by digest, as the bytes of a file."""
    raw = msgspec.Raw(write_document(document).encode())
    return msgspec.json.encode(SessionFile(raw, dict(texts), dict(files)))


def read_file(data: bytes) -> FileContents:
    """Return the contents of a file that may come from anybody; the document is not read yet.

    Raises SavedSessionError.
    """
    try:
        file = json_decoder(SessionFile).decode(data)
        contents = {digest: text.encode("utf-8") for digest, text in file.texts.items()} | file.files
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise SavedSessionError(f"bpeviz did not write this file ({error})") from None
    if any(text_digest(data) != digest for digest, data in contents.items()):
        raise SavedSessionError("a text in the file was changed")
    return FileContents(bytes(file.document), contents)


def saved_counts(corpus: Corpus) -> SavedFile:
    """Return what a document says of the counts of a corpus."""
    return SavedFile("counts", corpus.packed.byte_total, corpus.packed.digest)


def short_name(name: str) -> str:
    """Return a name as it is saved: tokens, and so the names of forks, may be as long as a text."""
    return name.encode("utf-8", "replace").decode("utf-8")[:MOST_NAME_CHARACTERS]


def saved_part(part: ShownPart) -> SavedPart:
    """Return what a document says of the part of a corpus that is shown."""
    whole, place = part.whole, part.place
    return SavedPart(
        short_name(whole.name),
        whole.byte_total,
        whole.files_digest,
        short_name(part.file_name),
        None if place is None else place.file,
        0 if place is None else place.offset,
        part.byte_total,
    )


def run_file(settings: TrainingSettings, shown: ShownText) -> bytes:
    """Return a session with one run on a large corpus, of which a part is shown, as the bytes of a file.

    Whoever opens it gets a copy. The split pattern is that of the corpus, whatever the settings say.
    """
    corpus, text, part = shown.counted, shown.text, saved_part(shown.part)
    custom = corpus.split.name == CUSTOM
    saved = msgspec.structs.replace(
        SavedSettings.of(settings),
        split=CUSTOM_SPLIT if custom else corpus.split.name,
        custom_pattern=corpus.split.regex or "" if custom else "",
        by_line=corpus.split.by_line,
    )
    digest = text_digest(text.encode("utf-8"))
    run = SavedRun(
        1,
        short_name(f"{part.corpus}, {settings.recipe_name}"),
        SavedText(short_name(f"shown part of {part.corpus}"), digest, part),
        saved,
        counts=saved_counts(corpus),
    )
    document = SavedSession(runs=(run,), shared=True)
    return write_file(document, {digest: text}, {corpus.packed.digest: corpus.packed.packed})
