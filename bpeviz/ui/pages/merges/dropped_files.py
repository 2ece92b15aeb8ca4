"""Files that a person drops anywhere on the page or chooses in the menu: the page trains on them at once."""

from math import ceil
from pathlib import Path

import streamlit as st

from bpeviz.errors import CorpusError
from bpeviz.limits import limits
from bpeviz.ui.components.shared.load import load_component
from bpeviz.ui.pages.merges.taken_files import take_files
from bpeviz.ui.server.upload_guard import drop_uploads
from bpeviz.ui.session.session import Session
from bpeviz.ui.widgets.whole_page import run_whole_page

__all__ = ["dropped_files"]


def dropped_files(state: Session) -> None:
    """Cover the window with an upload field while a person drags files over it. Take the files in it, and
    begin the page again, which then trains on them."""
    with st.container(key="drop_zone"):
        files = st.file_uploader(
            "Drop text files to train on them",
            accept_multiple_files=True,
            key=f"dropped-{state.form.chosen}",  # with a new key the field is empty again
            max_upload_size=ceil(limits().max_corpus_upload_bytes / 2**20),
            on_change=run_whole_page,
        )
        load_component("bpeviz_drop_zone", Path(__file__).with_suffix(".js"))(key="drop_zone_script")
    if not files:
        return
    state.form.corpora.clear()
    state.problem = ""
    try:
        state.form.choose_text(take_files(state.form, files))
    except CorpusError as error:
        state.problem = str(error)
        state.form.chosen += 1
    drop_uploads(files)
    st.rerun()
