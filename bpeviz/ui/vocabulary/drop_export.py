"""Files of a tokenizer without the tokens that a person drops, each made when it is asked for."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from bpeviz.formats.isolated import trim_in_worker
from bpeviz.formats.trimmed_files import keeps_its_format
from bpeviz.tokenizer.trimming import Trimming
from bpeviz.ui.kit.tokenizer_files import own_file_button, tokenizer_buttons
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import UploadedTokenizer
from bpeviz.ui.vocabulary.state import Drops

__all__ = ["export_menu"]


def export_menu(state: Session, side: Side, drops: Drops, dropped: Sequence[int]) -> None:
    """Show the menu: the person's own file without the tokens, and the formats that can hold what is left."""
    menu = st.popover("Export", icon=":material/download:", key="drop_export", on_change="rerun")
    if not menu.open:
        return
    with menu:
        uploaded = state.tokenizers.files.get(side.key)
        if uploaded is not None:
            _own_file(uploaded, drops, dropped)
        trimming = Trimming(side.tokenizer)
        left = side.tokenizer.trimmed(trimming, trimming.fall(dropped), drops.ids)
        tokenizer_buttons(left, key="drop")


def _own_file(uploaded: UploadedTokenizer, drops: Drops, dropped: Sequence[int]) -> None:
    files = {file.name: file.content() for file in uploaded.files}
    if not keeps_its_format(files):
        return
    make = partial(trim_in_worker, files, tuple(dropped), ids=drops.ids, split=uploaded.split)
    own_file_button(files, make, key="drop_own")
