"""Text that Streamlit shows as markdown, escaped so that it appears as it is."""

import re
import string

import streamlit as st

__all__ = ["escape", "show_error"]

_ESCAPES = str.maketrans({mark: f"\\{mark}" for mark in string.punctuation} | {"\n": " ", "\r": " "})

#: Streamlit turns addresses into links after it has read the markdown, so backslashes don't help.
_LINK = re.compile(r"(?<=http)(?=s?://)|(?<=www)(?=\.)|(?<=[\w.+-])(?=@[\w-])", re.IGNORECASE)
_WORD_JOINER = "\u2060"


def escape(text: str) -> str:
    """Write text as markdown that shows it letter by letter: no markup, link, directive, emoji or formula.

    An address gets an invisible word joiner, so that it is no link.
    """
    return _LINK.sub(_WORD_JOINER, text).translate(_ESCAPES)


def show_error(error: Exception | str) -> None:
    """Show the error's message, which says what happened and what to do."""
    st.error(escape(str(error)))
