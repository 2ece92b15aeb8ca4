"""What the browser reports on the main page, and how the page answers.

What follows the step is one fragment, beside the player: a report reruns it alone, because a rerun of the
page would compare the player's megabytes at every rest. If the whole page is due to run, that runs instead.
"""

import streamlit as st

from bpeviz.core.token_chain import Pair
from bpeviz.training.choice import Choice
from bpeviz.ui.kit.messages import whole
from bpeviz.ui.kit.pairs import ForkedPair, PickedPair
from bpeviz.ui.kit.plot import Point
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.watch.state import PageRequest, WatchState

__all__ = [
    "BESIDE",
    "clear_pair",
    "go_to",
    "go_to_point",
    "note_fork",
    "note_step",
    "panel_key",
    "pick",
    "save_page",
    "show_picked_pair",
    "show_word",
]

#: The fragment beside the player.
BESIDE = "beside"


def note_step(number: int, step: int) -> None:
    """Note where the player rests in a run, if it is still the one to show, and rerun what depends on it.

    Some reports come without a step of the person: the player has painted a long text, perhaps once more. The
    whole page follows these, because a rerun of the fragment could lose a press of a button at the same time.
    """
    state = session()
    if state.shown != number:  # a new run is there, which the page on the screen does not show yet
        return
    watch = state.pages.of(WatchState)
    stepped = watch.painted and state.step != step
    state.step, watch.painted = step, True
    if stepped:
        _run()


def show_picked_pair(choice: PickedPair) -> None:
    """Note the pair that the person picked, if the run has its tokens."""
    state = session()
    if state.run and all(map(state.run.token, choice.pair)):
        state.step = choice.step
        pick(choice.pair)


def clear_pair() -> None:
    """Note that the person picks no pair."""
    pick(None)


def note_fork(choice: ForkedPair) -> None:
    """Note the fork of a pair, which the whole page then trains; if it makes no sense, only pick the pair."""
    state = session()
    run = state.run
    if run is None or not all(map(run.token, choice.pair)):
        return
    state.step = choice.step
    at_step = state.run_at_step()
    done = at_step.following is None or (
        choice.pair == at_step.following.pair
        if choice.action == "merge"
        else choice.pair in run.vetoed(choice.step)
    )
    if state.training.busy:
        st.toast("Another training is running. Wait for it or cancel it.")
    if done or state.training.busy or not at_step.count(choice.pair):
        pick(choice.pair)
    else:
        watch = state.pages.of(WatchState)
        watch.saved.pair = choice.pair
        watch.fork = Choice(choice.step, choice.pair, choice.action)


def show_word(word: str) -> None:
    """Show how a word of the text grows, in its panel."""
    state = session()
    watch = state.pages.of(WatchState)
    watch.word, watch.panel = word, "Word"
    st.session_state[panel_key(state)] = watch.panel
    _run()


def panel_key(state: Session) -> str:
    """Return the key of the tabs: a new session on the page begins with its own tab, and a run that begins
    with a tokenizer has one more."""
    return f"panel-{state.number}{'-start' if state.run and state.run.start else ''}"


def save_page(number: int, step: int, asked: int) -> None:
    """Note that the person wants a run at a step as a page, and make it."""
    state = session()
    if state.shown == number:
        state.pages.of(WatchState).page_request = PageRequest(number, step, asked)
        _run()


def pick(pair: Pair | None) -> None:
    """Show a pair in detail; None shows none."""
    session().pages.of(WatchState).pick(pair)
    _run()


def go_to(step: int, offset: int | None = None) -> None:
    """Send the player to a step, and to the byte at ``offset`` of its text; it then reports back."""
    session().pages.of(WatchState).ask_for(step, offset)
    _run()


def go_to_point(point: Point) -> None:
    """Send the player to the step of a clicked mark."""
    run = session().run
    step = whole(point.get("x"), len(run.steps)) if run else None
    if step is not None:
        go_to(step)


def _run() -> None:
    """Rerun the fragment, unless the whole page is due to run."""
    if session().drawn:
        st.rerun([BESIDE])
