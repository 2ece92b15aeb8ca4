"""Restoring the session that an address asks for: read it, train its runs again, fill the session."""

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

import streamlit as st

from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.corpus_files import Place
from bpeviz.corpus.packed_counts import unpack_counts
from bpeviz.errors import BpevizError, SavedSessionError
from bpeviz.limits import limits
from bpeviz.runs.large_corpus import LargeCorpus, ShownPart, remembered_counts
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import RunRequest, train_run
from bpeviz.runs.training_words import Progress
from bpeviz.sessions.allowed import allowed_run
from bpeviz.sessions.document import SavedRun, SavedText
from bpeviz.sessions.document_json import read_document
from bpeviz.sessions.store import StoredSession, is_saved_id
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.start import Start
from bpeviz.ui.kit.starts import start_of
from bpeviz.ui.kit.training_bar import train_and_rerun
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.remembering import give_up, is_remembered, remembered
from bpeviz.ui.server.hosting import started_with
from bpeviz.ui.session.opening import fit, open_saved
from bpeviz.ui.session.put_back import put_back, restored_tokenizers, texts_of
from bpeviz.ui.session.saving import SESSION, begin_unsaved, open_notes, restore, store
from bpeviz.ui.session.saving_state import SessionToOpen
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.settings_link import asks_for_settings, read_settings_link
from bpeviz.ui.session.tokenizers import TokenizersState

__all__ = ["find_asked_session", "restore_session", "say_notice", "working_on"]

ENDED_SERVER = (
    "The server stopped while it worked on this session. The session is still saved. "
    "Opening it may stop the server again."
)
INTERRUPTED = "Your training was interrupted and has started again."
SAMPLE_INSTEAD = "You see the sample instead."
COPY_STAYS = "The saved session doesn't change. Your changes are saved as a new session."


def find_asked_session(state: Session) -> None:
    """Read, once in a session, what its address asks for."""
    saving = state.saving
    if saving.address_read:
        return
    saving.address_read = True
    begin_unsaved(state)
    try:
        saving.to_open = _asked_for(state)
        if saving.to_open is not None:
            saving.to_open, saving.left_out = fit(saving.to_open)
            saving.tried = saving.ended_server = open_notes().left(saving.to_open.saved_id)
    except BpevizError as error:
        saving.notice = f"{error} You start with a new session."
        if _in_a_frame_without_session() and isinstance(error, SavedSessionError):
            saving.notice = f"This address can't be opened: {error.reason}. {SAMPLE_INSTEAD}"


def _in_a_frame_without_session() -> bool:
    """Return whether the page is the player in a frame, and its address holds all that it shows. It then says
    nothing about sessions: nothing is saved."""
    return bool(st.context.is_embedded) and SESSION not in st.query_params


def working_on(state: Session) -> AbstractContextManager[None]:
    """Note during a block that this server works on the saved session of this page. If the server ends in the
    meantime, the next one asks before it opens the session."""
    return open_notes().noted(state.saving.shown_id)


def _asked_for(state: Session) -> SessionToOpen | None:
    asked = st.query_params
    if (saved_id := asked.get(SESSION)) is not None:
        return _saved(state, saved_id)
    if asks_for_settings(asked):
        return read_settings_link(asked.to_dict())
    if st.context.is_embedded:
        return None  # a frame doesn't show what the person did last
    if not state.saving.leaves and (saved_id := remembered()) and (saved := _load(state, saved_id)):
        return _to_open(saved_id, saved)
    return None


def _saved(state: Session, saved_id: str) -> SessionToOpen:
    saved = _load(state, saved_id) if is_saved_id(saved_id) else None
    if saved is None and is_saved_id(saved_id) and store().is_deleted(saved_id):
        state.saving.deleted = saved_id
        raise SavedSessionError("it was deleted, but you can still restore it")
    if saved is None:
        lost = (
            ". The server's file of saved sessions was damaged. If yours was in it, it can't be read any more"
        )
        raise SavedSessionError(
            "no session has this address. Check it. A session is deleted "
            f"{limits().saved_age_days} days after its last use, or sooner if space runs out"
            f"{lost if store().was_damaged else ''}"
        )
    return _to_open(saved_id, saved)


def _load(state: Session, saved_id: str) -> StoredSession | None:
    return open_saved(saved_id, state, lambda: store().load(saved_id))


