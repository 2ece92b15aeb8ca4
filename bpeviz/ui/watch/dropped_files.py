"""Files that a person drops anywhere on the page or chooses in the menu: the page trains on them at once."""

import streamlit as st

from bpeviz.limits import limits
from bpeviz.ui.kit.drop_zone import drop_zone
from bpeviz.ui.server.upload_guard import drop_uploads
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch.taken_files import take_files

__all__ = ["dropped_files"]


def dropped_files(state: Session) -> None:
    """Cover the window with an upload field while a person drags files over it. Take the files in it, and
    begin the page again, which then trains on them."""
    files = drop_zone(
        "Drop text files to train on them",
        key=f"dropped-{state.form.chosen}",
        most_bytes=limits().max_corpus_upload_bytes,
    )
    if not files:
        return
    state.form.corpora.clear()
    with state.attempt():
        state.form.choose_text(take_files(state.form, files))
    if state.problem:
        state.form.chosen += 1
    drop_uploads(files)
    st.rerun()
