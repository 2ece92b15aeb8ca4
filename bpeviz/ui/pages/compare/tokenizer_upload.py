"""The upload field for tokenizer files."""

from collections.abc import Sequence

import streamlit as st

from bpeviz.base_error import BpevizError
from bpeviz.formats import GUESSED_SPLIT, read_tokenizer, says_no_split
from bpeviz.formats.reading_process import read_in_process
from bpeviz.limits import limits
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.ui.server.streamlit_internals import UploadedFile
from bpeviz.ui.session.session import Session
from bpeviz.ui.widgets.markdown import escape, show_error

__all__ = ["tokenizer_upload"]

MOST_FILES = 6
#: Files with more bytes are read in another process, which takes half a second to start.
READ_HERE_BYTES = 200_000


def tokenizer_upload(state: Session) -> None:
    """Read files into a tokenizer, which can then be picked like any other, or show what is wrong."""
    with st.popover("Bring a tokenizer", icon=":material/upload_file:", key="bring"):
        st.markdown(
            "A `tokenizer.json` of Hugging Face, a `.tiktoken` file, a `.model` file of minbpe, codes of "
            "subword-nmt, or a pair together: GPT-2's `vocab.json` and `merges.txt`, or `vocab.json` and "
            "`bpe_merges.txt` of “LLMs from scratch”. It is read on the machine that runs this page, "
            "and nothing in it is run."
        )
        files = st.file_uploader(
            "Files of one tokenizer",
            accept_multiple_files=True,
            key="brought",
            max_upload_size=limits().max_upload_bytes // 2**20,
        )
        split = _asked_split(files)
        ids = (*(file.file_id for file in files), split or "")
        if files and ids != state.compare.brought:
            state.compare.brought = ids
            state.compare.fault = ""
            _read(state, {file.name: file.getvalue() for file in files}, split)
        if files and state.compare.fault:
            show_error(state.compare.fault)
        for name, _ in state.tokenizers.files.values():
            st.caption(f"Read: {escape(name)}")


def _asked_split(files: Sequence[UploadedFile]) -> str | None:
    """Ask for the split pattern; None if the files name it."""
    if len(files) != 1 or not says_no_split(files[0].name, bytes(files[0].getbuffer()[:100_000])):
        return None
    return st.selectbox(
        "Split pattern",
        list(SPLIT_PATTERNS),
        list(SPLIT_PATTERNS).index(GUESSED_SPLIT),
        key="brought_split",
        help="The file holds no split pattern, and its name says none. Choose the one it was trained with.",
    )


def _read(state: Session, files: dict[str, bytes], split: str | None) -> None:
    """Pick the tokenizer as the left side, or note what is wrong with its files."""
    name = " + ".join(files)
    try:
        with st.spinner("Reading the files …", show_time=True):
            small = sum(map(len, files.values())) <= READ_HERE_BYTES
            read = read_tokenizer if small else read_in_process
            tokenizer = read(files, split=split, split_timeout=limits().split_timeout_seconds)
    except BpevizError as error:
        state.compare.fault = str(error)
        return
    kept = [(key, value) for key, value in state.tokenizers.files.items() if value[0] != name]
    number = 1 + max((int(key.removeprefix("file-")) for key in state.tokenizers.files), default=0)
    key = f"file-{number}"
    state.tokenizers.files = {**dict(kept[-(MOST_FILES - 1) :]), key: (name, tokenizer)}
    state.tokenizers.picked["left"] = key
    st.rerun()
