"""The menu of saved sessions: share, download, open and delete them."""

from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from bpeviz.base_error import BpevizError
from bpeviz.limits import limits
from bpeviz.storage.work_store import WorkSummary
from bpeviz.ui.saved.saving import WORK, forget, save_copy, save_uploaded, set_aside, store
from bpeviz.ui.saved.settings_link import write_settings_link
from bpeviz.ui.saved.work_file import read_work_file, write_work_file
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.widgets.markdown import escape, show_error

__all__ = ["work_menu"]

MENU = "work_menu"
MOST_RECENT = 8


def work_menu(state: Session) -> None:
    """Show the menu; its content is made once it is open."""
    menu = st.popover("Your work", icon=":material/bookmark:", key=MENU, on_change="rerun", type="tertiary")
    if menu.open and state.work.to_open is None:
        with menu:
            _kept(state)
            _share(state)
            _file(state)
            if limits().recent_listed:
                _recent(state)


def _kept(state: Session) -> None:
    most = limits()
    if state.work.work_id and not state.work.fault:
        st.markdown("**Saved as you go**, at the address of this page: open it again, or bookmark it.")
    elif not state.work.fault:
        st.markdown("**Saved as you go**, from the first change on, under an address of its own.")
    st.caption(
        f"Kept for {most.saved_age_days} days of use after the last change; up to "
        f"{most.work_bytes // 1_000_000:,} MB each and {most.total_saved_bytes // 1_000_000:,} MB in all. "
        f"What was not changed for {most.safe_days} days may go sooner if room is needed. "
        "Whoever has this address can open, change and delete it: to share it, make a link to a copy."
    )
    if (path := set_aside()) is not None:
        st.caption(
            escape(
                f"The file of saved work was damaged. It was put aside as {path.name}, and a new one begun."
            )
        )
    if state.work.work_id:
        st.button("Delete what is saved", key="delete_work", icon=":material/delete:", on_click=_forget)


def _or_notice(work: Callable[[], None]) -> None:
    """Do the work; if it fails, note the error for the next run of the page."""
    try:
        work()
    except BpevizError as error:
        session().work.notice = str(error)


def _forget() -> None:
    state = session()

    def delete() -> None:
        forget(state)
        state.work.notice = (
            "Deleted; for a day it can be restored. What is on this page is saved again, as new work, once "
            "you change it."
        )

    _or_notice(delete)


def _share(state: Session) -> None:
    st.markdown("**Share**")
    if state.run is None:
        st.caption("Train on a text first: then there is a step to show.")
        return
    st.button("Make a link to a copy at this step", key="share", icon=":material/link:", on_click=_make_link)
    if state.work.link:
        st.code(_address(f"{WORK}={state.work.link}"), language=None)
        st.caption("It stays as it is now. What others change there becomes theirs.")
    if (settings := write_settings_link(state, state.run)) is not None:
        st.code(_address(settings), language=None)
        st.caption("Sample, rules and step alone: works on any server, and nothing is kept for it.")


def _make_link() -> None:
    state = session()

    def link() -> None:
        state.work.link = save_copy(state)

    _or_notice(link)


def _address(query: str) -> str:
    """The address of this server's main page with other parameters; without the host if that is unknown."""
    here = urlsplit(st.context.url or "")
    page = here.path.rpartition("/")[0] if here.path.rpartition("/")[2] in PAGES else here.path
    return urlunsplit((here.scheme, here.netloc, page.rstrip("/") + "/", query, ""))


PAGES = ("compare", "disagree", "encode", "vocabulary")


def _file(state: Session) -> None:
    st.markdown("**Take it along**")
    st.download_button(
        "Download as a file",
        lambda: write_work_file(state),
        "bpeviz-work.json",
        "application/json",
        key="download_work",
        icon=":material/download:",
        on_click="ignore",
    )
    if state.tokenizers.files:
        most = limits().max_upload_bytes // 2**20
        st.caption(
            f"With your tokenizer files, if it has at most {most} MB then, and without them otherwise."
        )
    file = st.file_uploader("Open such a file, or a run (.bpeviz)", type=["json", "bpeviz"], key="work_file")
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
    st.link_button("Open it in a new tab", _address(f"{WORK}={opened[1]}"), icon=":material/open_in_new:")


def _recent(state: Session) -> None:
    st.markdown("**Recent work**")
    try:
        recent = [work for work in store().recent(MOST_RECENT + 1) if work.work_id != state.work.work_id]
    except BpevizError:
        recent = []
    if not recent:
        st.caption("None but this.")
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
        st.link_button("Open", _address(f"{WORK}={work.work_id}"), icon=":material/open_in_new:")
        st.button(
            "",
            key=f"delete-{work.work_id}",
            icon=":material/delete:",
            help="Delete",
            on_click=_or_notice,
            args=(partial(store().delete, work.work_id),),
        )
