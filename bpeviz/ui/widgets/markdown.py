"""Messages to a person: what Streamlit shows as markdown, with everything in it taken literally."""

import re
import string

import streamlit as st

__all__ = ["escape", "show_error"]

_ESCAPES = str.maketrans({mark: f"\\{mark}" for mark in string.punctuation} | {"\n": " ", "\r": " "})

#: Streamlit makes links of addresses in what markdown has already been read from, so no backslash helps.
_LINK = re.compile(r"(?<=http)(?=s?://)|(?<=www)(?=\.)|(?<=[\w.+-])(?=@[\w-])", re.IGNORECASE)
_WORD_JOINER = "\u2060"


def escape(text: str) -> str:
    """Text as markdown that shows it letter by letter: no markup, link, directive, emoji code or formula.

    An address gets a word joiner, which is not seen, and is no address any more.
    """
    return _LINK.sub(_WORD_JOINER, text).translate(_ESCAPES)


def show_error(error: Exception | str) -> None:
    """Show an error's own words, which say what happened and what to do."""
    st.error(escape(str(error)))
