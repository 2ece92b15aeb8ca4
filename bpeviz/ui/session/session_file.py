"""The session as one file, which the person downloads or opens."""

import msgspec

from bpeviz.errors import SavedSessionError
from bpeviz.limits import limits
from bpeviz.sessions.document_json import read_document
from bpeviz.sessions.session_file import read_file, write_file
from bpeviz.ui.session.describe import describe, files_of
from bpeviz.ui.session.put_back import texts_of
from bpeviz.ui.session.saving_state import SessionToOpen
from bpeviz.ui.session.session import Session

__all__ = ["read_session_file", "write_session_file"]


def write_session_file(state: Session) -> bytes:
    """Return the session as it is now, as the bytes of a file.

    Without the uploaded tokenizers, if it would be too large to be opened with them.
    """
    document, texts = describe(state, state.saving.digests)
    written = write_file(document, texts, files_of(state, document))
    if document.tokenizers and len(written) > limits().max_upload_bytes:
        document = msgspec.structs.replace(document, tokenizers={})
        written = write_file(document, texts, files_of(state, document))
    return written


def read_session_file(data: bytes) -> SessionToOpen:
    """Return the saved session in a file that may come from anybody. Raises SavedSessionError."""
    if len(data) > limits().max_upload_bytes:
        raise SavedSessionError(f"it has more than {limits().max_upload_bytes // 2**20} MB")
    file = read_file(data)
    document = read_document(file.document, file.contents)
    files = {digest: file.contents[digest] for digest in document.file_digests()}
    return SessionToOpen(document, texts_of(file.contents, document.digests()), files=files)
