"""The fragments of the main page, and the callbacks that rerun them.

The player is in none of them: a rerun would pack and compare its megabytes at every rest. A callback must
not rerun fragments when the whole page is due to run, as after a click on another corpus during a report.
"""

import streamlit as st

from bpeviz.core.token_chain import Pair
from bpeviz.ui.components.messages import whole
from bpeviz.ui.components.player.pairs import PickedPair
from bpeviz.ui.components.plot import Point
from bpeviz.ui.saved.saving import keep
from bpeviz.ui.session.session import session

__all__ = ["PAIR", "PANELS", "REMOTE", "go_to", "go_to_point", "pick", "picked", "rested"]

PAIR = "pair"  # the picked pair, beside the player
PANELS = "panels"  # what is below the player
REMOTE = "remote"  # tells the player a step, and which one the panels show


def rested(step: int) -> None:
    """Note where the player rests and rerun what depends on it.

    The player's first report says that it has painted a long text. The whole page follows: it comes unasked,
    and a rerun of fragments could lose a press of a button at the same time.
    """
    state = session()
    first, state.merges.painted = not state.merges.painted, True
    state.merges.step = step
    if first:
        keep(state)
    else:
        _run(PAIR, PANELS, REMOTE)


def picked(choice: PickedPair) -> None:
    """Show the pair of a clicked bar in detail, if the run has its tokens."""
    state = session()
    if state.run and all(token_id in state.run.tokenizer.vocabulary for token_id in choice.pair):
        state.merges.step = choice.step
        pick(choice.pair)


def pick(pair: Pair | None) -> None:
    """Show a pair in detail."""
    session().merges.pick(pair)
    _run(PAIR, PANELS, REMOTE)


def go_to(step: int) -> None:
    """Send the player to a step; it then reports back."""
    session().merges.ask_for(step)
    _run(REMOTE)


def go_to_point(point: Point) -> None:
    """Send the player to the step of a clicked mark."""
    run = session().run
    step = whole(point.get("x"), len(run.steps)) if run else None
    if step is not None:
        go_to(step)


def _run(*parts: str) -> None:
    """Save the session and rerun fragments, unless the whole page is due to run."""
    keep(session())
    if session().stands:
        st.rerun(list(parts))
