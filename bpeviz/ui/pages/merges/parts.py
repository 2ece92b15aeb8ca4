"""The fragments of the main page, and the callbacks that rerun them.

The player is in none of them: a rerun would pack and compare its megabytes at every report. A callback must
not rerun fragments when the whole page is due to run, as after a click on another corpus during a report.
"""

import streamlit as st

from bpeviz.core.token_chain import Pair
from bpeviz.ui.components.messages import whole
from bpeviz.ui.components.player.player import At
from bpeviz.ui.components.plot import Point
from bpeviz.ui.saved.saving import keep
from bpeviz.ui.session.session import session

__all__ = ["FOLLOWING", "REMOTE", "STOPPED", "go_to", "go_to_point", "pick", "reported"]

FOLLOWING = "following"  # runs at every report of the player, also while it moves
STOPPED = "stopped"  # runs once the player has stopped
REMOTE = "remote"  # sends the player to a step


def reported(at: At) -> None:
    """Note the player's step and rerun what depends on it."""
    state = session()
    state.merges.step, state.merges.moving = at.step, at.moving
    _run(*([FOLLOWING] if at.moving else [FOLLOWING, STOPPED]))


def pick(pair: Pair | None) -> None:
    """Show a pair in detail."""
    session().merges.pick(pair)
    _run(FOLLOWING, STOPPED)


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
