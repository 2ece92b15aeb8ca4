"""The button that starts or continues the tour."""

from typing import Literal

import streamlit as st

from bpeviz.ui.kit.messages import run_whole_page
from bpeviz.ui.session.session import session

__all__ = ["CARD", "note_card", "tour_button"]

#: The parameter of the address: /?card=5
CARD = "card"
_LAST = "tour_card"
#: The pages that don't show the tour, by the path of their address.
_WITHOUT_TOUR = ("compare", "encode", "vocabulary", "recipes")


def note_card(number: int) -> None:
    """Note the card on show, counted from 1: the button leads back to it."""
    st.session_state[_LAST] = number


def tour_button(key: str, kind: Literal["secondary", "tertiary"] = "tertiary") -> None:
    """Show the button."""
    last: int = st.session_state.get(_LAST, 1)
    label = "Take the tour" if last == 1 else f"Continue the tour at card {last}"
    st.button(
        label, key=key, icon=":material/explore:", type=kind, on_click=run_whole_page, args=(_open, last)
    )


def _open(number: int) -> None:
    card = {CARD: str(number)}
    if session().page in _WITHOUT_TOUR:
        session().leads_home = card
    else:
        st.query_params.update(card)
