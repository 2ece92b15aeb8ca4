"""What stands beside the player and follows its step: one panel at a time, as tabs. It is one fragment."""

import streamlit as st

from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.ui.kit.pairs import mount_pairs
from bpeviz.ui.kit.player import ask
from bpeviz.ui.session.merges import PANELS, Panel
from bpeviz.ui.session.saving import save_session
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch.fork_panel import futures
from bpeviz.ui.watch.interactive_page import send_wanted_page
from bpeviz.ui.watch.panels import changes_panel, race_panel, word_panel
from bpeviz.ui.watch.reports import BESIDE, clear_pair, note_fork, panel_key, show_picked_pair
from bpeviz.ui.watch.tables_panel import tables_panel

__all__ = ["beside_player"]


@st.fragment(key=BESIDE)
def beside_player(state: Session) -> None:
    """Draw the panel; tell the player what the server has drawn; save the session with the new step."""
    merges = state.merges
    if merges.fork and merges.drawn:  # the fragment runs alone; Cancel can't stop a training in it
        st.rerun()
    if merges.painted and (comparison := state.compared()):
        with st.container(key="at_rest_futures"):
            futures(state, comparison, merges.step)
    if panel_key(state) not in st.session_state:
        st.session_state[panel_key(state)] = merges.panel
    with st.container(key="panels"):
        tabs = st.tabs(PANELS, key=panel_key(state), on_change="rerun")
    merges.panel, place = next(each for each in zip(PANELS, tabs, strict=True) if each[1].open)
    with place, st.container(key=f"panel_{PANELS.index(merges.panel) + 1}"):
        _draw(state, merges.panel, state.run_at_step())
    _tell(state)
    send_wanted_page(state)
    if merges.drawn and save_session(state):  # alone, without the rest of the page
        st.rerun()  # with the whole page the browser gets the id of a new session


def _draw(state: Session, panel: Panel, at_step: RunAtStep) -> None:
    run = at_step.run
    match panel:
        case "Pairs":
            mount_pairs(last=len(run.steps), on_pick=show_picked_pair, on_fork=note_fork, on_clear=clear_pair)
        case "Word":
            word_panel(run, state.merges.word)
        case _ if state.merges.painted:
            with st.container(key="at_rest"):
                _draw_of_step(state, panel, at_step)


def _draw_of_step(state: Session, panel: Panel, at_step: RunAtStep) -> None:
    """Draw a panel about one step. At another step it is pale: see at_rest in streamlit_page.js."""
    match panel:
        case "What changes":
            changes_panel(at_step)
        case "Race":
            race_panel(state, at_step)
        case _:
            tables_panel(state, at_step)


def _tell(state: Session) -> None:
    """Tell the player where to go, and what is drawn. Of a large corpus, of which it has a part, it is also
    told how often the picked pair occurs."""
    merges, run = state.merges, state.run
    counts = None
    if merges.pair and run and run.corpus.part:
        counts = run.history.pair_life(merges.pair).counts.tolist()
    ask(*merges.asked, shown=merges.step, pair=merges.pair, counts=counts)
