"""The upload field for tokenizer files, and the list of uploaded tokenizers."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.formats.reading import split_choices
from bpeviz.limits import limits
from bpeviz.ui.kit.known_models import download_tokenizer
from bpeviz.ui.kit.split_fields import split_pattern_field, with_models
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.pages.compare.more_rows import add_row, ask_for_room, split_by
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.tokenizers import BEGINNING, MOST_UPLOADED, UploadedTokenizer, read_files

__all__ = ["tokenizer_upload"]


def tokenizer_upload(state: Session) -> None:
    """Read files into a tokenizer and compare it in a new row, or show what is wrong. It can then be picked
    like any other."""
    st.markdown(
        "- Hugging Face: `tokenizer.json`\n"
        "- SentencePiece, Llama, minbpe: `.model`\n"
        "- tiktoken: `.tiktoken`\n"
        "- Mistral: `tekken.json`\n"
        "- subword-nmt: its codes\n"
        "- GPT-2, RoBERTa, CLIP: `vocab.json` and `merges.txt` together, best with "
        "`tokenizer_config.json`\n"
        "- LLMs from scratch: `vocab.json` and `bpe_merges.txt` together\n\n"
        "The machine that runs this page reads the file, and runs nothing in it."
    )
    files = st.file_uploader(
        "Files of one tokenizer",
        accept_multiple_files=True,
        key=f"brought{state.compare.reads or ''}",
        max_upload_size=limits().max_upload_bytes // 2**20,
    )
    beginnings = {file.name: bytes(file.getbuffer()[:BEGINNING]) for file in files}
    unsaid = split_choices(beginnings)
    split = _asked_split("brought_split", unsaid) if unsaid else None
    ids = (*(file.file_id for file in files), split or "")
    if files and ids != state.compare.brought and not (unsaid and split is None):
        state.compare.brought = ids
        state.compare.fault = ""
        _read(state, {file.name: file.getvalue() for file in files}, split)
    if files and state.compare.fault:
        show_error(state.compare.fault)
    ask_for_room(state)
    if limits().hub:
        _hub(state)
    _list(state)


def _asked_split(key: str, names: Sequence[str]) -> str | None:
    """Ask for the split pattern of a file that says none; None until one is chosen."""
    return st.selectbox(
        "Split pattern",
        names,
        index=None,
        key=key,
        format_func=with_models,
        placeholder="The file doesn't name one. Choose its model's or notebook's.",
    )


def _read(state: Session, files: dict[str, bytes], split: str | None) -> None:
    """Read uploaded files, or note what is wrong with them."""
    try:
        with st.spinner("Reading the files …", show_time=True):
            _add_tokenizer(state, files, split)
    except BpevizError as error:
        state.compare.fault = str(error)
        return
    state.compare.reads += 1
    st.rerun()


def _add_tokenizer(state: Session, files: dict[str, bytes], split: str | None = None, name: str = "") -> None:
    """Read files and compare their tokenizer in a new row. Raises BpevizError."""
    tokenizer = read_files(files, split)
    add_row(state, UploadedTokenizer.of(files, split, name), tokenizer)


def _hub(state: Session) -> None:
    """Get the tokenizer of a model from the Hugging Face Hub, once the person asks for it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = st.text_input(
            "Model on the Hugging Face Hub",
            key="hub_model",
            placeholder="deepseek-ai/DeepSeek-V3",
            max_chars=limits().max_name_characters,
        ).strip()
        asked = st.button("Get from the Hub", key="get_from_hub", icon=":material/cloud_download:")
    try:
        if asked:
            state.compare.fetched = None
            state.compare.fetched = model, download_tokenizer(model, model, "hub")
        if state.compare.fetched is None:
            return
        name, files = state.compare.fetched
        unsaid = split_choices({name: data[:BEGINNING] for name, data in files.items()})
        split = _asked_split("hub_split", unsaid) if unsaid else None
        if unsaid and split is None:
            return
        state.compare.fetched = None
        with st.spinner("Reading the files …", show_time=True):
            _add_tokenizer(state, files, split, name)
    except BpevizError as error:
        show_error(error)
        return
    st.rerun()


def _list(state: Session) -> None:
    """Show the uploaded tokenizers, to rename and to remove them."""
    if not state.tokenizers.files:
        return
    st.caption(
        f"Your files. They are saved with your session; a new one replaces the oldest of {MOST_UPLOADED}."
    )
    for key, uploaded in state.tokenizers.files.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text_input(
                "Name",
                uploaded.name,
                key=f"uploaded_name-{key}-{uploaded.name}",
                label_visibility="collapsed",
                max_chars=max(limits().max_name_characters, len(uploaded.name)),
                on_change=_rename,
                args=(key, f"uploaded_name-{key}-{uploaded.name}"),
            )
            st.button(
                "Remove",
                key=f"remove-{key}",
                icon=":material/delete:",
                on_click=_remove,
                args=(key,),
            )
        for caution in state.tokenizers.opened[key].cautions if key in state.tokenizers.opened else ():
            st.caption(escape(caution))
        if uploaded.split is not None:
            st.caption("The file doesn't say how texts are split. You chose:")
            split_pattern_field(key, uploaded.split, partial(split_by, state, key))
        if uploaded.name in state.saving.unsaved:
            st.caption("Too large to save with this session: a reload loses it.")


def _rename(key: str, field: str) -> None:
    session().tokenizers.rename(key, str(st.session_state[field]))


def _remove(key: str) -> None:
    session().tokenizers.remove(key)