def _to_open(saved_id: str, saved: StoredSession) -> SessionToOpen:
    document = read_document(saved.document, saved.texts)
    texts = texts_of(saved.texts, document.digests())
    files = {digest: saved.texts[digest] for digest in document.file_digests()}
    return SessionToOpen(document, texts, saved_id, saved.document, is_copy=document.shared, files=files)


def restore_session(state: Session) -> bool:
    """Train the runs of the session to restore, then fill the session; return whether the page waits."""
    saving = state.saving
    to_open = saving.to_open
    if to_open is None:
        _train_interrupted_run(state)
        return False
    if state.training.busy:
        st.caption("Training." if _in_a_frame_without_session() else "Restoring your session.")
        return True
    if saving.tried and not _tries_again(state):
        return True
    saving.tried = True
    corpora = _corpora(to_open)
    longest = max(corpora.values(), key=lambda text: text.trained_bytes, default=None)
    if longest is None:
        _fill_session(state, to_open, {})
        st.rerun()
    fill_session = partial(_fill_session, state, to_open)
    train_and_rerun(state, longest, partial(_train_all, to_open, corpora), fill_session, announced=False)
    return True


def _train_interrupted_run(state: Session) -> None:
    """Train the run that the person waits for again, if its training stopped because the connection broke."""
    wanted = state.training.wanted
    if wanted is None or state.training.job is not None:
        return
    state.saving.notice = INTERRUPTED
    training = partial(train_run, wanted)
    show_run = state.show if wanted.parent is None else partial(state.show_fork, wanted.parent)
    train_and_rerun(state, wanted.corpus, training, show_run, asked=wanted)


def _tries_again(state: Session) -> bool:
    if state.saving.ended_server:
        st.warning(ENDED_SERVER, icon=":material/history:")
    elif _in_a_frame_without_session():
        st.info("The training was interrupted.", icon=":material/history:")
    else:
        st.info("Your session isn't open yet. It is still saved.", icon=":material/history:")
    with st.container(horizontal=True):
        again = st.button("Open it", type="primary", icon=":material/restore:")
        if state.saving.to_open and state.saving.to_open.document.training is not None:
            st.button("Open it without the interrupted training", on_click=_leave_training, args=(state,))
        leave = "Show the sample" if _in_a_frame_without_session() else "Start a new session"
        st.button(leave, on_click=give_up, args=(state,))
    if again and state.saving.to_open:
        open_notes().clear(state.saving.to_open.saved_id)
        state.saving.ended_server = False
    return again


def _leave_training(state: Session) -> None:
    saving = state.saving
    if saving.to_open is not None:
        saving.to_open = replace(saving.to_open, document=saving.to_open.document.without_training())
        saving.tried = False


def _corpora(to_open: SessionToOpen) -> dict[int, NamedText]:
    """Return the text of each run, by its place in the document. Parts of one large corpus share it."""
    offered = started_with()
    both = [offered, replace(offered, errors="replace")] if offered else []
    by_digest = {files.digest: files for files in both}
    large: dict[tuple[str, int, str], LargeCorpus] = {}

    def of(saved: SavedText) -> NamedText:
        text = to_open.texts[saved.digest]
        if (part := saved.part) is None:
            return NamedText(saved.name, text)
        here = by_digest.get(part.files)
        key = part.corpus, part.byte_total, part.files
        whole = large.setdefault(key, LargeCorpus(part.corpus, part.byte_total, here, part.files))
        known = part.file is not None and (here is None or part.file < len(here.files))
        place = Place(part.file or 0, part.offset) if known else None
        return NamedText(saved.name, text, ShownPart(whole, place, part.file_name, part.shown))

    return {place: of(run.text) for place, run in to_open.runs.items()}


def _counts(
    run: SavedRun, settings: TrainingSettings, to_open: SessionToOpen, known: dict[object, Corpus]
) -> Corpus | None:
    """Return the saved counts of a large corpus; runs share those that are equal. Raises BpevizError."""
    if (saved := run.counts) is None:
        return None
    if saved.byte_total > (most := limits().max_counts_bytes):
        raise SavedSessionError(f"its pre-token counts take more than {most // 1_000_000} MB")
    split = settings.split_pattern(limits().split_timeout_seconds)
    key = saved.digest, split
    if key not in known:
        known[key] = remembered_counts(saved.digest, split) or Corpus.from_counts(
            unpack_counts(to_open.files[saved.digest], saved.byte_total), split
        )
    return known[key]


