"""Saving a session as it changes, under a random id in the page's address.

If saving fails, the page says so and everything else still works. Two tabs at one address don't overwrite
each other: the second one to change something is saved as a new session.
"""

import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from functools import cache, partial
from hashlib import sha256
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import streamlit as st

from bpeviz.base_error import BpevizError
from bpeviz.limits import limits
from bpeviz.storage.errors import (
    NoRoomError,
    StorageError,
    WorkChangedError,
    WorkDocumentError,
)
from bpeviz.storage.open_notes import OpenNotes
from bpeviz.storage.work_document import WorkDocument, write_document
from bpeviz.storage.work_store import WorkLimits, WorkStore, data_directory, new_work_id
from bpeviz.ui.saved.session_document import describe, files_of, title_of
from bpeviz.ui.saved.work_file import read_work_file
from bpeviz.ui.server.streamlit_internals import served_session
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.work import SessionToOpen

__all__ = [
    "WORK",
    "begin_unsaved",
    "forget",
    "keep",
    "open_notes",
    "person",
    "restore",
    "save_copy",
    "save_file",
    "save_uploaded",
    "set_aside",
    "start_new",
    "store",
]

#: The parameter of the address.
WORK = "work"
#: Parameters of a page, which stay beside it.
PAGE_PARAMETERS = ("lesson", "stop", "challenge")
#: After a failure, clicks don't wait for the file again for so long.
RETRY_SECONDS = 10.0
BUSY_SECONDS = 1.0

_opening = threading.Lock()


def store() -> WorkStore:
    """Return the store of saved sessions. Raises StorageError."""
    with _opening:
        return _open(data_directory())


@cache
def _open(directory: Path) -> WorkStore:
    most = limits()
    kept = WorkLimits(
        most.work_bytes,
        most.total_saved_bytes,
        most.saved_age_days,
        most.safe_days,
        most.person_share,
        most.works_per_hour,
    )
    return WorkStore.open(directory, kept, busy_seconds=BUSY_SECONDS)


def open_notes() -> OpenNotes:
    """Return the notes about saved sessions that this server works on."""
    return _notes(data_directory() / "open")


_notes = cache(OpenNotes)


def keep(state: Session) -> bool:
    """Save the session if it changed; note the fault if that fails. Return whether it got another id."""
    work = state.work
    with work.saving:
        before = work.work_id
        if work.to_open is None:
            _save_changes(state)
        address = work.work_id or work.copy_of
    asked = st.query_params.to_dict()
    wanted = {WORK: address} | {name: asked[name] for name in PAGE_PARAMETERS if name in asked}
    if address and asked != wanted:
        st.query_params.from_dict(wanted)  # a link to another page goes there without it
    return work.work_id != before


def _save_changes(state: Session) -> None:
    work = state.work
    try:
        document, texts = describe(state, work.digests)
        written = write_document(document)
    except WorkDocumentError as error:
        work.fault = str(error)
        return
    _note_unsaved(state, document)
    if not work.work_id and _beginning(state, document) == work.stored:
        return
    if written != work.stored and time.monotonic() >= work.retry_at:
        _save(state, document, texts)


def begin_unsaved(state: Session) -> None:
    """Save nothing of the session until something changes."""
    state.work.stored = _beginning(state, describe(state, state.work.digests)[0])


def _beginning(state: Session, document: WorkDocument) -> str:
    """Return the document without the sample that a session opens with, and without what a person looks at:
    the run and the step. These are no changes."""
    numbers = [run.number for run in state.runs]
    opened_only = state.training.wanted is None and numbers == [state.merges.opened_with]
    runs = () if opened_only else document.runs
    return write_document(msgspec.structs.replace(document, runs=runs, **{"shown": None, "step": 0}))


def _save(state: Session, document: WorkDocument, texts: dict[str, str]) -> None:
    work = state.work
    work_id, replaces = (work.work_id, work.stored) if work.work_id else (new_work_id(), None)
    try:
        _write(work_id, state, document, texts, replaces)
    except WorkChangedError:
        work.work_id, work.stored = "", ""
        work.notice = "This session was changed in another tab. This tab continues as a new session."
        _save(state, document, texts)
    except BpevizError as error:
        if document.tokenizers and _lacks_room(error):
            state.tokenizers.refused |= document.tokenizers.keys()
            _save_changes(state)  # everything else
            return
        work.fault, work.retry_at = str(error), time.monotonic() + RETRY_SECONDS
    else:
        work.own = work.own or not work.work_id
        work.work_id, work.stored, work.fault = work_id, write_document(document), ""


