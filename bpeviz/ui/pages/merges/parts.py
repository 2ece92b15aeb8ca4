"""The parts of the main page that run by themselves, and what makes each run again.

The player stands outside of them: were it run again, its megabytes would be packed and compared anew at every
report. All functions here are for callbacks of widgets: one that runs parts alone must not take the place of
a run of the whole page that is due, as after a click on another corpus at the moment of a report.
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
    """Take over where the player is."""
    state = session()
    state.merges.step, state.merges.moving = at.step, at.moving
    _run(*([FOLLOWING] if at.moving else [FOLLOWING, STOPPED]))


def pick(pair: Pair | None) -> None:
    """Look at a pair."""
    session().merges.pick(pair)
    _run(FOLLOWING, STOPPED)


def go_to(step: int) -> None:
    """Have the player go to a step; it then reports that it is there."""
    session().merges.ask_for(step)
    _run(REMOTE)


def go_to_point(point: Point) -> None:
    """Have the player go to the step that a mark clicked in a chart over merges stands at."""
    run = session().run
    step = whole(point.get("x"), len(run.steps)) if run else None
    if step is not None:
        go_to(step)


def _run(*parts: str) -> None:
    """Run parts alone, or let the whole page run where that is due; the work is kept as it is now."""
    keep(session())
    if session().stands:
        st.rerun(list(parts))
