"""The button that starts or continues the tour."""

from typing import Literal

import streamlit as st

__all__ = ["CARD", "note_card", "tour_button"]

#: The parameter of the address: /?card=5
CARD = "card"
_LAST = "tour_card"


def note_card(number: int) -> None:
    """Note the card on show, counted from 1: the button leads back to it."""
    st.session_state[_LAST] = number


def tour_button(key: str, kind: Literal["secondary", "tertiary"] = "tertiary") -> None:
    """Show the button."""
    last: int = st.session_state.get(_LAST, 1)
    label = "Take the tour" if last == 1 else f"Continue the tour at card {last}"
    st.button(label, key=key, icon=":material/explore:", type=kind, on_click=_open, args=(last,))


def _open(number: int) -> None:
    st.query_params[CARD] = str(number)
