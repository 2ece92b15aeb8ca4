"""Keeping a session's work as it changes, under a random id in the page's address.

Nothing of it may stand in the way of the work itself: where it cannot be kept, that is said, and all else
goes on. Two tabs at one address do not overwrite each other: the second to change something goes on as a new
work.
"""

import threading
import time
from functools import cache
from pathlib import Path

import streamlit as st

from bpeviz.errors import BpevizError, StorageError, WorkChangedError
from bpeviz.ui.limits import limits
from bpeviz.ui.session_document import describe, title_of
from bpeviz.ui.state import Session
from bpeviz.ui.work_document import write_document
from bpeviz.ui.work_fields import Coming
from bpeviz.work_store import WorkLimits, WorkStore, data_directory, new_work_id

__all__ = ["WORK", "begin_anew", "forget", "keep", "save_coming", "save_copy", "set_aside", "store"]

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
    kept = WorkLimits(most.work_bytes, most.total_saved_bytes, most.saved_age_days)
    return WorkStore.open(directory, kept, busy_seconds=BUSY_SECONDS)


def keep(state: Session) -> None:
    """Save the session's work if it changed since that was done last; note where it cannot be."""
    work = state.work
    if work.coming is None:
        document, texts = describe(state, work.digests)
        written = write_document(document)
        if written != work.stored and time.monotonic() >= work.retry_at:
            _save(state, written, texts)
    address = work.work_id or work.copy_of
    if address and st.query_params.to_dict() != {WORK: address}:
        st.query_params.from_dict({WORK: address})  # a link to another page goes there without it


def _save(state: Session, written: str, texts: dict[str, str]) -> None:
    work = state.work
    work.work_id, replaces = (work.work_id, work.stored) if work.work_id else (new_work_id(), None)
    try:
        _write(work.work_id, state, written, texts, replaces)
    except WorkChangedError:
        work.work_id, work.stored = new_work_id(), ""
        work.notice = "This work was changed elsewhere, as in another tab. What you do here is kept apart."
        _save(state, written, texts)
    except BpevizError as error:
        work.fault, work.retry_at = str(error), time.monotonic() + RETRY_SECONDS
    else:
        work.stored, work.fault = written, ""


def _write(
    work_id: str, state: Session, written: str, texts: dict[str, str], replaces: str | None = None
) -> None:
    encoders = {digest: _Encoder(text) for digest, text in texts.items()}
    store().save(work_id, title_of(state), written, encoders, replaces=replaces)


class _Encoder:
    """Gives the bytes of a text once they are asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __call__(self) -> bytes:
        return self._text.encode("utf-8", "surrogatepass")


def save_copy(state: Session) -> str:
    """Save the work as it is now, for others to open; gives its id. Raises BpevizError."""
    document, texts = describe(state, state.work.digests)
    work_id = new_work_id()
    _write(work_id, state, write_document(document.as_shared()), texts)
    return work_id


def save_coming(coming: Coming, title: str) -> str:
    """Save work from a file as it is; gives its id. Raises BpevizError."""
    work_id = new_work_id()
    encoders = {digest: _Encoder(text) for digest, text in coming.texts.items()}
    store().save(work_id, title, write_document(coming.document), encoders)
    return work_id


def forget(state: Session) -> None:
    """Delete the session's work from where it is kept; what is on the page stays. Raises StorageError."""
    if state.work.work_id:
        store().delete(state.work.work_id)
    begin_anew(state)


def begin_anew(state: Session) -> None:
    """Keep nothing until something changes, and then as a new work."""
    work = state.work
    work.work_id = work.copy_of = work.link = ""
    work.stored = write_document(describe(state, work.digests)[0])
    st.query_params.clear()


def set_aside() -> Path | None:
    """Where a damaged file of saved work went."""
    try:
        return store().set_aside
    except StorageError:
        return None
