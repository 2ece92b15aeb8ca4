"""The field for more rows: tokenizers that cut the text below both sides, with all their merges."""

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.ui.session.compare import MOST_TOKENIZERS
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.widgets.markdown import show_error
from bpeviz.ui.widgets.sides import Side, get_side, numbered_names, picked_side, side_names

__all__ = ["pick_rows", "picked_rows"]

MOST_ROWS = MOST_TOKENIZERS - 2


def pick_rows(state: Session) -> None:
    """Show the field that adds and removes rows."""
    labels = _labels(state)
    key = f"more_rows-{len(labels)}"
    if st.session_state.get(key) != _keys(state):  # at first, and after a row's tokenizer became a side
        st.session_state[key] = _keys(state)

    def note() -> None:
        picked = (each for each in st.session_state[key] if each in labels)  # a browser can send any key
        session().compare.others = tuple(picked)[:MOST_ROWS]

    st.multiselect(
        "More rows",
        list(labels),
        key=key,
        format_func=labels.__getitem__,
        max_selections=MOST_ROWS,
        placeholder="Add a row",
        on_change=note,
    )


def picked_rows(state: Session) -> list[Side]:
    """Return the tokenizers of the rows; shows why one can't be read."""
    sides = []
    for key in _keys(state):
        try:
            with st.spinner("Reading the tokenizer …", show_time=True):
                sides.append(get_side(state, key))
        except BpevizError as error:
            show_error(f"{_labels(state)[key]}: {error}")
    return sides


def _keys(state: Session) -> list[str]:
    labels = _labels(state)
    return [key for key in state.compare.others if key in labels][:MOST_ROWS]


def _labels(state: Session) -> dict[str, str]:
    """Return the tokenizers that have no row yet, by key."""
    taken = {picked_side(state, "left"), picked_side(state, "right")}
    return numbered_names({key: name for key, name in side_names(state).items() if key not in taken})
