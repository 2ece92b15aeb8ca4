"""Documents as JSON."""

from collections.abc import Collection
from dataclasses import dataclass

import msgspec

from bpeviz.decoders import json_decoder
from bpeviz.errors import SavedSessionError
from bpeviz.sessions.document import MOST_DOCUMENT_BYTES, SavedSession

__all__ = ["read_document", "write_document"]

#: Of the documents that this program writes and reads.
VERSION = 4


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
        version = json_decoder(_Version).decode(data).version
        if version > VERSION:
            raise SavedSessionError("a newer bpeviz made it; update this one")
        if 0 < version < VERSION:
            raise SavedSessionError("a bpeviz before 0.1.0 made it; open it with that one")
        document = json_decoder(SavedSession).decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise SavedSessionError(f"it is not a session ({error})") from None
    if document.training is not None and not document.runs:
        raise SavedSessionError("its training has no run")
    if len({run.number for run in document.runs}) < len(document.runs):
        raise SavedSessionError("two of its runs have the same number")
    return document
