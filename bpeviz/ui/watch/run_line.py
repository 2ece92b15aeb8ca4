"""The line above the player: the session's runs, the check against the real library, the menu Export.

The check runs after the rest of the page is drawn. It is not a fragment: a click in a fragment doesn't stop
the script, and Cancel must."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpeviz.formats.continued_files import takes_new_merges
from bpeviz.formats.isolated import continue_in_worker
from bpeviz.limits import limits
from bpeviz.parity import LIBRARIES, Parity, check_parity
from bpeviz.runs.run import Run
from bpeviz.ui.kit.messages import catch_up, run_whole_page
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.kit.tokenizer_files import own_file_button, tokenizer_buttons
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache
from bpeviz.ui.watch.state import WatchState

__all__ = ["check_run", "export_menu", "parity_badge", "runs_bar"]


def runs_bar(state: Session) -> None:
    """Show the fields if there is more than one run."""
    run = state.run
    if run is None or len(state.runs) < 2:
        return
    names = {r.number: r.name for r in state.runs}
    key = f"shown-{run.number}-{'-'.join(names.values())}"

    def turn() -> None:
        session().turn_to(st.session_state[key])

    with st.container(horizontal=True, vertical_alignment="center", width="content", key="runs"):
        picked = st.selectbox(
            f"Run shown ({len(state.runs)} in all)",
            list(names),
            list(names).index(run.number),
            key=key,
            format_func=names.__getitem__,
            label_visibility="collapsed",
            on_change=turn,
            width=112,
        )
        if picked in names and picked != run.number:
            catch_up(turn)
        _beside_field(state, run.number)
        with st.popover(
            "Rename or delete", icon=":material/edit:", key="runs_menu", help="Rename or delete this run"
        ):
            _menu(run.number, run.name)


def _beside_field(state: Session, number: int) -> None:
    others = {r.number: r.name for r in state.comparable()}
    if not others:
        return
    key = f"beside-{number}-{state.beside}-{'-'.join(others.values())}"

    def put() -> None:
        session().put_beside(st.session_state[key])

    picked = st.selectbox(
        "Run beside it",
        list(others),
        list(others).index(state.beside) if state.beside in others else None,
        key=key,
        format_func=others.__getitem__,
        placeholder="Compare with",
        label_visibility="collapsed",
        on_change=put,
        width=140,
    )
    if picked in others and picked != state.beside:
        catch_up(put)


def _menu(number: int, name: str) -> None:
    key = f"name-{number}-{name}"

    def rename() -> None:
        session().rename(number, st.session_state[key])

    written = st.text_input(
        "Name of this run", name, key=key, max_chars=limits().max_name_characters, on_change=rename
    )
    if written != name:
        rename()
        if name not in [run.name for run in session().runs]:
            st.rerun()
    st.button(
        f"Delete {escape(name)}",
        key=f"drop-{number}",
        icon=":material/delete:",
        on_click=session().drop,
        args=(number,),
    )
    st.caption(f"A session has up to {limits().kept_runs} runs. A new one then replaces the oldest.")


#: The color and the icon of each result.
LOOKS = {
    "identical": ("green", "check_circle"),
    "different": ("orange", "difference"),
    "missing": ("gray", "download"),
    "failed": ("gray", "error"),
    "unchecked": ("gray", "info"),
}


def parity_badge(state: Session, run: Run) -> DeltaGenerator | None:
    """Show the small button or the result. After a click, return the place for check_run."""
    place = st.empty()
    if run.number in state.pages.of(WatchState).parities:
        _show(state, run, place)
        return None
    library = LIBRARIES.get(run.recipe.name)
    label = f"Same merges as {library.name}?" if library else "Same merges as the original?"
    if run.start:
        return None
    asked = place.button(
        label,
        key="parity",
        type="tertiary",
        icon=":material/verified:",
        width="content",
        on_click=run_whole_page,
    )
    return place if asked else None


def check_run(state: Session, run: Run, place: DeltaGenerator) -> None:
    """Check the run, show the progress in ``place``, then rerun the page, which shows the result.

    Any click on the page, such as Cancel, stops the script and with it the other process.
    """
    state.pages.of(WatchState).parities[run.number] = _check(run, place)
    st.rerun()


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
            st.button("Check again", key="parity_again", on_click=_forget, args=(state, run.number))


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
        waiting = st.empty()
        st.button("Cancel", key="parity_cancel", type="tertiary", icon=":material/close:")

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


MENU = "export"


@st.fragment
def export_menu(run: Run) -> None:
    """Show the menu: what the browser makes; then a button for each format that can hold the tokenizer, and
    why the others can't."""
    menu = st.popover("Export", icon=":material/download:", key=MENU, on_change="rerun")
    if menu.open:
        with menu:
            mount_part("exports", key="exports")
            _files(run)


def _files(run: Run) -> None:
    tokenizer = run.tokenizer
    merges = len(tokenizer.merges)
    made = {0: "without merges", 1: "with one merge"}.get(merges, f"with all {merges:,} merges")
    st.markdown("**Tokenizer files**")
    st.caption(f"This run's tokenizer, {made}, as a file that other programs load.")
    _own_file(session(), run)
    tokenizer_buttons(tokenizer, key="save")


def _own_file(state: Session, run: Run) -> None:
    """Show the button for the person's file with which the run begins, with the new merges."""
    uploaded = state.tokenizers.files.get(run.start.key) if run.start else None
    new = [(step.pair, step.token_id) for step in run.result.new_steps]
    if uploaded is None or not new or run.choices:  # a fork may change the merges before them
        return
    files = {file.name: file.content() for file in uploaded.files}
    if session_cache().get(("takes new merges", uploaded), lambda: takes_new_merges(files)):
        own_file_button(files, partial(continue_in_worker, files, new), key="save_own")
