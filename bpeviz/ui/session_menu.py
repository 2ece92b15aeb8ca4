"""The menu Sessions: name, open, download and delete saved sessions."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.limits import limits
from bpeviz.sessions.store import SessionSummary
from bpeviz.ui.kit.address import address
from bpeviz.ui.kit.exports import export_button
from bpeviz.ui.kit.messages import run_whole_page
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.opening import read_session_file, write_session_file
from bpeviz.ui.session.saving import SESSION, forget, save_uploaded, set_aside, store
from bpeviz.ui.session.session import Session, session
from bpeviz.words import ago, size

__all__ = ["session_menu"]

MENU = "session_menu"
MOST_RECENT = 8
DELETED = "Deleted."


def session_menu(state: Session) -> None:
    """Show the menu; its content is made once it is open."""
    menu = st.popover("Sessions", icon=":material/bookmark:", key=MENU, on_change="rerun", type="tertiary")
    if menu.open and state.saving.to_open is None:
        with menu:
            _this_session(state)
            if limits().recent_listed:
                _recent(state)
            _file(state)
            _saved(state)


def _this_session(state: Session) -> None:
    saved_id = state.saving.saved_id
    if saved_id:
        st.markdown("**This session**")
        with suppress(BpevizError):  # the page says elsewhere that it can't be saved
            _name_field(saved_id, store().title(saved_id))
    with st.container(horizontal=True):
        if state.runs or saved_id:
            st.button("New session", key="new_session", icon=":material/add:", on_click=_start_new)
        if saved_id:
            st.button("Delete this session", key="delete_session", icon=":material/delete:", on_click=_forget)


def _name_field(saved_id: str, title: str) -> None:
    """Show the field for the name of a session. An empty name brings back the title that bpeviz gives it."""
    key = f"session_name-{saved_id}"

    def rename() -> None:
        name = st.session_state[key].strip()[: limits().max_name_characters]
        _or_note_problem(partial(store().rename, saved_id, name))

    st.text_input(
        "Name of the session",
        title,
        key=key,
        max_chars=max(limits().max_name_characters, len(title)),
        placeholder="Name",
        label_visibility="collapsed",
        on_change=rename,
    )


def _saved(state: Session) -> None:
    most = limits()
    if state.saving.saved_id and not state.saving.fault:
        st.markdown("**Saved automatically.** Bookmark this page to open your session again.")
    elif not state.saving.fault:
        st.markdown("**Saved automatically** from your first change on.")
    share = most.total_saved_bytes * most.visitor_share
    of_visitor = f", those from one network address {share / 1e6:,.0f} MB" if most.hosted else ""
    st.caption("Anyone with this page's address can change and delete it. To give others a copy, use Share.")
    st.caption(
        f"A session is deleted {most.saved_age_days} days after its last use. It may take up to "
        f"{most.session_bytes // 1_000_000:,} MB. All sessions together may take "
        f"{most.total_saved_bytes // 1_000_000:,} MB{of_visitor}. If space runs out, the sessions "
        "unopened for longest are deleted first."
    )
    if (path := set_aside()) is not None:
        st.caption(escape(f"The file of saved sessions was damaged or too old. It is now {path.name}."))


def _or_note_problem(act: Callable[[], object]) -> None:
    """Call ``act``; if it fails, note the error for the next run of the page."""
    with session().attempt():
        act()


def _start_new() -> None:
    """Leave the session as it is saved, and open the page as on a first visit."""
    new = Session()
    new.saving.leaves = True
    st.session_state["session"] = new
    st.query_params.clear()


def _forget() -> None:
    """Delete the session on the page. The page stays, and saves again once something changes."""
    state = session()

    def delete() -> None:
        forget(state)
        state.saving.notice = DELETED
        st.session_state[MENU] = False  # it would cover the notice with Undo

    _or_note_problem(delete)


def _delete(saved_id: str) -> None:
    """Delete another session."""
    saving = session().saving

    def delete() -> None:
        store().delete(saved_id)
        saving.deleted, saving.deleted_state, saving.notice = saved_id, "", DELETED

    _or_note_problem(delete)


def _file(state: Session) -> None:
    st.markdown("**File**")
    write = partial(write_session_file, state)
    export_button("Download", write, "bpeviz-session.json", "application/json", key="download_session")
    if state.tokenizers.files:
        most = limits().max_upload_bytes // 2**20
        st.caption(f"The file has your uploaded tokenizers, unless it would be larger than {most} MB.")
    file = st.file_uploader(
        "Open a downloaded session or a run (.bpeviz)",
        type=["json", "bpeviz"],
        key="session_file",
        max_upload_size=limits().max_upload_bytes // 2**20,
        on_change=run_whole_page,
    )
    if file is None:
        return
    opened = state.saving.opened
    if opened is None or opened[0] != file.file_id:
        if not st.button(
            "Open this file", key="open_file", icon=":material/file_open:", on_click=run_whole_page
        ):
            return
        try:
            saved_id = save_uploaded(read_session_file(file.getvalue()), file.name)
        except BpevizError as error:
            show_error(error)
            return
        state.saving.opened = opened = (file.file_id, saved_id)
    st.caption("The file is saved as another session. Yours stays open here.")
    st.link_button("Open in a new tab", address(f"{SESSION}={opened[1]}"), icon=":material/open_in_new:")


def _recent(state: Session) -> None:
    st.markdown("**Recent sessions**")
    try:
        recent = [each for each in store().recent(MOST_RECENT + 1) if each.saved_id != state.saving.saved_id]
    except BpevizError:
        recent = []
    if not recent:
        st.caption("No other sessions yet.")
    for each in recent[:MOST_RECENT]:
        _recent_row(each)
    _deleted()


def _deleted() -> None:
    try:
        deleted = store().deleted(MOST_RECENT)
    except BpevizError:
        deleted = []
    if not deleted or not st.toggle("Recently deleted", key="show_deleted", on_change=run_whole_page):
        return
    for each in deleted:
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container():
                st.caption(escape(f"{each.title} · {_age_and_size(each)}"))
            st.button(
                "Restore",
                key=f"restore-{each.saved_id}",
                icon=":material/undo:",
                on_click=_or_note_problem,
                args=(partial(store().restore, each.saved_id),),
            )


def _age_and_size(each: SessionSummary) -> str:
    return f"{ago((datetime.now(UTC) - each.used_at).total_seconds())} · {size(each.byte_total)}"


def _recent_row(each: SessionSummary) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(gap=None):
            _name_field(each.saved_id, each.title)
            st.caption(_age_and_size(each))
        st.link_button("Open", address(f"{SESSION}={each.saved_id}"), icon=":material/open_in_new:")
        st.button(
            "Delete",
            key=f"delete-{each.saved_id}",
            icon=":material/delete:",
            on_click=_delete,
            args=(each.saved_id,),
        )
