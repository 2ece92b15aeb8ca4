"""The Share button: one link to what is on the page."""

from urllib.parse import urlencode

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.ui.components.copy_link.copy_link import copy_link
from bpeviz.ui.saved.saving import SESSION, save_copy, save_session
from bpeviz.ui.saved.settings_link import write_settings_link
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.widgets.address import address, on_main_page

__all__ = ["share_menu"]

MENU = "share_menu"


def share_menu(state: Session) -> None:
    """Show the button; its content is made once it is open."""
    menu = st.popover("Share", icon=":material/share:", key=MENU, on_change="rerun", type="tertiary")
    if menu.open and state.saving.to_open is None:
        with menu:
            _link(state)


def _link(state: Session) -> None:
    saving = state.saving
    if state.run is None:
        st.caption("Train on a text first. Then you can share what you see.")
        return
    # The link of a sample needs no storage and works on any server. It holds only what the main page shows.
    if on_main_page() and (settings := write_settings_link(state, state.run)) is not None:
        copy_link(address(settings), key="share_link")
        st.caption("The link opens this sample at this step, with your settings.")
        return
    if saving.link and saving.link_of == saving.stored:
        copy_link(address(urlencode({SESSION: saving.link}), main=False), key="share_link", focus=True)
    else:
        st.button("Make a link", key="share", type="primary", icon=":material/link:", on_click=_make_link)
    st.caption("The link opens a copy. Changes to the copy don't affect yours.")


def _make_link() -> None:
    state = session()
    try:
        save_session(state)
        state.saving.link, state.saving.link_of = save_copy(state), state.saving.stored
    except BpevizError as error:
        state.saving.notice = str(error)
