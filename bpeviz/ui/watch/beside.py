"""What stands beside the player and follows its step: one panel at a time, as tabs. It is one fragment."""

import streamlit as st

from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.text.token_text import shorten
from bpeviz.ui.kit.pairs import mount_pairs
from bpeviz.ui.kit.player import ask
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.saving import save_session
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch.interactive_page import send_wanted_page
from bpeviz.ui.watch.panels import changes_panel, futures, race_panel, tables_panel, word_panel
from bpeviz.ui.watch.reports import BESIDE, clear_pair, note_fork, panel_key, show_picked_pair
from bpeviz.ui.watch.start_panel import start_panel
from bpeviz.ui.watch.state import MORE, OF_START, PANELS, TABS, Panel, WatchState

__all__ = ["beside_player"]


@st.fragment(key=BESIDE)
def beside_player(state: Session) -> None:
    """Draw the panel; tell the player what the server has drawn; save the session with the new step."""
    watch = state.pages.of(WatchState)
    watch.follow(state.run_at_step().run)
    if watch.fork and state.drawn:  # the fragment runs alone; Cancel can't stop a training in it
        st.rerun()
    if watch.painted and state.run and state.run_beside:
        with st.container(key="at_rest_futures"):
            futures(watch, watch.compared(state.run, state.run_beside), state.step)
    run = state.run_at_step().run
    key = panel_key(state)
    if key not in st.session_state:
        st.session_state[key] = watch.panel if watch.panel in TABS else MORE
    with st.container(key="panels"):
        tabs = st.tabs((*TABS, MORE), key=key, on_change="rerun")
    place = next(tab for tab in tabs if tab.open)
    with place:
        watch.panel = TABS[tabs.index(place)] if place is not tabs[-1] else _panel_under_more(watch, run, key)
    with place, st.container(key=f"panel_{PANELS.index(watch.panel) + 1}"):
        _draw(watch, state.run_at_step())
    _tell(state)
    send_wanted_page(state)
    if state.drawn and save_session(state):  # alone, without the rest of the page
        st.rerun()  # with the whole page the browser gets the id of a new session


def _panel_under_more(watch: WatchState, run: Run, key: str) -> Panel:
    """Show the names of the panels that share a tab; return the one to show."""
    panels = [panel for panel in PANELS if panel not in TABS and (panel != OF_START or run.start)]

    def named(panel: Panel) -> str:
        return f"{escape(shorten(run.start.name, 24))} here" if panel == OF_START and run.start else panel

    under_more = f"{key}-more"
    if under_more not in st.session_state:
        wanted = watch.under_more if watch.panel in TABS else watch.panel
        st.session_state[under_more] = wanted if wanted in panels else panels[0]
    with st.container(key="more_panels"):
        picked = st.segmented_control(
            "Panel",
            panels,
            required=True,
            format_func=named,
            key=under_more,
            label_visibility="collapsed",
        )
    return picked or panels[0]


def _draw(watch: WatchState, at_step: RunAtStep) -> None:
    run = at_step.run
    match watch.panel:
        case "Pairs":
            mount_pairs(last=len(run.steps), on_pick=show_picked_pair, on_fork=note_fork, on_clear=clear_pair)
        case "Word":
            word_panel(run, watch.word)
        case _ if watch.painted:
            with st.container(key="at_rest"):
                _draw_of_step(watch, at_step)


def _draw_of_step(watch: WatchState, at_step: RunAtStep) -> None:
    """Draw a panel about one step. At another step it is pale: see at_rest in streamlit_page.js."""
    match watch.panel:
        case "What changes":
            changes_panel(at_step)
        case "Race":
            race_panel(watch, at_step)
        case "Start":
            start_panel(watch, at_step)
        case _:
            tables_panel(watch, at_step)


def _tell(state: Session) -> None:
    """Tell the player where to go, and what is drawn. Of a large corpus, of which it has a part, it is also
    told how often the picked pair occurs."""
    watch, run = state.pages.of(WatchState), state.run
    counts = None
    if watch.pair and run and run.corpus.part:
        counts = run.history.pair_life(watch.pair).counts.tolist()
    ask(*watch.asked, shown=state.step, pair=watch.pair, counts=counts)
