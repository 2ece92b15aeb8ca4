"""The page from top to bottom, for every session. Streamlit runs it again at every click."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from bpeviz.errors import ServerSettingError
from bpeviz.limits import limits
from bpeviz.ui.compare.page import compare_page
from bpeviz.ui.embedded_page import EMBEDDED_STYLE, show_embedded_page
from bpeviz.ui.encode.page import encode_page
from bpeviz.ui.help_menu import help_menu
from bpeviz.ui.kit.drop_zone import watch_drags
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.kit.tour import CARD
from bpeviz.ui.kit.training_bar import training_bar
from bpeviz.ui.kit.words import TERM_STYLE, show_error
from bpeviz.ui.learn.page import learn_page, tour_page
from bpeviz.ui.recipes.page import recipes_page
from bpeviz.ui.remembering import keep_history, remember
from bpeviz.ui.restoring import find_asked_session, restore_session, say_notice, working_on
from bpeviz.ui.server.departure import note_departure
from bpeviz.ui.server.server_process import warm_up
from bpeviz.ui.server.streamlit_internals import StreamlitPage
from bpeviz.ui.server.upload_guard import note_uploads_in_use
from bpeviz.ui.session.saving import save_session
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session_menu import session_menu
from bpeviz.ui.share_menu import share_menu
from bpeviz.ui.vocabulary.page import vocabulary_page
from bpeviz.ui.watch.page import watch_page

__all__ = ["show_page"]

STYLE = Path(__file__).with_name("page.css").read_text("utf-8") + TERM_STYLE
#: What the session knows the main page and the tour by.
WATCH, TOUR = "", "tour"
#: Forced colours leave no fill to tell the page on show.
ON_SHOW = """@media (forced-colors: active) {{
  .st-key-pages .st-key-{} a {{ outline: 3px solid Highlight; outline-offset: -3px; }}
}}"""


def show_page() -> None:
    """Draw the page for the current session."""
    session().drawn = False  # before Streamlit can end this run for the next one
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
    st.html(f"<style>{STYLE}</style>")
    pages = [
        st.Page(each.draw, title=each.title, icon=each.icon, url_path=each.path, default=each.path == WATCH)
        for each in PAGES
    ]
    # Not Streamlit's own row: it has no room for our menus, and on a phone it is a menu that covers the page.
    page = st.navigation(pages, position="hidden")
    st.set_page_config(page_title=f"{page.title} · bpeviz")
    state = session()
    if st.context.is_embedded:
        st.html(f"<style>{EMBEDDED_STYLE}</style>")
        show_embedded_page(state)
        return
    st.html(f"<style>{ON_SHOW.format(_key(page))}</style>")
    if (parameters := state.leads_home) is not None:
        state.leads_home = None
        st.switch_page(pages[0], query_params=parameters)
    find_asked_session(state)
    state.enter(TOUR if _is_tour(page) else page.url_path)
    # these are always there, so that the elements below keep their places
    _top_row(state, pages)
    watch_drags()
    with st.container(key="notices"):
        say_notice(state)
        training_bar(state, page, home=pages[0])
    _draw(state, page)


def _top_row(state: Session, pages: Sequence[StreamlitPage]) -> None:
    """Show the name, the links of the pages and the menus."""
    with st.container(key="top"), st.container(horizontal=True, vertical_alignment="center", key="pages"):
        with st.container(key="name", width="content"):
            st.markdown("**bpeviz**")
        for each in pages:
            with st.container(key=_key(each), width="content"):
                st.page_link(each)
        share_menu(state)
        session_menu(state)
        help_menu()


def _draw(state: Session, page: StreamlitPage) -> None:
    """Draw one of the pages, once the session that it is about is there; then save the session."""
    training = state.training.job
    try:
        with working_on(state):
            restoring = restore_session(state)
            if not restoring:
                page.run()
    finally:  # also if a click ends this run
        save_session(state)
        note_uploads_in_use()
    with st.container(key="remember"):
        mount_part("reconnected", key="reconnected", on_run_change=lambda: None)
        keep_history(state)
        remember(state)
    if state.training.job is not training:
        # A click starts this run while the one before still ends in another thread, which may begin a
        # training after the bar was drawn.
        st.rerun()
    if not restoring and state.page == WATCH:
        # Only now: a report of the player that ends this run before must not rerun the fragment alone. What
        # the person gave the page, or where it was saved, would be forgotten.
        state.drawn = True


def _watch() -> None:
    """Draw the main page, or the tour in its place."""
    if session().page == TOUR:
        tour_page()
    else:
        watch_page()


@dataclass(frozen=True)
class Page:
    """A page by the path of its address, empty for the main page; ``draw`` draws it."""

    path: str
    title: str
    icon: str
    draw: Callable[[], None]


#: The pages in the order of their links.
PAGES = (
    Page(WATCH, "Watch", ":material/play_circle:", _watch),
    Page("compare", "Compare", ":material/compare_arrows:", compare_page),
    Page("encode", "Encode", ":material/input:", encode_page),
    Page("vocabulary", "Vocabulary", ":material/dictionary:", vocabulary_page),
    Page("recipes", "Recipes", ":material/alt_route:", recipes_page),
    Page("learn", "Learn", ":material/school:", learn_page),
)


def _is_tour(page: StreamlitPage) -> bool:
    return page.url_path == WATCH and CARD in st.query_params


def _key(page: StreamlitPage) -> str:
    """Return the key of a page's link. It never changes: a link that the browser moves could miss a click."""
    return f"page_{page.url_path or 'watch'}"
