"""Files dropped anywhere on the page: the page trains on them at once."""

from math import ceil
from pathlib import Path

import streamlit as st

from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.text.errors import CorpusError
from bpeviz.ui.components.shared.load import load_component
from bpeviz.ui.pages.merges.uploaded_corpus import read_as, take_files
from bpeviz.ui.server.upload_guard import drop_uploads
from bpeviz.ui.session.session import Session

__all__ = ["dropped_files"]


def dropped_files(state: Session, *, replaces: bool = False) -> None:
    """Cover the window with an upload field while a person drags files over it; take what they drop.

    ``replaces``: whether invalid bytes become U+FFFD.
    """
    with st.container(key="drop_zone"):
        files = st.file_uploader(
            "Drop text files to train on them",
            accept_multiple_files=True,
            key=f"dropped-{state.form.drops}",
            max_upload_size=ceil(limits().max_corpus_upload_bytes / 2**20),
        )
        load_component("bpeviz_drop_zone", Path(__file__).with_suffix(".js"))(key="drop_zone_script")
    if not files:
        return
    state.form.forget_upload()
    try:
        take_files(state, files, replaces=replaces)
    except CorpusError as error:
        state.work.notice = str(error)
    else:
        corpus = _corpus(state, replaces)
        if corpus is not None and not corpus.trained_bytes:
            state.work.notice = f"{corpus.trained_name} is empty. Drop a file with text."
        else:
            state.form.source, state.form.wanted = "Upload", corpus
    drop_uploads(files)
    state.form.drops += 1  # an empty field for the next files
    st.rerun()


def _corpus(state: Session, replaces: bool) -> NamedText | None:
    if (large := state.form.large) is not None:
        return state.form.corpus_of(read_as(large.files, replaces), large)
    return state.form.uploaded
