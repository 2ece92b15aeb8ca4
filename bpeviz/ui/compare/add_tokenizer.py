"""The menu "Add a tokenizer": more rows below both sides, and the tokenizers of a person's own files."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.formats.reading import split_choices
from bpeviz.limits import limits
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.compare.state import MOST_TOKENIZERS, CompareState
from bpeviz.ui.kit.pick_side import download_tokenizer, numbered_names, picked_side
from bpeviz.ui.kit.split_fields import split_pattern_field, with_models
from bpeviz.ui.kit.tokenizer_sources import Side, get_side, side_names
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.tokenizers import BEGINNING, MOST_UPLOADED, UploadedTokenizer, read_files

__all__ = ["add_row", "add_tokenizer", "picked_rows", "split_by", "tokenizer_upload"]

MOST_ROWS = MOST_TOKENIZERS - 2


def add_tokenizer(state: Session) -> None:
    """Show the menu."""
    _pick_rows(state)
    tokenizer_upload(state)


def _pick_rows(state: Session) -> None:
    """Show the field that adds and removes rows."""
    labels, keys = _labels(state), _keys(state)
    key = f"more_rows-{len(labels)}"
    known = key in st.session_state
    if known and st.session_state[key] != keys:  # after a row's tokenizer became a side
        st.session_state[key] = keys

    def note() -> None:
        picked = (each for each in st.session_state[key] if each in labels)  # a browser can send any key
        session().pages.of(CompareState).saved.others = tuple(picked)[:MOST_ROWS]

    picked = st.multiselect(
        "Add another",
        list(labels),
        [] if known else keys,  # Streamlit warns of a value and a first choice together
        key=key,
        format_func=labels.__getitem__,
        max_selections=MOST_ROWS,
        placeholder="Choose tokenizers",
        on_change=note,
    )
    if picked != keys:
        note()


def picked_rows(state: Session) -> list[Side]:
    """Return the tokenizers of the rows; shows why one can't be read."""
    sides = []
    for key in _keys(state):
        try:
            with st.spinner("Reading the tokenizer …", show_time=True):
                sides.append(get_side(state, key))
        except BpevizError as error:
            show_error(f"{_labels(state)[key]}: {error}")
    return sides


def _compared(state: Session) -> list[str]:
    """Return the keys of all tokenizers that the page compares: both sides, then the rows."""
    return [picked_side(state, "left"), picked_side(state, "right"), *_keys(state)]


def add_row(state: Session, uploaded: UploadedTokenizer, tokenizer: Tokenizer) -> None:
    """Add a row for an uploaded tokenizer. If there is no room, the page asks which one it
    replaces: see _ask_for_room."""
    compare = state.pages.of(CompareState)
    known = state.tokenizers.key_of(uploaded)
    if known not in _compared(state) and len(_compared(state)) >= MOST_TOKENIZERS:
        compare.waiting = uploaded, tokenizer
        return
    left, right, *rows = _compared(state)
    if not state.runs:  # without a run the left side is the first of the list, which an upload changes
        state.tokenizers.picked |= {"left": left, "right": right}
    key = state.tokenizers.add(uploaded, tokenizer, in_use=rows)
    rows = [key if row == known else row for row in rows]
    compare.saved.others = tuple(rows)
    if key not in _compared(state):
        compare.saved.others = (*rows, key)


def split_by(state: Session, key: str, split: str) -> None:
    """Split an uploaded tokenizer by another pattern. It stays in its row."""
    compare = state.pages.of(CompareState)
    new = state.tokenizers.split_by(key, split)
    compare.saved.others = tuple(new if other == key else other for other in compare.saved.others)


def _ask_for_room(state: Session) -> None:
    """Ask which of the compared tokenizers an uploaded one replaces, if one waits for that."""
    compare = state.pages.of(CompareState)
    if compare.waiting is None:
        return
    uploaded, tokenizer = compare.waiting
    if len(_compared(state)) < MOST_TOKENIZERS:  # the person has removed a row
        compare.waiting = None
        with state.attempt():
            add_row(state, uploaded, tokenizer)
        st.rerun()
    name, names = escape(uploaded.name), side_names(state)
    st.warning(f"The page compares up to {MOST_TOKENIZERS} tokenizers. Which one does {name} replace?")
    labels = numbered_names({key: names[key] for key in _compared(state)})
    key = st.selectbox("Replace", list(labels), None, key="replaced", format_func=labels.__getitem__)
    with st.container(horizontal=True):
        st.button(
            "Replace it", key="replace", disabled=key not in labels, on_click=_replace, args=(state, key)
        )
        st.button(f"Leave out {name}", key="leave_out", on_click=_leave_out, args=(state,))


