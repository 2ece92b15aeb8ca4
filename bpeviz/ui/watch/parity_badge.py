"""The check against the real library, in the line above the player: its button, its progress, its result.

The check runs after the rest of the page is drawn. It is not a fragment: a click in a fragment doesn't stop
the script, and Cancel must."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpeviz.parity import LIBRARIES, Parity, check_parity
from bpeviz.runs.run import Run
from bpeviz.ui.kit.messages import run_whole_page
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.watch.state import WatchState

__all__ = ["check_run", "parity_badge"]

#: The color and the icon of each result.
LOOKS = {
    "identical": ("green", "check_circle"),
    "different": ("orange", "difference"),
    "missing": ("gray", "download"),
    "failed": ("gray", "error"),
    "unchecked": ("gray", "info"),
}


def parity_badge(state: Session, run: Run) -> DeltaGenerator | None:
    """Show the small button or the result. If the person wants the check, return the place for check_run."""
    place, watch = st.empty(), state.pages.of(WatchState)
    if watch.to_check != run.number:
        watch.to_check = None
    if run.number in watch.parities:
        _show(state, run, place)
        return None
    if watch.to_check is not None:
        return place
    library = LIBRARIES.get(run.recipe.name)
    label = f"Same merges as {library.name}?" if library else "Same merges as the original?"
    if run.start:
        return None
    place.button(
        label,
        key="parity",
        type="tertiary",
        icon=":material/verified:",
        width="content",
        on_click=run_whole_page,
        args=(_want, run.number),
    )
    return None


def check_run(state: Session, run: Run, place: DeltaGenerator) -> None:
    """Check the run, show the progress in ``place``, then rerun the page, which shows the result.

    Any click on the page and any report of the player stops the script and with it the other process. The
    check then begins again, unless the click was on Cancel.
    """
    watch = state.pages.of(WatchState)
    watch.parities[run.number] = _check(run, place)
    watch.to_check = None
    st.rerun()


def _want(number: int | None) -> None:
    session().pages.of(WatchState).to_check = number


def _show(state: Session, run: Run, place: DeltaGenerator) -> None:
    """Show the result: in short, and what there is to say in a menu, which opens by mouse, key and finger."""
    parity = state.pages.of(WatchState).parities[run.number]
    color, icon = LOOKS[parity.status]
    if parity.identical:
        place.badge(escape(parity.sentence), icon=f":material/{icon}:", color="green")
        return
    short = f":{color}[:material/{icon}: {escape(_in_short(parity))}]"
    with place.container(key="parity_result", width="content"), st.popover(short, type="tertiary"):
        st.caption(escape(parity.sentence))
        if parity.status in ("missing", "failed"):
            st.button(
                "Check again", key="parity_again", on_click=run_whole_page, args=(_forget, state, run.number)
            )


def _in_short(parity: Parity) -> str:
    match parity.status:
        case "different":
            return f"Differs from {parity.library_and_version}"
        case "missing":
            return "Library has no trainer" if parity.version else "Library not installed"
        case "failed":
            return "The check failed"
        case _:
            return "Can't be checked"


def _forget(state: Session, number: int) -> None:
    state.pages.of(WatchState).parities.pop(number, None)


def _check(run: Run, place: DeltaGenerator) -> Parity:
    if run.start:
        reason = f"No trainer begins with {run.start.name}. Check a run that begins with nothing."
        return Parity("unchecked", run.recipe.name, reason=reason)
    if run.choices:
        reason = "No library makes the merges that you chose. Check the run that this fork starts from."
        return Parity("unchecked", run.recipe.name, reason=reason)
    library = LIBRARIES.get(run.recipe.name)
    with place.container(horizontal=True, vertical_alignment="center", key="parity_wait"):
        # before the words, whose length changes: it would move away under the person's pointer
        st.button(
            "Cancel",
            key="parity_cancel",
            type="tertiary",
            icon=":material/close:",
            on_click=run_whole_page,
            args=(_want, None),
        )
        waiting = st.empty()

    def wait(seconds: float) -> None:
        name = escape(library.name) if library else ""
        words = f"Training with {name}, {seconds:.0f} s so far" if seconds else "Waiting for other trainings"
        waiting.caption(words)

    return check_parity(
        run.result.corpus if run.corpus.part else run.corpus.text,
        run.recipe,
        [(step.pair, step.token_id) for step in run.steps],
        num_merges=run.settings.num_merges if run.settings.vocab_size is None else None,
        min_frequency=run.settings.min_frequency,
        special_tokens=run.result.special_tokens,
        split=run.split,
        counted=run.history.corpus,
        on_wait=wait,
    )
