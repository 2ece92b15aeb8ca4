"""The page from top to bottom, for every session. Streamlit runs it again at every click."""

from pathlib import Path

import streamlit as st

from bpeviz.limits import ServerSettingError, limits
from bpeviz.ui.components.preload import NOT_SHOWN
from bpeviz.ui.pages.compare.page import compare_page
from bpeviz.ui.pages.divergence.page import disagree_page
from bpeviz.ui.pages.encode.page import encode_page
from bpeviz.ui.pages.merges.page import merges_page
from bpeviz.ui.pages.vocabulary.page import vocabulary_page
from bpeviz.ui.saved.saving import keep
from bpeviz.ui.server.departure import note_departure
from bpeviz.ui.server.upload_guard import note_uploads_in_use
from bpeviz.ui.server.warm_up import warm_up
from bpeviz.ui.session.session import session
from bpeviz.ui.shell.restoring import begin, restore_session, say_notice
from bpeviz.ui.shell.work_menu import work_menu
from bpeviz.ui.widgets.markdown import show_error
from bpeviz.ui.widgets.training_bar import training_bar

__all__ = ["show_page"]

# Streamlit leaves room above for a bar that we don't have, and stacks columns only on phones; a chart needs
# more than half a tablet. The training bar is visible wherever the page is scrolled to.
STYLE = (
    "<style>"
    f".st-key-{NOT_SHOWN} {{ display: none; }}"
    "[data-testid=stMainBlockContainer] { padding-top: 2.2rem; max-width: 1500px; }"
    "[data-testid=stHeader] { background: transparent; }"
    "@media (max-width: 1000px) { [data-testid=stColumn] { min-width: calc(100% - 1.5rem); } }"
    ".st-key-training { position: fixed; inset: auto 0 0; z-index: 100; box-sizing: border-box;"
    " padding: 0.6rem max(1rem, calc(50% - 670px)); background: light-dark(#eff0f2, #0b0d0f);"
    " border-top: 1px solid light-dark(#e5e7eb, #2a2f35); }"
    "</style>"
)


def show_page() -> None:
    """Draw the page for the current session."""
    st.set_page_config(
        page_title="bpeviz", page_icon=str(Path(__file__).with_name("icon.svg")), layout="wide"
    )
    try:
        limits()
    except ServerSettingError as error:
        show_error(error)
        st.stop()
    warm_up()
    note_departure()
    st.html(STYLE)
    pages = [
        st.Page(merges_page, title="Watch merges", icon=":material/play_circle:", default=True),
        st.Page(compare_page, title="Compare", icon=":material/compare_arrows:", url_path="compare"),
        st.Page(disagree_page, title="Why they disagree", icon=":material/alt_route:", url_path="disagree"),
        st.Page(encode_page, title="Encode", icon=":material/input:", url_path="encode"),
        st.Page(vocabulary_page, title="Vocabulary", icon=":material/dictionary:", url_path="vocabulary"),
    ]
    # Links on the page instead of Streamlit's menu, which covers the page on a phone.
    page = st.navigation(pages, position="hidden")
    state = session()
    begin(state)
    with st.container(key="top"):  # always there, so that the elements below keep their places
        with st.container(horizontal=True, vertical_alignment="center", key="pages"):
            for each in pages:
                st.page_link(each)
            work_menu(state)
        say_notice(state)
        training_bar(state, page, home=pages[0])
    keep(state)
    try:
        if not restore_session(state):
            page.run()
    finally:
        keep(state)
        note_uploads_in_use()
