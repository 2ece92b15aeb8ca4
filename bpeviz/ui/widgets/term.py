"""Sentences whose terms explain themselves on hover, focus or tap."""

import re
from html import escape
from pathlib import Path
from typing import LiteralString

import streamlit as st

from bpeviz.glossary import GLOSSARY
from bpeviz.ui import components

__all__ = ["TERM_STYLE", "explained", "show_explained"]

#: The page's style sheet has it.
TERM_STYLE = (Path(components.__file__).parent / "shared" / "term.css").read_text("utf-8")

_TERM = re.compile(r"\[\[([^]|]+)(?:\|([^]]+))?\]\]")


def explained(sentence: LiteralString, **values: str) -> str:
    """Return a sentence as HTML: "A [[run]] has [[merge|merges]]." explains "run" and "merges".

    The sentence is the page's own. A person's text comes in by ``values``, which stand for their names in
    braces; all but the terms is escaped. Raises KeyError for a term that the glossary doesn't have.
    """
    shown = {name: f"<bdi>{escape(value)}</bdi>" for name, value in values.items()}
    return _TERM.sub(_element, escape(sentence)).format(**shown)


def _element(found: re.Match[str]) -> str:
    meaning = f'<span class="meaning">{escape(GLOSSARY[found[1]])}</span>'
    return f'<button type="button" class="term">{found[2] or found[1]}{meaning}</button>'


def show_explained(sentence: LiteralString, **values: str) -> None:
    """Show a sentence whose terms explain themselves, as small as a caption; see explained."""
    st.html(f'<p class="explained">{explained(sentence, **values)}</p>')
