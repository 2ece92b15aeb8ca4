"""Sides: the tokenizers that a person can look at or compare, and the field that picks one.

A side is a run of this session, a pretrained tokenizer, or one from an uploaded file.
"""

from dataclasses import dataclass

import streamlit as st

from bpeviz.base_error import BpevizError
from bpeviz.formats.pretrained import PRETRAINED, load_pretrained
from bpeviz.runs.run import Run
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.widgets.markdown import show_error

__all__ = ["Side", "get_side", "pick_side", "picked_side", "side_names"]


@dataclass(frozen=True, eq=False)
class Side:
    """A tokenizer to pick. The ``key`` is unique in the session; ``run`` is set if it was trained here."""

    key: str
    name: str
    tokenizer: Tokenizer
    run: Run | None = None

    @property
    def num_merges(self) -> int:
        return len(self.tokenizer.merges)


def side_names(state: Session) -> dict[str, str]:
    """The names of all sides by key: runs (the one on show first), then files, then pretrained ones."""
    runs = sorted(state.runs, key=lambda run: (run.number != state.merges.shown, -run.number))
    return {
        **{f"run-{run.number}": run.name for run in runs},
        **{key: uploaded.name for key, uploaded in state.tokenizers.files.items()},
        **{key: _name(key) for key in PRETRAINED},
    }


def get_side(state: Session, key: str) -> Side:
    """The side with a key of side_names(); an uploaded tokenizer is read when it is used first.

    Raises PretrainedUnavailableError, TokenizerFileError, SplitPatternError.
    """
    for run in state.runs:
        if key == f"run-{run.number}":
            return Side(key, run.name, run.tokenizer, run)
    if key in state.tokenizers.files:
        return Side(key, state.tokenizers.files[key].name, state.tokenizers.open(key))
    return Side(key, _name(key), load_pretrained(key))


def _name(pretrained: str) -> str:
    return "GPT-2" if pretrained == "gpt2" else pretrained


def picked_side(state: Session, slot: str) -> str:
    """The key of the side picked in a slot: at first the run on show, or GPT-2 on the right."""
    names = side_names(state)
    chosen = state.tokenizers.picked.get(slot)
    if chosen in names:
        return chosen
    return "gpt2" if slot == "right" else next(iter(names))


def pick_side(state: Session, label: str, slot: str) -> Side | None:
    """Show a field to pick a side, and keep the choice for the ``slot``; None after showing an error."""
    names = side_names(state)
    chosen = picked_side(state, slot)
    key = f"side-{slot}-{chosen}-{len(names)}"

    def note() -> None:
        session().tokenizers.picked[slot] = st.session_state[key]

    side = st.selectbox(
        label,
        list(names),
        list(names).index(chosen),
        key=key,
        format_func=names.__getitem__,
        on_change=note,
    )
    try:
        with st.spinner("Reading the tokenizer …", show_time=True):
            return get_side(state, side)
    except BpevizError as error:
        show_error(error)
        return None
