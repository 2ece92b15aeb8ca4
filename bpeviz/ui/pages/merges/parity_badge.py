"""The badge that holds the run on show against the real library: asked for by a click, kept with the run.

The check itself comes last on the page, so that everything stands while it goes on. It is no fragment: clicks
in one do not end a script, and Cancel must.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpeviz.parity import LIBRARIES, Parity, check_parity
from bpeviz.processes.sharing import Slots, cores
from bpeviz.runs.run import Run
from bpeviz.ui.session.session import Session
from bpeviz.ui.widgets.markdown import escape

__all__ = ["check_run", "parity_badge"]

#: The color and the icon of each result.
LOOKS = {
    "identical": ("green", "check_circle"),
    "different": ("orange", "difference"),
    "missing": ("gray", "download"),
    "failed": ("gray", "error"),
    "unchecked": ("gray", "info"),
}
#: Checks for all who use the server; the others wait.
_slots = Slots(cores())


def parity_badge(state: Session, run: Run) -> DeltaGenerator | None:
    """A quiet button, or what came of it; gives the place for check_run once a check is asked for."""
    place = st.empty()
    if run.number in state.merges.parities:
        _show(state, run, place)
        return None
    label = "Check against the real library"
    asked = place.button(label, key="parity", type="tertiary", icon=":material/verified:")
    return place if asked else None


def check_run(state: Session, run: Run, place: DeltaGenerator) -> None:
    """Check the run, with the progress in ``place``; then the page is drawn anew, with what came of it.

    Any click on the page, Cancel among them, ends the script, and the other process with it.
    """
    state.merges.parities[run.number] = _check(run, place)
    st.rerun()


def _show(state: Session, run: Run, place: DeltaGenerator) -> None:
    parity = state.merges.parities[run.number]
    color, icon = LOOKS[parity.status]
    with place.container(horizontal=True, vertical_alignment="center", key="parity_result"):
        st.caption(f":{color}[:material/{icon}: {escape(parity.sentence)}]", width="content")
        if parity.status in ("missing", "failed"):
            st.button(
                "Check again", key="parity_again", type="tertiary", on_click=_forget, args=(state, run.number)
            )


def _forget(state: Session, number: int) -> None:
    state.merges.parities.pop(number, None)


def _check(run: Run, place: DeltaGenerator) -> Parity:
    if run.choices:
        reason = "This run holds choices of your own, which no library makes: check the run it parts from."
        return Parity("unchecked", run.recipe.name, reason=reason)
    library = LIBRARIES.get(run.recipe.name)
    with place.container(horizontal=True, vertical_alignment="center", key="parity_wait"):
        waiting = st.empty()
        st.button("Cancel", key="parity_cancel", type="tertiary", icon=":material/close:")

    def wait(seconds: float) -> None:
        waiting.caption(f"Training the same in {escape(library.name) if library else ''}, {seconds:.0f} s")

    with _slots.hold(lambda: waiting.caption("Waiting for other checks")):
        return check_parity(
            run.corpus.text,
            run.recipe,
            [(step.pair, step.token_id) for step in run.steps],
            num_merges=run.settings.num_merges,
            min_frequency=run.settings.min_frequency,
            split=run.split,
            counted=run.history.corpus,
            on_wait=wait,
        )
