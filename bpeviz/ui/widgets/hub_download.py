"""A download from the Hugging Face Hub on the page: how long it takes so far, and Cancel."""

import streamlit as st

from bpeviz.formats.hub import fetch_tokenizer
from bpeviz.limits import limits
from bpeviz.ui.widgets.markdown import escape

__all__ = ["download_tokenizer"]


def download_tokenizer(model: str, name: str, key: str) -> dict[str, bytes]:
    """Return the tokenizer file of a ``model`` on the Hub, by its name; the page calls the model ``name``.

    Any click on the page, such as Cancel, stops the script and with it the wait. So this doesn't work in a
    fragment. Raises TokenizerFileError.
    """
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        waiting = st.empty()
        st.button("Cancel", key=f"{key}_cancel", type="tertiary", icon=":material/close:")

    def wait(seconds: float) -> None:
        getting = f"Getting {escape(name)}, {seconds:.0f} s so far"
        waiting.caption(getting if seconds else "Waiting for other downloads")

    most = limits()
    try:
        return fetch_tokenizer(model, most.max_upload_bytes, shared_server=most.hosted, on_wait=wait)
    finally:
        place.empty()
