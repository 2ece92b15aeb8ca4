"""The runs of this session: choose the shown one and the one beside it, rename and drop them."""

import streamlit as st

from bpeviz.limits import limits
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session import Session, session

__all__ = ["runs_bar"]


def runs_bar(state: Session) -> None:
    """Show the fields if there is more than one run."""
    run = state.run
    if run is None or len(state.runs) < 2:
        return
    names = {r.number: r.name for r in state.runs}
    key = f"shown-{run.number}-{'-'.join(names.values())}"
    with st.container(horizontal=True, vertical_alignment="center", width="content", key="runs"):
        st.selectbox(
            f"Run shown ({len(state.runs)} in all)",
            list(names),
            list(names).index(run.number),
            key=key,
            format_func=names.__getitem__,
            label_visibility="collapsed",
            on_change=lambda: session().turn_to(st.session_state[key]),
            width=112,
        )
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
    st.selectbox(
        "Run beside it",
        list(others),
        list(others).index(state.beside) if state.beside in others else None,
        key=key,
        format_func=others.__getitem__,
        placeholder="Compare with",
        label_visibility="collapsed",
        on_change=lambda: session().put_beside(st.session_state[key]),
        width=140,
    )


def _menu(number: int, name: str) -> None:
    key = f"name-{number}"
    st.text_input(
        "Name of this run",
        name,
        key=key,
        max_chars=limits().max_name_characters,
        on_change=lambda: session().rename(number, st.session_state[key]),
    )
    st.button(
        f"Delete {escape(name)}",
        key=f"drop-{number}",
        icon=":material/delete:",
        on_click=session().drop,
        args=(number,),
    )
    st.caption(f"A session has up to {limits().kept_runs} runs. A new one then replaces the oldest.")
