"""The fields for a split pattern: the one to train with, or that of a tokenizer file that holds none."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from bpeviz.formats.llms_from_scratch import NOTEBOOK_PATTERNS
from bpeviz.text.split_patterns import MAX_PATTERN_LENGTH, SPLIT_PATTERNS
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import CUSTOM_SPLIT, RECIPE_SPLIT
from bpeviz.ui.kit.messages import TooLongError, catch_up, check_length, run_whole_page
from bpeviz.ui.kit.words import show_error
from bpeviz.ui.session.session import Session

__all__ = ["pattern_key", "split_fields", "split_pattern_field", "with_models"]


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
        )
        try:
            check_length("The custom pattern", pattern, MAX_PATTERN_LENGTH)
        except TooLongError as error:
            show_error(error)
            return split, ""
    _by_line_field(state)
    return split, pattern


def _by_line_field(state: Session) -> None:
    """Show whether lines are split alone; the form knows it before the page is drawn again."""
    key = f"by_line-{state.form.renewals}"

    def changed() -> None:
        state.form.settings = replace(state.form.settings, by_line=st.session_state[key])

    by_line = st.checkbox(
        "Line by line",
        state.form.settings.by_line,
        key=key,
        on_change=changed,
        help="Split each line alone, as the library tokenizers does when it reads a file.",
    )
    if by_line != state.form.settings.by_line:
        catch_up(changed)


def pattern_key(renewals: int) -> str:
    """Return the key of the field for the person's own pattern."""
    return f"custom_pattern-{renewals}"


#: The models, or notebooks, that use each pattern, of those whose files hold none.
_MODELS = {
    "gpt2": "GPT-2, GPT-3",
    "cl100k": "GPT-3.5, GPT-4",
    "llama3": "Llama 3",
    "o200k": "GPT-4o, gpt-oss, Llama 4",
    "qwen2": "Qwen to 3",
    "qwen3.5": "Qwen from 3.5 on",
    "tekken": "Mistral Nemo and later",
    "kimi": "Kimi",
    "rustbpe": "nanochat",
    "words": "“LLMs from scratch” to January 2025",
    "words-and-line-ends": "“LLMs from scratch” to October 2025",
    "lines": "“LLMs from scratch” later",
}


def split_pattern_field(of: str, chosen: str | None, on_split: Callable[[str], object]) -> None:
    """Show the field for the tokenizer with the key ``of``; ``on_split`` gets the name of another pattern."""
    key = f"brought_split-{of}"
    names: list[str | None] = list(NOTEBOOK_PATTERNS if chosen in NOTEBOOK_PATTERNS else SPLIT_PATTERNS)

    def changed() -> None:
        if (name := st.session_state[key]) is not None:
            on_split(name)

    picked = st.selectbox(
        "Split pattern",
        names if chosen in names else [None, *names],
        names.index(chosen) if chosen in names else 0,
        key=key,
        format_func=with_models,
        help="The file holds no split pattern, and its name says none. Choose the one it was trained with.",
        on_change=changed,
    )
    if picked is not None and picked != chosen:
        catch_up(changed)


def with_models(name: str | None) -> str:
    """Return the name of a pattern with the models that use it."""
    if name is None:
        return "Choose one"
    return f"{name} — {_MODELS[name]}" if name in _MODELS else name
