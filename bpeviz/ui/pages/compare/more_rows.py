"""The field for more rows: tokenizers that cut the text below both sides, with all their merges."""

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.sides import Side, get_side, numbered_names, picked_side, side_names
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.compare import MOST_TOKENIZERS
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.tokenizers import UploadedTokenizer

__all__ = ["add_row", "ask_for_room", "pick_rows", "picked_rows", "split_by"]

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


def compared(state: Session) -> list[str]:
    """Return the keys of all tokenizers that the page compares: both sides, then the rows."""
    return [picked_side(state, "left"), picked_side(state, "right"), *_keys(state)]


def add_row(state: Session, uploaded: UploadedTokenizer, tokenizer: Tokenizer) -> None:
    """Add a row for an uploaded tokenizer. If there is no room, the page asks which one it
    replaces: see ask_for_room."""
    known = state.tokenizers.key_of(uploaded)
    if known not in compared(state) and len(compared(state)) >= MOST_TOKENIZERS:
        state.compare.waiting = uploaded, tokenizer
        return
    left, right, *rows = compared(state)
    if not state.runs:  # without a run the left side is the first of the list, which an upload changes
        state.tokenizers.picked |= {"left": left, "right": right}
    key = state.tokenizers.add(uploaded, tokenizer, in_use=rows)
    rows = [key if row == known else row for row in rows]
    state.compare.others = tuple(rows)
    if key not in compared(state):
        state.compare.others = (*rows, key)


def split_by(state: Session, key: str, split: str) -> None:
    """Split an uploaded tokenizer by another pattern. It stays in its row."""
    new = state.tokenizers.split_by(key, split)
    state.compare.others = tuple(new if other == key else other for other in state.compare.others)


def ask_for_room(state: Session) -> None:
    """Ask which of the compared tokenizers an uploaded one replaces, if one waits for that."""
    if state.compare.waiting is None:
        return
    uploaded, tokenizer = state.compare.waiting
    if len(compared(state)) < MOST_TOKENIZERS:  # the person has removed a row
        state.compare.waiting = None
        add_row(state, uploaded, tokenizer)
        st.rerun()
    name, names = escape(uploaded.name), side_names(state)
    st.warning(f"The page compares up to {MOST_TOKENIZERS} tokenizers. Which one does {name} replace?")
    labels = numbered_names({key: names[key] for key in compared(state)})
    key = st.selectbox("Replace", list(labels), None, key="replaced", format_func=labels.__getitem__)
    with st.container(horizontal=True):
        st.button(
            "Replace it", key="replace", disabled=key not in labels, on_click=_replace, args=(state, key)
        )
        st.button(f"Leave out {name}", key="leave_out", on_click=_leave_out, args=(state,))


def _replace(state: Session, old: str) -> None:
    """Put the tokenizer that waits in the places of another one."""
    if (waiting := state.compare.waiting) is None:
        return
    state.compare.waiting = None
    left, right, *rows = compared(state)
    in_use = {left, right, *rows} - {old}
    state.tokenizers.picked |= {"left": left, "right": right}
    new = state.tokenizers.add(*waiting, in_use=in_use)
    places = [new if key == old else key for key in (left, right, *rows)]
    state.tokenizers.picked |= {"left": places[0], "right": places[1]}
    state.compare.others = tuple(places[2:])


def _leave_out(state: Session) -> None:
    state.compare.waiting = None


def _keys(state: Session) -> list[str]:
    labels = _labels(state)
    return [key for key in state.compare.others if key in labels][:MOST_ROWS]


def _labels(state: Session) -> dict[str, str]:
    """Return the tokenizers that have no row yet, by key."""
    taken = {picked_side(state, "left"), picked_side(state, "right")}
    return numbered_names({key: name for key, name in side_names(state).items() if key not in taken})