def _replace(state: Session, old: str) -> None:
    """Put the tokenizer that waits in the places of another one."""
    compare = state.pages.of(CompareState)
    if (waiting := compare.waiting) is None:
        return
    compare.waiting = None
    left, right, *rows = _compared(state)
    in_use = {left, right, *rows} - {old}
    state.tokenizers.picked |= {"left": left, "right": right}
    new = old
    with state.attempt():
        new = state.tokenizers.add(*waiting, in_use=in_use)
    places = [new if key == old else key for key in (left, right, *rows)]
    state.tokenizers.picked |= {"left": places[0], "right": places[1]}
    compare.saved.others = tuple(places[2:])


def _leave_out(state: Session) -> None:
    state.pages.of(CompareState).waiting = None


def _keys(state: Session) -> list[str]:
    labels = _labels(state)
    return [key for key in state.pages.of(CompareState).saved.others if key in labels][:MOST_ROWS]


def _labels(state: Session) -> dict[str, str]:
    """Return the tokenizers that have no row yet, by key."""
    taken = {picked_side(state, "left"), picked_side(state, "right")}
    return numbered_names({key: name for key, name in side_names(state).items() if key not in taken})


def tokenizer_upload(state: Session) -> None:
    """Read files into a tokenizer and compare it in a new row, or show what is wrong. It can then be picked
    like any other."""
    compare = state.pages.of(CompareState)
    files = st.file_uploader(
        "Files of one tokenizer",
        accept_multiple_files=True,
        key=f"brought{compare.reads or ''}",
        max_upload_size=limits().max_upload_bytes // 2**20,
    )
    with st.expander("Which files?", key="which_files"):
        _which_files()
    beginnings = {file.name: bytes(file.getbuffer()[:BEGINNING]) for file in files}
    unsaid = split_choices(beginnings)
    split = _asked_split("brought_split", unsaid) if unsaid else None
    ids = (*(file.file_id for file in files), split or "")
    if files and ids != compare.brought and not (unsaid and split is None):
        compare.brought = ids
        compare.fault = ""
        _read(state, {file.name: file.getvalue() for file in files}, split)
    if files and compare.fault:
        show_error(compare.fault)
    _ask_for_room(state)
    if limits().hub:
        _hub(state)
    _list(state)


def _which_files() -> None:
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
    compare = state.pages.of(CompareState)
    try:
        with st.spinner("Reading the files …", show_time=True):
            _add_tokenizer(state, files, split)
    except BpevizError as error:
        compare.fault = str(error)
        return
    compare.reads += 1
    st.rerun()


def _add_tokenizer(state: Session, files: dict[str, bytes], split: str | None = None, name: str = "") -> None:
    """Read files and compare their tokenizer in a new row. Raises BpevizError."""
    tokenizer = read_files(files, split)
    add_row(state, UploadedTokenizer.of(files, split, name), tokenizer)


def _hub(state: Session) -> None:
    """Get the tokenizer of a model from the Hugging Face Hub, once the person asks for it."""
    compare = state.pages.of(CompareState)
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
            compare.fetched = None
            compare.fetched = model, download_tokenizer(model, model, "hub")
        if compare.fetched is None:
            return
        name, files = compare.fetched
        unsaid = split_choices({name: data[:BEGINNING] for name, data in files.items()})
        split = _asked_split("hub_split", unsaid) if unsaid else None
        if unsaid and split is None:
            return
        compare.fetched = None
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
            field = f"uploaded_name-{key}-{uploaded.name}"
            name = st.text_input(
                "Name",
                uploaded.name,
                key=field,
                label_visibility="collapsed",
                max_chars=max(limits().max_name_characters, len(uploaded.name)),
                on_change=_rename,
                args=(key, field),
            )
            if name != uploaded.name:
                _rename(key, field)
                if state.tokenizers.files[key] != uploaded:
                    st.rerun()
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
