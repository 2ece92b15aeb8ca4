"""The field for the split pattern of a tokenizer file that holds none."""

import streamlit as st

from bpeviz.text.split_patterns import SPLIT_PATTERNS

__all__ = ["split_pattern_field"]

#: The models that use each pattern, of those whose rank files people have.
_MODELS = {
    "gpt2": "GPT-2, GPT-3, Codex",
    "cl100k": "GPT-3.5, GPT-4",
    "llama3": "Llama 3",
    "o200k": "GPT-4o, gpt-oss, Llama 4",
    "qwen": "Qwen",
    "qwen2": "Qwen 2, 2.5 and 3",
    "rustbpe": "rustbpe, nanochat",
    "none": "no split",
}


def split_pattern_field(of: str, chosen: str | None) -> str | None:
    """Show the field for the tokenizer with the key ``of``; empty for the one that is being uploaded.

    Returns the name of the pattern, None until one is ``chosen``.
    """
    names = list(SPLIT_PATTERNS)
    return st.selectbox(
        "Split pattern",
        names,
        None if chosen is None else names.index(chosen),
        key=f"brought_split{of}",
        format_func=_with_models,
        placeholder="Choose the model's pattern",
        help="The file holds no split pattern, and its name says none. Choose the one it was trained with.",
    )


def _with_models(name: str) -> str:
    return f"{name} — {_MODELS[name]}" if name in _MODELS else name
