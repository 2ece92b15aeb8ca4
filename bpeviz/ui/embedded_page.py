"""The player alone, for a frame in another page: ``?embed=true``, which Streamlit understands too.

Its address says all that it shows, so nothing is saved: see bpeviz.ui.session.settings_link.
"""

from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from bpeviz.browser.run_pack import PlayedRun, pack_run
from bpeviz.runs.samples import FIRST_STEP, first_run
from bpeviz.ui.kit.address import address
from bpeviz.ui.kit.player import mount
from bpeviz.ui.kit.words import escape
from bpeviz.ui.restoring import find_asked_session, restore_session
from bpeviz.ui.session.session import Session

__all__ = ["EMBEDDED_STYLE", "show_embedded_page"]

EMBEDDED_STYLE = Path(__file__).with_name("embedded.css").read_text("utf-8")


def show_embedded_page(state: Session) -> None:
    """Draw the player of the run that the address asks for, or else of the sample's."""
    find_asked_session(state)
    if restore_session(state):
        return
    if state.run is None:
        if state.saving.notice:
            st.warning(escape(state.saving.notice))
        state.open_with(first_run(), FIRST_STEP)
    run = state.run_at_step().run
    mount(pack_run(PlayedRun(run=run, title="Text", start=state.start)), key="player")
    here = address(urlencode(st.query_params.to_dict()))
    with st.container(key="open_app"):
        st.link_button("Open in bpeviz", here, icon=":material/open_in_new:", type="tertiary")
