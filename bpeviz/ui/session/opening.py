"""Saved sessions that are opened: from a file or the store, within this server's limits.

One may come from a server with other limits, or from somebody who wrote it by hand."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar
from weakref import WeakValueDictionary

import msgspec

from bpeviz.errors import SavedSessionError
from bpeviz.limits import limits
from bpeviz.sessions.document import SavedSession, SavedTokenizer
from bpeviz.sessions.document_json import read_document
from bpeviz.sessions.session_file import read_file, write_file
from bpeviz.ui.session.describe import describe, files_of, room_for_files
from bpeviz.ui.session.put_back import texts_of
from bpeviz.ui.session.saving_state import SessionToOpen
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import MOST_UPLOADED
from bpeviz.ui.session.training import session_connected

__all__ = ["fit", "open_saved", "read_session_file", "save_unless_left", "write_session_file"]

T = TypeVar("T")

#: The session of the page that opened or saved each one last, by the id under which it is saved. A reload
#: begins a new page while a script of the old one may still run, and save at its end. The new page has read
#: the session by then, so to it that would be a change in another tab.
_openers: WeakValueDictionary[str, Session] = WeakValueDictionary()
#: So that no old page saves while a new one opens the session.
_turn = threading.RLock()


def open_saved(saved_id: str, state: Session, load: Callable[[], T]) -> T:
    """Return what ``load`` reads of a saved session, for the page of ``state``."""
    with _turn:
        _openers[saved_id] = state
        return load()


def save_unless_left(saved_id: str, state: Session, save: Callable[[], None]) -> bool:
    """Save a session, unless its browser has left this page and another page has opened it since. Return
    whether it is saved."""
    connected = session_connected()
    with _turn:
        if _openers.get(saved_id, state) is not state and not connected():
            return False
        save()
        _openers[saved_id] = state
        return True


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


def fit(to_open: SessionToOpen) -> tuple[SessionToOpen, str]:
    """Return a saved session within the limits of this server, and what was left out, in words.

    The words are empty if nothing was left out.
    """
    document = to_open.document
    sizes = {digest: len(text.encode("utf-8", "surrogatepass")) for digest, text in to_open.texts.items()}
    texts = {d: text for d, text in to_open.texts.items() if sizes[d] <= limits().max_text_bytes}
    words = []
    runs = document.without_training().runs
    skipped = set(range(len(runs))).difference(_kept_runs(document, sizes))
    if skipped:
        words.append(
            f"{len(skipped)} of {len(runs)} runs are left out. This server opens up to {limits().kept_runs}, "
            f"with {limits().kept_bytes // 1_000_000} MB of text together. "
            f"Each text may have {limits().max_text_megabytes} MB."
        )
        if any(runs[place].counts is not None for place in skipped):
            words.append(
                f"Up to {limits().kept_large_runs} of them may be on large corpora, with "
                f"{limits().max_counts_bytes // 1_000_000} MB of pre-token counts each."
            )
    if document.training is not None and document.runs[-1].text.digest not in texts:
        document = document.without_training()
        words.append("An interrupted training is left out: its text is too long.")
    if not texts.keys() >= msgspec.structs.replace(document, runs=()).digests():
        words.append(f"A text over {limits().max_text_megabytes} MB is left out.")
    document, dropped = _fit_tokenizers(document, to_open.files, room_for_files(sum(sizes.values())))
    if dropped:
        words.append(
            f"Uploaded tokenizers left out: {', '.join(dropped)}. This server opens up to {MOST_UPLOADED}, "
            f"with files of up to {limits().max_upload_bytes // 2**20} MB."
        )
    to_open = replace(to_open, document=document, texts=texts, skipped_runs=frozenset(skipped))
    return to_open, " ".join(words)


def _fit_tokenizers(
    document: SavedSession, files: Mapping[str, bytes], room: int
) -> tuple[SavedSession, list[str]]:
    """Return a document with the uploaded tokenizers that fit, and the names of the others.

    ``room``: how many bytes their packed files may have together.
    """
    kept: dict[str, SavedTokenizer] = {}
    dropped: list[str] = []
    for key, each in document.tokenizers.items():
        packed = sum(len(files[file.digest]) for file in each.files)
        small = all(file.byte_total <= limits().max_upload_bytes for file in each.files)
        if small and packed <= room and len(kept) < MOST_UPLOADED:
            kept[key] = each
            room -= packed
        else:
            dropped.append(each.name)
    return msgspec.structs.replace(document, tokenizers=kept), dropped


def _kept_runs(document: SavedSession, sizes: dict[str, int]) -> set[int]:
    """Return the places of the runs to keep: the shown one, the one beside it, then the latest.

    ``sizes``: of the texts, in bytes, by digest.
    """
    runs = document.without_training().runs
    shown = [document.run(number) for number in (document.shown, document.beside)]
    first = [runs.index(run) for run in shown if run in runs]
    kept: set[int] = set()
    total = large = 0
    for place in dict.fromkeys((*first, *reversed(range(len(runs))))):
        size = sizes[runs[place].text.digest]
        fits = size <= limits().max_text_bytes and total + size <= limits().kept_bytes
        if (counts := runs[place].counts) is not None:
            large += 1
            fits &= counts.byte_total <= limits().max_counts_bytes and large <= limits().kept_large_runs
        if fits and len(kept) < limits().kept_runs:
            kept.add(place)
            total += size
    return kept
