"""The fragments of the main page, and the callbacks that rerun them.

The player is in none of them: a rerun would pack and compare its megabytes at every rest. A callback must
not rerun fragments when the whole page is due to run, as after a click on another corpus during a report.
Streamlit fails on a fragment that the page didn't draw: the page draws all of these, also if one stays empty.
"""

import streamlit as st

from bpeviz.core.token_chain import Pair
from bpeviz.training.choice import Choice
from bpeviz.ui.kit.messages import whole
from bpeviz.ui.kit.pairs import ForkedPair, PickedPair
from bpeviz.ui.kit.plot import Point
from bpeviz.ui.session.merges import PageRequest
from bpeviz.ui.session.session import session

__all__ = [
    "FUTURES",
    "PAGE_FILE",
    "PAIR",
    "PANELS",
    "REMOTE",
    "go_to",
    "go_to_point",
    "note_fork",
    "note_step",
    "pick",
    "save_page",
    "show_picked_pair",
    "show_word",
]

FUTURES = "futures"  # two runs side by side
PAGE_FILE = "page_file"  # the page that the person saves
PAIR = "pair"  # the picked pair, beside the player
PANELS = "panels"  # what is below the player
REMOTE = "remote"  # tells the player a step, and which one the panels show; saves the session


def note_step(number: int, step: int) -> None:
    """Note where the player rests in a run, if it is still the one to show, and rerun what depends on it.

    Some reports come without a step of the person: the player has painted a long text, perhaps once more. The
    whole page follows these, because a rerun of fragments could lose a press of a button at the same time.
    """
    state = session()
    if state.merges.shown != number:  # a new run is there, which the page on the screen does not show yet
        return
    stepped = state.merges.painted and state.merges.step != step
    state.merges.step, state.merges.painted = step, True
    if stepped:
        _run(FUTURES, PAIR, PANELS)


def show_picked_pair(choice: PickedPair) -> None:
    """Show the pair of a clicked bar in detail, if the run has its tokens."""
    state = session()
    if state.run and all(token_id in state.run.tokenizer.vocabulary for token_id in choice.pair):
        state.merges.step = choice.step
        pick(choice.pair)


def note_fork(choice: ForkedPair) -> None:
    """Note the fork of a bar, which the whole page then trains; if it makes no sense, only show the pair."""
    state = session()
    run = state.run
    if run is None or not all(token_id in run.tokenizer.vocabulary for token_id in choice.pair):
        return
    state.merges.step = choice.step
    at_step = state.run_at_step()
    done = at_step.following is None or (
        choice.pair == at_step.following.pair
        if choice.action == "merge"
        else choice.pair in run.vetoed(choice.step)
    )
    if done or state.training.busy or not at_step.count(choice.pair):
        pick(choice.pair)
    else:
        state.merges.pair = choice.pair
        state.merges.fork = Choice(choice.step, choice.pair, choice.action)


def show_word(word: str) -> None:
    """Show how a word of the text grows, in its panel."""
    merges = session().merges
    merges.word = word
    if "Word" in merges.panels:
        _run(PANELS)
        return
    merges.panels = (*merges.panels, "Word")
    merges.panel_renewals += 1


def save_page(number: int, step: int, asked: int) -> None:
    """Note that the person wants a run at a step as a page, and make it."""
    state = session()
    if state.merges.shown == number:
        state.merges.page_request = PageRequest(number, step, asked)
        _run(PAGE_FILE)


def pick(pair: Pair | None) -> None:
    """Show a pair in detail."""
    session().merges.pick(pair)
    _run(PAIR, PANELS)


def go_to(step: int, offset: int | None = None) -> None:
    """Send the player to a step, and to the byte at ``offset`` of its text; it then reports back."""
    session().merges.ask_for(step, offset)
    _run()


def go_to_point(point: Point) -> None:
    """Send the player to the step of a clicked mark."""
    run = session().run
    step = whole(point.get("x"), len(run.steps)) if run else None
    if step is not None:
        go_to(step)


def _run(*parts: str) -> None:
    """Rerun fragments, and the one that saves the session, unless the whole page is due to run. The file that
    the person asked for is among them until it is sent: each rerun may interrupt the one before."""
    if session().page_is_current:
        wants_file = session().merges.page_request is not None
        st.rerun(list(dict.fromkeys((*parts, REMOTE, *([PAGE_FILE] if wants_file else [])))))
