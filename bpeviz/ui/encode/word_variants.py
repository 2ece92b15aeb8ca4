"""The picked word in lower case, with a capital, in capitals, and each with a space before it: as cards."""

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.text.token_text import shorten, visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.words import escape
from bpeviz.words import counted

__all__ = ["variants_of", "word_variants"]

#: Longer words have no cards: all would be walls of letters.
MOST_CHARACTERS = 40
MOST_TOKENS = 12


def variants_of(word: str) -> list[str]:
    """Return a word in each case that it has, without and with a space before it.

    >>> variants_of(" The")
    ['the', ' the', 'The', ' The', 'THE', ' THE']
    """
    core = word.strip()
    forms = dict.fromkeys([core.lower(), core.capitalize(), core, core.upper()]) if core else ()
    return [space + form for form in forms for space in ("", " ")]


def word_variants(tokenizer: Tokenizer, word: str) -> None:
    """Show a card for each variant of a word: its tokens, and how many they are."""
    if not word.strip() or len(word) > MOST_CHARACTERS:
        return
    st.caption("The same word in other cases, without and with a space before it. Each is encoded alone.")
    with st.container(horizontal=True, key="word_variants"):
        for variant in variants_of(word):
            with st.container(border=True, width="content", gap=None):
                _card(tokenizer, variant)


def _card(tokenizer: Tokenizer, variant: str) -> None:
    st.markdown(f"**{escape(visible(variant.encode('utf-8', 'replace')))}**")
    try:
        ids = tokenizer.encode(variant)
    except BpevizError:
        st.caption("can't be encoded")
        return
    tokens = [escape(shorten(visible(tokenizer.token_bytes(token_id)), 12)) for token_id in ids]
    more = " …" if len(tokens) > MOST_TOKENS else ""
    st.markdown(" ".join(f":gray-badge[{token}]" for token in tokens[:MOST_TOKENS]) + more)
    st.caption(counted(len(ids), "token"))
