"""Saving a session as it changes, under a random id in the page's address.

If saving fails, the page says so and everything else still works. Two tabs at one address don't overwrite
each other: the second one to change something is saved as a new session. A page that a reload has ended saves
nothing once the new one has opened the session.
"""

import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import streamlit as st

from bpeviz.errors import (
    BpevizError,
    SavedSessionError,
    SessionChangedError,
    SessionTooLargeError,
    StorageError,
)
from bpeviz.limits import limits
from bpeviz.sessions.document import SavedSession
from bpeviz.sessions.document_json import write_document
from bpeviz.sessions.open_notes import OpenNotes
from bpeviz.sessions.store import SessionStore, StoreLimits, data_directory, new_saved_id
from bpeviz.ui.server.visitors import visitor
from bpeviz.ui.session.describe import describe, files_of, title_of
from bpeviz.ui.session.opening import read_session_file, save_unless_left
from bpeviz.ui.session.saving_state import SessionToOpen
from bpeviz.ui.session.session import Session

__all__ = [
    "SESSION",
    "begin_unsaved",
    "forget",
    "open_notes",
    "restore",
    "save_copy",
    "save_file",
    "save_session",
    "save_uploaded",
    "set_aside",
    "start_new",
    "store",
]

#: The parameter of the address.
SESSION = "session"
#: Parameters of a page, which stay beside it.
PAGE_PARAMETERS = ("lesson", "stop", "challenge", "card")
#: After a failure, clicks don't wait for the file again for so long.
RETRY_SECONDS = 10.0
BUSY_SECONDS = 1.0

_opening = threading.Lock()


def store() -> SessionStore:
    """Return the store of saved sessions. Raises StorageError."""
    with _opening:
        return _open(data_directory())


@cache
def _open(directory: Path) -> SessionStore:
    most = limits()
    of_visitor = int(most.total_saved_bytes * most.visitor_share)
    kept = StoreLimits(most.session_bytes, of_visitor, most.total_saved_bytes, most.saved_age_days)
    return SessionStore(directory, kept, busy_seconds=BUSY_SECONDS, public=most.hosted)


def open_notes() -> OpenNotes:
    """Return the notes about saved sessions that this server works on."""
    return _notes(data_directory() / "open")


_notes = cache(OpenNotes)


def save_session(state: Session) -> bool:
    """Save the session if it changed; note the fault if that fails. Return whether it got another id.

    What a frame of another page shows is in its address, so it is not saved.
    """
    if st.context.is_embedded:
        return False
    saving = state.saving
    with saving.lock:
        before = saving.saved_id
        if saving.to_open is None:
            _save_changes(state)
        address = saving.saved_id or saving.copy_of
    asked = st.query_params.to_dict()
    wanted = {SESSION: address} | {name: asked[name] for name in PAGE_PARAMETERS if name in asked}
    if address and asked != wanted:
        st.query_params.from_dict(wanted)  # a link to another page goes there without it
    return saving.saved_id != before


def _save_changes(state: Session) -> None:
    saving = state.saving
    try:
        document, texts = describe(state, saving.digests)
        written = write_document(document)
    except SavedSessionError as error:
        saving.fault = str(error)
        return
    _note_unsaved(state, document)
    if not saving.saved_id and _beginning(state, document) == saving.stored:
        return
    if written != saving.stored and time.monotonic() >= saving.retry_at:
        _save(state, document, texts)


def begin_unsaved(state: Session) -> None:
    """Save nothing of the session until something changes."""
    state.saving.stored = _beginning(state, describe(state, state.saving.digests)[0])


def _beginning(state: Session, document: SavedSession) -> str:
    """Return the document without the sample that a session opens with, and without what a person looks at:
    the run and the step. These are no changes."""
    numbers = [run.number for run in state.runs]
    opened_only = state.training.wanted is None and numbers == [state.opened_with]
    runs = () if opened_only else document.runs
    return write_document(msgspec.structs.replace(document, runs=runs, **{"shown": None, "step": 0}))


