"""The Share button: a link to what is on the page, and the line that embeds its player."""

from urllib.parse import urlencode

import streamlit as st

from bpeviz.ui.kit.address import address, on_main_page
from bpeviz.ui.kit.parts import copy_link
from bpeviz.ui.server.hosting import hosting
from bpeviz.ui.session.saving import SESSION, save_copy, save_session
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.settings_link import write_settings_link

__all__ = ["share_menu"]

MENU = "share_menu"


def share_menu(state: Session) -> None:
    """Show the button; its content is made once it is open."""
    menu = st.popover("Share", icon=":material/share:", key=MENU, on_change="rerun", type="tertiary")
    if menu.open and state.saving.to_open is None:
        with menu:
            if state.run is None:
                st.caption("Train on a text first. Then you can share what you see.")
                return
            # The link of a sample or a short text needs no storage and works on any server.
            settings = write_settings_link(state, state.run)
            _link(state, settings)
            _embed(state, settings)


def _link(state: Session, settings: str | None) -> None:
    """Show the link to what is on the page. The one of ``settings`` holds only what the main page shows."""
    saving = state.saving
    if settings is not None and on_main_page():
        copy_link(address(settings), key="share_link")
        st.caption("The link opens this text at this step, with your settings.")
        return
    if saving.link and saving.link_of == saving.stored:
        copy_link(address(urlencode({SESSION: saving.link}), main=False), key="share_link", focus=True)
    else:
        st.button("Make a link", key="share", type="primary", icon=":material/link:", on_click=_make_link)
    st.caption("The link opens a copy. Changes to the copy don't affect yours.")


def _embed(state: Session, settings: str | None) -> None:
    """Show the line that puts the player into another page. A text that is too long for it needs a link."""
    st.markdown("**Embed**")
    asked = settings
    if asked is None and state.saving.link and state.saving.link_of == state.saving.stored:
        asked = urlencode({SESSION: state.saving.link})
    if asked is None:
        st.caption("Make a link first. A text of up to 2 kB needs none.")
        return
    frames = bool(hosting().frames)
    copy_link(address(f"{asked}&embed=true"), key="embed_line", embeds=True, works=frames)
    if frames:
        st.caption("The line shows the player in another page.")
    else:
        st.caption(
            "This server lets no other site show its page. Ask the person who runs this page to allow it."
        )


def _make_link() -> None:
    state = session()
    with state.attempt():
        save_session(state)
        state.saving.link, state.saving.link_of = save_copy(state), state.saving.stored