def _lacks_room(error: BpevizError) -> bool:
    return isinstance(error, NoRoomError | StorageError) and error.reason in ("full", "share")


def _note_unsaved(state: Session, document: WorkDocument) -> None:
    """Tell the person once which uploaded tokenizers a document leaves out."""
    saved = document.tokenizers or {}
    unsaved = tuple(each.name for key, each in state.tokenizers.files.items() if key not in saved)
    if unsaved and unsaved != state.work.unsaved:
        state.work.notice = (
            f"Too large to save with this session: {', '.join(unsaved)}. You can use it until you close or "
            f"reload the page. A session may take {limits().work_bytes // 1_000_000} MB, if the server has "
            "space. Everything else is saved."
        )
    state.work.unsaved = unsaved


def _write(
    work_id: str,
    state: Session,
    document: WorkDocument,
    texts: dict[str, str],
    replaces: str | None = None,
) -> None:
    contents = _contents(texts, files_of(state, document))
    written = write_document(document)
    store().save(work_id, title_of(state), written, contents, replaces=replaces, person=person())


def _contents(texts: Mapping[str, str], files: Mapping[str, bytes]) -> dict[str, Callable[[], bytes]]:
    """Return functions that encode the texts when the store needs their bytes, and the files, by digest."""
    contents: dict[str, Callable[[], bytes]] = {
        digest: partial(text.encode, "utf-8", "surrogatepass") for digest, text in texts.items()
    }
    return contents | {digest: partial(bytes, packed) for digest, packed in files.items()}


def save_copy(state: Session) -> str:
    """Save a copy of the session for others to open; return its id. Raises BpevizError."""
    with state.work.saving:
        document, texts = describe(state, state.work.digests)
    work_id = new_work_id()
    _write(work_id, state, document.as_shared(), texts)
    return work_id


def save_uploaded(to_open: SessionToOpen, title: str) -> str:
    """Save a session from a file; return its id. Raises BpevizError."""
    work_id = new_work_id()
    contents = _contents(to_open.texts, to_open.files)
    store().save(work_id, title, write_document(to_open.document), contents, person=person())
    return work_id


def save_file(data: bytes, title: str) -> str:
    """Save the session in a file for everybody to open a copy; return the parameters of its address.

    The same file gets the same address. Raises BpevizError.
    """
    to_open = read_work_file(data)
    work_id = urlsafe_b64encode(sha256(data).digest()[:16]).decode().rstrip("=")
    contents = _contents(to_open.texts, to_open.files)
    store().save(work_id, title, write_document(to_open.document.as_shared()), contents, person=person())
    return urlencode({WORK: work_id})


def person() -> str:
    """Return who saves on a public server: the network address, or the session if that is unknown.

    All addresses of an IPv6 network of 64 bits count as one, because its users choose the rest. On your own
    machine there is one person.
    """
    if not limits().hosted:
        return ""
    try:
        address = ip_address(_address() or "")
    except ValueError:
        return served_session() or ""
    return str(ip_network((address, 64), strict=False) if address.version == 6 else address)


def _address() -> str | None:
    """Return the visitor's network address; behind a proxy, the one that the proxy passes on."""
    return st.context.ip_address


def forget(state: Session) -> None:
    """Delete the saved session; the page stays. Raises StorageError."""
    work = state.work
    with work.saving:
        if work.work_id:
            store().delete(work.work_id)
            work.deleted, work.deleted_state = work.work_id, work.stored
        start_new(state)


def restore(state: Session) -> bool:
    """Undo the last deletion; return whether that worked. Raises StorageError.

    If this page's session was deleted and not changed since, the page returns to its address.
    """
    work = state.work
    work_id, stored, work.deleted, work.deleted_state = work.deleted, work.deleted_state, "", ""
    if not store().restore(work_id):
        return False
    if stored and not work.work_id:
        work.work_id, work.stored = work_id, stored
    return True


def start_new(state: Session) -> None:
    """Save nothing until something changes, and then as a new session."""
    work = state.work
    with work.saving:
        work.work_id = work.copy_of = work.link = ""
        begin_unsaved(state)
    st.query_params.clear()


def set_aside() -> Path | None:
    """Return where a damaged file of saved sessions was moved."""
    try:
        return store().set_aside
    except StorageError:
        return None
