"""A saved session as one file: the document with its texts, as JSON, for another machine or for later."""

from typing import Annotated

import msgspec
from msgspec import Meta

from bpeviz.decoders import json_decoder
from bpeviz.limits import limits
from bpeviz.storage.errors import WorkDocumentError
from bpeviz.storage.work_document import Digest, Few, WorkDocument
from bpeviz.storage.work_store import text_digest
from bpeviz.ui.saved.session_document import describe, files_of, read_session_document, texts_of
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.work import SessionToOpen

__all__ = ["read_work_file", "write_work_file"]


#: More than a document refers to: one for each of its runs, and those of the fields.
MOST_TEXTS = 100


class WorkFile(msgspec.Struct, forbid_unknown_fields=True):
    """What the file holds: the ``document`` of the session, its ``texts`` and packed ``files`` by digest.

    Without files nothing is written for them, so that an older bpeviz can read the file. A key
    that is no digest ends reading at once: msgspec checks how many there are only after all are read.
    """

    document: msgspec.Raw
    texts: Annotated[dict[Digest, str], Meta(max_length=MOST_TEXTS)]
    files: Annotated[dict[Digest, bytes], Few] | msgspec.UnsetType = msgspec.UNSET


def write_work_file(state: Session) -> bytes:
    """Return the session as it is now, as the bytes of a file.

    Without the uploaded tokenizers, if it would be too large to be opened with them.
    """
    document, texts = describe(state, state.work.digests)
    files = files_of(state, document)
    written = _written(document, texts, files)
    if files and len(written) > limits().max_upload_bytes:
        written = _written(msgspec.structs.replace(document, tokenizers=msgspec.UNSET), texts, {})
    return written


def _written(document: WorkDocument, texts: dict[str, str], files: dict[str, bytes]) -> bytes:
    raw = msgspec.Raw(msgspec.json.encode(document))
    return msgspec.json.encode(WorkFile(raw, texts, files or msgspec.UNSET))


def read_work_file(data: bytes) -> SessionToOpen:
    """Return the saved session in a file that may come from anybody. Raises WorkDocumentError."""
    if len(data) > limits().max_upload_bytes:
        raise WorkDocumentError(f"it has more than {limits().max_upload_bytes // 2**20} MB")
    try:
        file = json_decoder(WorkFile).decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise WorkDocumentError(f"the file is none that bpeviz wrote ({error})") from None
    contents = {digest: text.encode("utf-8") for digest, text in file.texts.items()} | (file.files or {})
    if any(text_digest(data) != digest for digest, data in contents.items()):
        raise WorkDocumentError("a text in the file was changed")
    document = read_session_document(bytes(file.document), contents)
    files = {digest: contents[digest] for digest in document.file_digests()}
    return SessionToOpen(document, texts_of(contents, document.digests()), files=files)
