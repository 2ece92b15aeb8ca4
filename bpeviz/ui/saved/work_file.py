"""A saved session as one file: the document with its texts, as JSON, for another machine or for later."""

from typing import Annotated

import msgspec
from msgspec import Meta

from bpeviz.decoders import json_decoder
from bpeviz.limits import limits
from bpeviz.storage.errors import WorkDocumentError
from bpeviz.storage.work_document import Digest
from bpeviz.storage.work_store import text_digest
from bpeviz.ui.saved.session_document import describe, read_session_document, texts_of
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.work import SessionToOpen

__all__ = ["read_work_file", "write_work_file"]


#: More than a document refers to: one for each of its runs, and those of the fields.
MOST_TEXTS = 100


class WorkFile(msgspec.Struct, forbid_unknown_fields=True):
    """What the file holds: the ``document`` of the session, and its ``texts`` by digest.

    A key that is no digest ends reading at once: msgspec checks how many there are only after all are read.
    """

    document: msgspec.Raw
    texts: Annotated[dict[Digest, str], Meta(max_length=MOST_TEXTS)]


def write_work_file(state: Session) -> bytes:
    """Return the session as it is now, as the bytes of a file."""
    document, texts = describe(state, state.work.digests)
    return msgspec.json.encode(WorkFile(msgspec.Raw(msgspec.json.encode(document)), texts))


def read_work_file(data: bytes) -> SessionToOpen:
    """Return the saved session in a file that may come from anybody. Raises WorkDocumentError."""
    if len(data) > limits().max_upload_bytes:
        raise WorkDocumentError(f"it has more than {limits().max_upload_bytes // 2**20} MB")
    try:
        file = json_decoder(WorkFile).decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise WorkDocumentError(f"the file is none that bpeviz wrote ({error})") from None
    texts = {digest: text.encode("utf-8") for digest, text in file.texts.items()}
    if any(text_digest(data) != digest for digest, data in texts.items()):
        raise WorkDocumentError("a text in the file was changed")
    document = read_session_document(bytes(file.document), texts)
    return SessionToOpen(document, texts_of(texts, document.digests()))
