"""The line above the player: the session's runs, and the menu Export."""

from functools import partial

import streamlit as st

from bpeviz.formats.continued_files import takes_new_merges
from bpeviz.formats.isolated import continue_in_worker
from bpeviz.limits import limits
from bpeviz.runs.run import Run
from bpeviz.ui.kit.messages import catch_up, run_whole_page
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.kit.tokenizer_files import own_file_button, tokenizer_buttons
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache

__all__ = ["export_menu", "runs_bar"]


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
            on_change=run_whole_page,
            args=(turn,),
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
        on_change=run_whole_page,
        args=(put,),
        width=140,
    )
    if picked in others and picked != state.beside:
        catch_up(put)


def _menu(number: int, name: str) -> None:
    key = f"name-{number}-{name}"

    def rename() -> None:
        session().rename(number, st.session_state[key])

    written = st.text_input(
        "Name of this run",
        name,
        key=key,
        max_chars=limits().max_name_characters,
        on_change=run_whole_page,
        args=(rename,),
    )
    if written != name:
        rename()
        if name not in [run.name for run in session().runs]:
            st.rerun()
    st.button(
        f"Delete {escape(name)}",
        key=f"drop-{number}",
        icon=":material/delete:",
        on_click=run_whole_page,
        args=(session().drop, number),
    )
    st.caption(f"A session has up to {limits().kept_runs} runs. A new one then replaces the oldest.")


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
    merges = len(tokenizer.paired)
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
