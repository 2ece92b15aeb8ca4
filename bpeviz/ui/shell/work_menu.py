"""The session menu: download, open and delete saved sessions."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from bpeviz.base_error import BpevizError
from bpeviz.limits import limits
from bpeviz.storage.work_store import WorkSummary
from bpeviz.ui.saved.saving import WORK, forget, save_uploaded, set_aside, store
from bpeviz.ui.saved.work_file import read_work_file, write_work_file
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.widgets.address import address
from bpeviz.ui.widgets.markdown import escape, show_error

__all__ = ["work_menu"]

MENU = "work_menu"
MOST_RECENT = 8
DELETED = "Deleted."


def work_menu(state: Session) -> None:
    """Show the menu; its content is made once it is open."""
    menu = st.popover("Saved", icon=":material/bookmark:", key=MENU, on_change="rerun", type="tertiary")
    if menu.open and state.work.to_open is None:
        with menu:
            _saved(state)
            if state.runs or state.work.work_id:
                st.button("New session", key="new_session", icon=":material/add:", on_click=_start_new)
            _file(state)
            if limits().recent_listed:
                _recent(state)
            if state.work.work_id:
                st.button(
                    "Delete this session", key="delete_work", icon=":material/delete:", on_click=_forget
                )


def _saved(state: Session) -> None:
    most = limits()
    if state.work.work_id and not state.work.fault:
        st.markdown("**Saved automatically.** Bookmark this page to open your session again.")
    elif not state.work.fault:
        st.markdown("**Saved automatically** from your first change on.")
    st.caption("Anyone with this page's address can change and delete it. To give others a copy, use Share.")
    st.caption(
        f"A session is deleted {most.saved_age_days} days after its last change. Days without use don't "
        f"count. It may take up to {most.work_bytes // 1_000_000:,} MB. All sessions together may take "
        f"{most.total_saved_bytes // 1_000_000:,} MB. If space runs out, the oldest are deleted, but none "
        f"that changed in the last {most.safe_days} days."
    )
    if (path := set_aside()) is not None:
        st.caption(
            escape(
                f"The file of saved sessions was damaged. It is now called {path.name}. A new one is in use."
            )
        )


def _or_notice(work: Callable[[], None]) -> None:
    """Do the work; if it fails, note the error for the next run of the page."""
    try:
        work()
    except BpevizError as error:
        session().work.notice = str(error)


def _start_new() -> None:
    """Leave the session as it is saved, and open the page as on a first visit."""
    new = Session()
    new.work.leaves = True
    st.session_state["session"] = new
    st.query_params.clear()


def _forget() -> None:
    """Delete the session on the page. The page stays, and saves again once something changes."""
    state = session()

    def delete() -> None:
        forget(state)
        state.work.notice = DELETED
        st.session_state[MENU] = False  # it would cover the notice with Undo

    _or_notice(delete)


def _delete(work_id: str) -> None:
    """Delete another session."""
    work = session().work

    def delete() -> None:
        store().delete(work_id)
        work.deleted, work.deleted_state, work.notice = work_id, "", DELETED

    _or_notice(delete)


def _file(state: Session) -> None:
    st.markdown("**File**")
    st.download_button(
        "Download",
        lambda: write_work_file(state),
        "bpeviz-session.json",
        "application/json",
        key="download_work",
        icon=":material/download:",
        on_click="ignore",
    )
    if state.tokenizers.files:
        most = limits().max_upload_bytes // 2**20
        st.caption(f"The file has your uploaded tokenizers, unless it would be larger than {most} MB.")
    file = st.file_uploader(
        "Open a downloaded session or a run (.bpeviz)", type=["json", "bpeviz"], key="work_file"
    )
    if file is None:
        return
    opened = state.work.opened
    if opened is None or opened[0] != file.file_id:
        if not st.button("Open this file", key="open_file", icon=":material/file_open:"):
            return
        try:
            work_id = save_uploaded(read_work_file(file.getvalue()), file.name)
        except BpevizError as error:
            show_error(error)
            return
        state.work.opened = opened = (file.file_id, work_id)
    st.link_button("Open in a new tab", address(f"{WORK}={opened[1]}"), icon=":material/open_in_new:")


def _recent(state: Session) -> None:
    st.markdown("**Recent sessions**")
    try:
        recent = [work for work in store().recent(MOST_RECENT + 1) if work.work_id != state.work.work_id]
    except BpevizError:
        recent = []
    if not recent:
        st.caption("No other sessions yet.")
    for work in recent[:MOST_RECENT]:
        _recent_row(work)
    _deleted()


def _deleted() -> None:
    try:
        deleted = store().deleted(MOST_RECENT)
    except BpevizError:
        deleted = []
    if not deleted or not st.toggle("Recently deleted", key="show_deleted"):
        return
    for work in deleted:
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container():
                st.caption(escape(f"{work.title} · {work.byte_total / 1e6:.1f} MB"))
            st.button(
                "Restore",
                key=f"restore-{work.work_id}",
                icon=":material/undo:",
                on_click=_or_notice,
                args=(partial(store().restore, work.work_id),),
            )


def _recent_row(work: WorkSummary) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            st.caption(
                escape(
                    f"{work.title} · {work.changed_at:%Y-%m-%d %H:%M} UTC · {work.byte_total / 1e6:.1f} MB"
                )
            )
        st.link_button("Open", address(f"{WORK}={work.work_id}"), icon=":material/open_in_new:")
        st.button(
            "Delete",
            key=f"delete-{work.work_id}",
            icon=":material/delete:",
            on_click=_delete,
            args=(work.work_id,),
        )
