"""Messages to a person: what Streamlit shows as markdown, with everything in it taken literally."""

import string

import streamlit as st

__all__ = ["escape", "show_error"]

_ESCAPES = str.maketrans({mark: f"\\{mark}" for mark in string.punctuation} | {"\n": " ", "\r": " "})


def escape(text: str) -> str:
    """Text as markdown that shows it letter by letter: no markup, link, directive, emoji code or formula."""
    return text.translate(_ESCAPES)


def show_error(error: Exception | str) -> None:
    """Show an error's own words, which say what happened and what to do."""
    st.error(escape(str(error)))