def _save(state: Session, document: SavedSession, texts: dict[str, str]) -> None:
    saving = state.saving
    saved_id, replaces = (saving.saved_id, saving.stored) if saving.saved_id else (new_saved_id(), None)
    write = partial(_write, saved_id, state, document, texts, replaces)
    try:
        if not save_unless_left(saved_id, state, write):
            return
    except SessionChangedError:
        saving.saved_id, saving.stored = "", ""
        saving.notice = "This session was changed in another tab. This tab continues as a new session."
        _save(state, document, texts)
    except BpevizError as error:
        if document.tokenizers and _lacks_room(error):
            state.tokenizers.refused |= document.tokenizers.keys()
            _save_changes(state)  # everything else
            return
        saving.fault, saving.retry_at = str(error), time.monotonic() + RETRY_SECONDS
    else:
        saving.own = saving.own or not saving.saved_id
        saving.saved_id, saving.stored, saving.fault = saved_id, write_document(document), ""


def _lacks_room(error: BpevizError) -> bool:
    full = isinstance(error, StorageError) and error.reason == "full"
    return full or isinstance(error, SessionTooLargeError)


def _note_unsaved(state: Session, document: SavedSession) -> None:
    """Tell the person once which uploaded tokenizers a document leaves out."""
    saved = document.tokenizers or {}
    unsaved = tuple(each.name for key, each in state.tokenizers.files.items() if key not in saved)
    if unsaved and unsaved != state.saving.unsaved:
        state.saving.notice = (
            f"Too large to save with this session: {', '.join(unsaved)}. You can use it until you close or "
            f"reload the page. A session may take {limits().session_bytes // 1_000_000} MB, if the server "
            "has space. Everything else is saved."
        )
    state.saving.unsaved = unsaved


def _write(
    saved_id: str,
    state: Session,
    document: SavedSession,
    texts: dict[str, str],
    replaces: str | None = None,
) -> None:
    contents = _contents(texts, files_of(state, document))
    written = write_document(document)
    store().save(saved_id, title_of(state, document), written, contents, replaces=replaces, visitor=visitor())


def _contents(texts: Mapping[str, str], files: Mapping[str, bytes]) -> dict[str, Callable[[], bytes]]:
    """Return functions that encode the texts when the store needs their bytes, and the files, by digest."""
    contents: dict[str, Callable[[], bytes]] = {
        digest: partial(text.encode, "utf-8", "surrogatepass") for digest, text in texts.items()
    }
    return contents | {digest: partial(bytes, packed) for digest, packed in files.items()}


def save_copy(state: Session) -> str:
    """Save a copy of the session for others to open; return its id. Raises BpevizError."""
    with state.saving.lock:
        document, texts = describe(state, state.saving.digests)
    saved_id = new_saved_id()
    _write(saved_id, state, document.as_shared(), texts)
    return saved_id


def save_uploaded(to_open: SessionToOpen, title: str) -> str:
    """Save a session from a file; return its id. Raises BpevizError."""
    saved_id = new_saved_id()
    contents = _contents(to_open.texts, to_open.files)
    store().save(saved_id, title, write_document(to_open.document), contents, visitor=visitor())
    return saved_id


def save_file(data: bytes, title: str) -> str:
    """Save the session in a file for everybody to open a copy; return the parameters of its address.

    The same file gets the same address. Raises BpevizError.
    """
    to_open = read_session_file(data)
    saved_id = urlsafe_b64encode(sha256(data).digest()[:16]).decode().rstrip("=")
    contents = _contents(to_open.texts, to_open.files)
    store().save(saved_id, title, write_document(to_open.document.as_shared()), contents, visitor=visitor())
    return urlencode({SESSION: saved_id})


def forget(state: Session) -> None:
    """Delete the saved session; the page stays. Raises StorageError."""
    saving = state.saving
    with saving.lock:
        if saving.saved_id:
            store().delete(saving.saved_id)
            saving.deleted, saving.deleted_state = saving.saved_id, saving.stored
        start_new(state)


def restore(state: Session) -> bool:
    """Undo the last deletion; return whether that worked. Raises StorageError.

    If this page's session was deleted and not changed since, the page returns to its address.
    """
    saving = state.saving
    saved_id, stored, saving.deleted, saving.deleted_state = saving.deleted, saving.deleted_state, "", ""
    if not store().restore(saved_id):
        return False
    if stored and not saving.saved_id:
        saving.saved_id, saving.stored = saved_id, stored
    return True


def start_new(state: Session) -> None:
    """Save nothing until something changes, and then as a new session."""
    saving = state.saving
    with saving.lock:
        saving.saved_id = saving.copy_of = saving.link = ""
        begin_unsaved(state)
    st.query_params.clear()


def set_aside() -> Path | None:
    """Return where a damaged file of saved sessions was moved."""
    try:
        return store().set_aside
    except StorageError:
        return None