def _train_all(
    to_open: SessionToOpen, corpora: Mapping[int, NamedText], on_progress: Progress
) -> dict[int, Run | BpevizError]:
    """Return every run by its place in the document, or why it can't be trained."""
    runs = to_open.runs
    trained: dict[int, Run | BpevizError] = {}
    counts: dict[object, Corpus] = {}
    for done, (place, run) in enumerate(runs.items()):

        def tell(share: float, words: str, done: int = done) -> None:
            which = f"Run {done + 1} of {len(runs)}: " if len(runs) > 1 else ""
            on_progress((done + share) / len(runs), which + words)

        try:
            settings = allowed_run(run, _start(run, to_open, trained.values()))
            counted = _counts(run, settings, to_open, counts)
            request = RunRequest(run.name, corpora[place], settings, counted=counted, number=run.number)
            trained[place] = train_run(request, tell)
        except BpevizError as error:
            trained[place] = error
    return trained


def _start(run: SavedRun, to_open: SessionToOpen, trained: Collection[Run | BpevizError]) -> Start | None:
    """Return the tokenizer that a saved run begins with: a built-in one, one of the session's files, or that
    of a run before it. Raises BpevizError."""
    if not (key := run.settings.start):
        return None
    document = to_open.document
    tokenizers = TokenizersState(
        files=restored_tokenizers(document, to_open.files), splits=dict(document.splits)
    )
    return start_of(Session(runs=[r for r in trained if isinstance(r, Run)], tokenizers=tokenizers), key)


def _fill_session(state: Session, to_open: SessionToOpen, trained: Mapping[int, Run | BpevizError]) -> None:
    saving = state.saving
    saving.to_open = None
    results = [trained.get(place) for place in range(len(to_open.document.runs))]
    runs = [run if isinstance(run, Run) else None for run in results]
    put_back(state, to_open.document, to_open.texts, runs, to_open.files)
    errors = [error for error in results if isinstance(error, BpevizError)]
    if to_open.is_copy or errors or saving.left_out:  # the saved one stays complete
        saving.copy_of = to_open.saved_id
    else:
        saving.saved_id, saving.stored = to_open.saved_id, to_open.stored
        saving.own = is_remembered(saving.saved_id)
    if not saving.saved_id:
        begin_unsaved(state)
    if saving.left_out:
        saving.notice = f"{saving.left_out} {COPY_STAYS}"
    elif errors and _in_a_frame_without_session():
        saving.notice = f"{errors[0]} {SAMPLE_INSTEAD}"
    elif errors:
        saving.notice = (
            f"{len(errors)} of {len(trained)} runs couldn't be trained again: {errors[0]} {COPY_STAYS}"
        )
    elif to_open.is_copy:
        saving.notice = "This is a copy. Your changes don't affect the original."
    elif to_open.document.training is not None:
        saving.notice = INTERRUPTED


def say_notice(state: Session) -> None:
    """Show messages about the saved session, and what failed, until the person closes them."""
    saving = state.saving
    if state.problem:
        with st.container(horizontal=True, vertical_alignment="center", key="problem"):
            show_error(state.problem)
            st.button("Close", key="close_problem", on_click=_close_problem, args=(state,))
    if saving.fault:
        st.warning(escape(f"Not saved: {saving.fault}"), icon=":material/cloud_off:")
    if saving.notice:
        with st.container(horizontal=True, vertical_alignment="center", key="session_notice"):
            st.info(escape(saving.notice))
            if saving.deleted:
                label = "Restore it" if _deleted_here(state) else "Undo"
                st.button(label, key="restore_session", icon=":material/undo:", on_click=_restore)
            st.button("Close", key="close_session_notice", on_click=_close, args=(state,))


def _deleted_here(state: Session) -> bool:
    """Return whether this page's address is that of the deleted session: restoring it then opens it too."""
    return st.query_params.get(SESSION) == state.saving.deleted


def _close(state: Session) -> None:
    state.saving.notice = state.saving.deleted = ""


def _close_problem(state: Session) -> None:
    state.problem = ""


def _restore() -> None:
    state = session()
    saved_id, opens = state.saving.deleted, _deleted_here(state)
    restored = False
    with state.attempt():
        restored = restore(state)
    if state.problem:
        return
    state.saving.notice = "Restored." if restored else "It can't be restored any more."
    if restored and opens:  # the page is empty
        st.session_state["session"] = Session()
        st.query_params.from_dict({SESSION: saved_id})
