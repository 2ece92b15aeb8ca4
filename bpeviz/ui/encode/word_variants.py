"""The picked word in lower case, with a capital, in capitals, and each with a space before it: as cards."""

import streamlit as st

from bpeviz.browser.encoding import pack_variants
from bpeviz.errors import BpevizError
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.parts import mount_variants

__all__ = ["variants_of", "word_variants"]

#: Longer words have no cards: all would be walls of letters.
MOST_CHARACTERS = 40


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
    ids = {variant: _ids(tokenizer, variant) for variant in variants_of(word)}
    mount_variants(pack_variants(tokenizer, ids), key="word_variants")


def _ids(tokenizer: Tokenizer, variant: str) -> list[int] | None:
    try:
        return tokenizer.encode(variant)
    except BpevizError:
        return None
