"""Keeping a session's work as it changes, under a random id in the page's address.

Nothing of it may stand in the way of the work itself: where it cannot be kept, that is said, and all else
goes on. Two tabs at one address do not overwrite each other: the second to change something goes on as a new
work.
"""

import threading
import time
from functools import cache
from ipaddress import ip_address, ip_network
from pathlib import Path

import streamlit as st

from bpeviz.base_error import BpevizError
from bpeviz.limits import limits
from bpeviz.storage.errors import StorageError, WorkChangedError, WorkDocumentError
from bpeviz.storage.work_document import write_document
from bpeviz.storage.work_store import WorkLimits, WorkStore, data_directory, new_work_id
from bpeviz.ui.saved.session_document import describe, title_of
from bpeviz.ui.server.streamlit_internals import served_session
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.work import SessionToOpen

__all__ = [
    "WORK",
    "begin_anew",
    "forget",
    "keep",
    "person",
    "restore",
    "save_copy",
    "save_uploaded",
    "set_aside",
    "store",
]

#: The parameter of the address.
WORK = "work"
#: Where the file cannot be used, clicks do not wait for it all the time.
RETRY_SECONDS = 10.0
BUSY_SECONDS = 1.0

_opening = threading.Lock()


def store() -> WorkStore:
    """Where all work is kept. Raises StorageError."""
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


def keep(state: Session) -> None:
    """Save the session's work if it changed since that was done last; note where it cannot be."""
    work = state.work
    with work.saving:
        if work.to_open is None:
            _save_changes(state)
        address = work.work_id or work.copy_of
    if address and st.query_params.to_dict() != {WORK: address}:
        st.query_params.from_dict({WORK: address})  # a link to another page goes there without it


def _save_changes(state: Session) -> None:
    work = state.work
    try:
        document, texts = describe(state, work.digests)
        written = write_document(document)
    except WorkDocumentError as error:
        work.fault = str(error)
        return
    if written != work.stored and time.monotonic() >= work.retry_at:
        _save(state, written, texts)


def _save(state: Session, written: str, texts: dict[str, str]) -> None:
    work = state.work
    work_id, replaces = (work.work_id, work.stored) if work.work_id else (new_work_id(), None)
    try:
        _write(work_id, state, written, texts, replaces)
    except WorkChangedError:
        work.work_id, work.stored = "", ""
        work.notice = "This work was changed elsewhere, as in another tab. What you do here is kept apart."
        _save(state, written, texts)
    except BpevizError as error:
        work.fault, work.retry_at = str(error), time.monotonic() + RETRY_SECONDS
    else:
        work.work_id, work.stored, work.fault = work_id, written, ""


def _write(
    work_id: str, state: Session, written: str, texts: dict[str, str], replaces: str | None = None
) -> None:
    encoders = {digest: _Encoder(text) for digest, text in texts.items()}
    store().save(work_id, title_of(state), written, encoders, replaces=replaces, person=person())


class _Encoder:
    """Gives the bytes of a text once they are asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __call__(self) -> bytes:
        return self._text.encode("utf-8", "surrogatepass")


def save_copy(state: Session) -> str:
    """Save the work as it is now, for others to open; gives its id. Raises BpevizError."""
    with state.work.saving:
        document, texts = describe(state, state.work.digests)
    work_id = new_work_id()
    _write(work_id, state, write_document(document.as_shared()), texts)
    return work_id


def save_uploaded(to_open: SessionToOpen, title: str) -> str:
    """Save work from a file as it is; gives its id. Raises BpevizError."""
    work_id = new_work_id()
    encoders = {digest: _Encoder(text) for digest, text in to_open.texts.items()}
    store().save(work_id, title, write_document(to_open.document), encoders, person=person())
    return work_id


def person() -> str:
    """What tells apart who saves on a public server: the network address, or the session if that is unknown.

    Only one address counts for a whole network of IPv6, as its users choose the rest. On one's own machine
    there is one person.
    """
    if not limits().hosted:
        return ""
    try:
        address = ip_address(_address() or "")
    except ValueError:
        return served_session() or ""
    return str(ip_network((address, 64), strict=False) if address.version == 6 else address)


def _address() -> str | None:
    """The network address of who is served; behind a proxy what that passes on."""
    return st.context.ip_address


def forget(state: Session) -> None:
    """Delete the session's work from where it is kept; what is on the page stays. Raises StorageError."""
    work = state.work
    with work.saving:
        if work.work_id:
            store().delete(work.work_id)
            work.deleted, work.deleted_state = work.work_id, work.stored
        begin_anew(state)


def restore(state: Session) -> bool:
    """Undo the last deletion; returns whether the work is there again. Raises StorageError.

    If it was the work on this page, and nothing was changed since, the page goes on at its address.
    """
    work = state.work
    work_id, stored, work.deleted, work.deleted_state = work.deleted, work.deleted_state, "", ""
    if not store().restore(work_id):
        return False
    if stored and not work.work_id:
        work.work_id, work.stored = work_id, stored
    return True


def begin_anew(state: Session) -> None:
    """Keep nothing until something changes, and then as a new work."""
    work = state.work
    with work.saving:
        work.work_id = work.copy_of = work.link = ""
        work.stored = write_document(describe(state, work.digests)[0])
    st.query_params.clear()


def set_aside() -> Path | None:
    """Where a damaged file of saved work went."""
    try:
        return store().set_aside
    except StorageError:
        return None
