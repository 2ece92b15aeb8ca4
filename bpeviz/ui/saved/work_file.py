"""The session as one file, which the person downloads or opens."""

import msgspec

from bpeviz.limits import limits
from bpeviz.storage.errors import WorkDocumentError
from bpeviz.storage.work_file import read_file, write_file
from bpeviz.ui.saved.session_document import describe, files_of, read_session_document, texts_of
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.work import SessionToOpen

__all__ = ["read_work_file", "write_work_file"]


def write_work_file(state: Session) -> bytes:
    """Return the session as it is now, as the bytes of a file.

    Without the uploaded tokenizers, if it would be too large to be opened with them.
    """
    document, texts = describe(state, state.work.digests)
    written = write_file(document, texts, files_of(state, document))
    if document.tokenizers and len(written) > limits().max_upload_bytes:
        document = msgspec.structs.replace(document, tokenizers=msgspec.UNSET)
        written = write_file(document, texts, files_of(state, document))
    return written


def read_work_file(data: bytes) -> SessionToOpen:
    """Return the saved session in a file that may come from anybody. Raises WorkDocumentError."""
    if len(data) > limits().max_upload_bytes:
        raise WorkDocumentError(f"it has more than {limits().max_upload_bytes // 2**20} MB")
    file = read_file(data)
    document = read_session_document(file.document, file.contents)
    files = {digest: file.contents[digest] for digest in document.file_digests()}
    return SessionToOpen(document, texts_of(file.contents, document.digests()), files=files)
