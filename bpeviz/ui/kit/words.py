"""Sentences on the page: a person's text in markdown, errors, and terms that explain themselves."""

import html
import re
import string
from typing import LiteralString

import streamlit as st

from bpeviz.browser.parts import file_text
from bpeviz.glossary import GLOSSARY

__all__ = ["TERM_STYLE", "escape", "explained", "show_error", "show_explained"]

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


#: The page's style sheet has it.
TERM_STYLE = file_text("shared/term.css")

_TERM = re.compile(r"\[\[([^]|]+)(?:\|([^]]+))?\]\]")


def explained(sentence: LiteralString, **values: str) -> str:
    """Return a sentence as HTML: "A [[run]] has [[merge|merges]]." explains "run" and "merges".

    The sentence is the page's own. A person's text comes in by ``values``, which stand for their names in
    braces; all but the terms is escaped. Raises KeyError for a term that the glossary doesn't have.
    """
    shown = {name: f"<bdi>{html.escape(value)}</bdi>" for name, value in values.items()}
    return _TERM.sub(_element, html.escape(sentence)).format(**shown)


def _element(found: re.Match[str]) -> str:
    meaning = f'<span class="meaning">{html.escape(GLOSSARY[found[1]])}</span>'
    return f'<button type="button" class="term">{found[2] or found[1]}{meaning}</button>'


def show_explained(sentence: LiteralString, **values: str) -> None:
    """Show a sentence whose terms explain themselves, as small as a caption; see explained."""
    st.html(f'<p class="explained">{explained(sentence, **values)}</p>')
