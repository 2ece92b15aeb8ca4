"""Files of a tokenizer without the tokens that a person drops, each made when it is asked for."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from bpeviz.formats.isolated import trim_in_worker
from bpeviz.formats.trimmed_files import keeps_its_format
from bpeviz.tokenizer.trimming import Trimming
from bpeviz.ui.kit.exports import export_button, made_once
from bpeviz.ui.kit.tokenizer_files import tokenizer_buttons
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape
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
    name = next(iter(files)).removesuffix(".gz")
    make = partial(_of_own_file, files, drops, uploaded.split, tuple(dropped))
    export_button(
        escape(f"{name}, all else as it was"),
        made_once(make),
        name,
        "application/octet-stream",
        key="drop_own",
    )


def _of_own_file(
    files: Mapping[str, bytes], drops: Drops, split: str | None, dropped: Sequence[int]
) -> bytes:
    return next(iter(trim_in_worker(files, dropped, ids=drops.ids, split=split).values()))
