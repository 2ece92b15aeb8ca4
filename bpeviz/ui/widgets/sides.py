"""Sides: the tokenizers that a person can look at or set against each other, and the field that picks one.

A side is a run of this session, a pretrained tokenizer, or one from a file that the person brought.
"""

from dataclasses import dataclass

import streamlit as st

from bpeviz.base_error import BpevizError
from bpeviz.formats.pretrained import PRETRAINED, is_on_this_machine, load_pretrained
from bpeviz.runs.run import Run
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.widgets.markdown import show_error

__all__ = ["Side", "get_side", "pick_side", "picked_side", "side_names"]


@dataclass(frozen=True, eq=False)
class Side:
    """A tokenizer on offer. ``key`` tells sides of one session apart, ``name`` tells a person; ``run`` is
    where it was trained, None where that was elsewhere."""

    key: str
    name: str
    tokenizer: Tokenizer
    run: Run | None = None

    @property
    def num_merges(self) -> int:
        return len(self.tokenizer.merges)


def side_names(state: Session) -> dict[str, str]:
    """Names of the sides on offer by key: runs, the one on show first, then files, then pretrained."""
    runs = sorted(state.runs, key=lambda run: (run.number != state.merges.shown, -run.number))
    return {
        **{f"run-{run.number}": run.name for run in runs},
        **{key: name for key, (name, _) in state.tokenizers.files.items()},
        **{
            key: _name(key) if is_on_this_machine(key) else f"{_name(key)} (not on this machine)"
            for key in PRETRAINED
        },
    }


def get_side(state: Session, key: str) -> Side:
    """The side with a key of side_names(). Raises PretrainedUnavailableError."""
    for run in state.runs:
        if key == f"run-{run.number}":
            return Side(key, run.name, run.tokenizer, run)
    if key in state.tokenizers.files:
        return Side(key, *state.tokenizers.files[key])
    return Side(key, _name(key), load_pretrained(key))


def _name(pretrained: str) -> str:
    return "GPT-2" if pretrained == "gpt2" else pretrained


def picked_side(state: Session, slot: str) -> str:
    """The key of the side picked in a slot: at first the run on show, and opposite of it GPT-2."""
    names = side_names(state)
    chosen = state.tokenizers.picked.get(slot)
    if chosen in names:
        return chosen
    return "gpt2" if slot == "right" else next(iter(names))


def pick_side(state: Session, label: str, slot: str) -> Side | None:
    """A field to pick a side; the choice is kept for each ``slot``. None where the side cannot be had: the
    page then says why."""
    names = side_names(state)
    chosen = picked_side(state, slot)
    key = st.selectbox(
        label,
        list(names),
        list(names).index(chosen),
        key=f"side-{slot}-{chosen}-{len(names)}",
        format_func=names.__getitem__,
        on_change=_note,
        args=(slot, f"side-{slot}-{chosen}-{len(names)}"),
    )
    try:
        with st.spinner("Reading the tokenizer …", show_time=True):
            return get_side(state, key)
    except BpevizError as error:
        show_error(error)
        return None


def _note(slot: str, key: str) -> None:
    session().tokenizers.picked[slot] = st.session_state[key]
