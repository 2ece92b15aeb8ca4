"""The fields for the split pattern to train with: a named one, or the person's own."""

import streamlit as st

from bpeviz.text.split_patterns import MAX_PATTERN_LENGTH, SPLIT_PATTERNS
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import CUSTOM_SPLIT, RECIPE_SPLIT
from bpeviz.ui.session.session import Session
from bpeviz.ui.widgets.markdown import show_error
from bpeviz.ui.widgets.typed import TooLongError, check_length
from bpeviz.ui.widgets.whole_page import run_whole_page

__all__ = ["pattern_key", "split_fields"]


def split_fields(state: Session, recipe: str) -> tuple[str, str]:
    """Show the fields; return the name of the split pattern and the person's own pattern."""
    splits = [RECIPE_SPLIT, *SPLIT_PATTERNS, CUSTOM_SPLIT]
    split = st.selectbox(
        "Split pattern",
        splits,
        splits.index(state.form.settings.split),
        key=f"split-{recipe}-{state.form.renewals}",  # a field keeps the labels that it was made with
        on_change=run_whole_page,
        width=210,
        format_func=lambda s: f"{s} ({RECIPES[recipe].split})" if s == RECIPE_SPLIT else s,
        help="The regular expression that cuts the text into pre-tokens, which no merge crosses.",
    )
    pattern = state.form.settings.custom_pattern
    if split == CUSTOM_SPLIT:
        pattern = st.text_input(
            "Custom pattern",
            pattern,
            key=pattern_key(state.form.renewals),
            on_change=run_whole_page,
            placeholder=r"\p{L}+|\p{N}|[^\p{L}\p{N}]",
            width=260,
        )
        try:
            check_length("The custom pattern", pattern, MAX_PATTERN_LENGTH)
        except TooLongError as error:
            show_error(error)
            return split, ""
    return split, pattern


def pattern_key(renewals: int) -> str:
    """Return the key of the field for the person's own pattern."""
    return f"custom_pattern-{renewals}"
