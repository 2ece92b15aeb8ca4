"""The field for the split pattern of a tokenizer file that holds none."""

from collections.abc import Callable

import streamlit as st

from bpeviz.formats.llms_from_scratch import NOTEBOOK_PATTERNS
from bpeviz.text.split_patterns import SPLIT_PATTERNS

__all__ = ["split_pattern_field", "with_models"]

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

    st.selectbox(
        "Split pattern",
        names if chosen in names else [None, *names],
        names.index(chosen) if chosen in names else 0,
        key=key,
        format_func=with_models,
        help="The file holds no split pattern, and its name says none. Choose the one it was trained with.",
        on_change=changed,
    )


def with_models(name: str | None) -> str:
    """Return the name of a pattern with the models that use it."""
    if name is None:
        return "Choose one"
    return f"{name} — {_MODELS[name]}" if name in _MODELS else name
