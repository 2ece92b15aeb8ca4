"""Files that a person drops anywhere on a page: the page takes what it can use, the browser opens none."""

from collections.abc import Callable, Mapping
from math import ceil
from typing import TYPE_CHECKING, LiteralString

import streamlit as st

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.reading import split_choices
from bpeviz.runs.run import NamedText
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.messages import decoded, run_whole_page
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.server.upload_guard import drop_uploads
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import BEGINNING, UploadedTokenizer, read_files

if TYPE_CHECKING:
    from bpeviz.ui.server.streamlit_internals import UploadedFile

__all__ = ["drop_zone", "hold_files", "take_text", "take_tokenizer", "taken_files", "watch_drags"]

TAKES_NONE: LiteralString = "This page takes no files. Drop texts on Watch, Encode or Compare."
SPLIT_UNSAID = (
    "it names no split pattern. Open “Add a tokenizer” on Compare, and choose the file and its pattern there."
)
#: How the names of tokenizer files end. The codes of subword-nmt have any name, and begin with their version.
TOKENIZER_ENDINGS = (".json", ".model", ".tiktoken", ".bpe", ".gguf", "merges.txt")
CODES_BEGIN = b"#version"

#: Takes the dropped files, by name; it may raise BpevizError.
Take = Callable[[Mapping[str, bytes]], None]


def drop_zone(says: str, *, key: str, most_bytes: int) -> "list[UploadedFile]":
    """Cover the window with an upload field while a person drags files over it; return the dropped files."""
    with st.container(key="drop_zone"):
        return st.file_uploader(
            says,
            accept_multiple_files=True,
            key=key,  # with a new key the field is empty again
            max_upload_size=ceil(most_bytes / 2**20),
            on_change=run_whole_page,
        )


def hold_files() -> None:
    """Say that this page takes no files while a person drags some over it."""
    with st.container(key="no_files"):
        st.text(TAKES_NONE)


def watch_drags() -> None:
    """Show what the page draws for dropped files while a person drags some over it, and keep the browser from
    opening them. Every page has this."""
    with st.container(key="drags"):
        mount_part("drop_zone", key="drop_zone_script")


def taken_files(state: Session, says: str, take: Take, *, page: str, most_bytes: int) -> None:
    """Have a page take dropped files, before its fields are drawn; say what is wrong with those that it can't
    use."""
    key = f"dropped_on_{page}"
    count: int = st.session_state.get(key, 0)
    files = drop_zone(says, key=f"{key}-{count}", most_bytes=most_bytes)
    if not files:
        return
    st.session_state[key] = count + 1
    with state.attempt():
        take({file.name: file.getvalue() for file in files})
    drop_uploads(files)
    st.rerun()


def take_tokenizer(files: Mapping[str, bytes]) -> tuple[UploadedTokenizer, Tokenizer] | None:
    """Return the tokenizer of dropped files; None if they look like texts. Raises BpevizError."""
    if not any(_is_tokenizer(name, data) for name, data in files.items()):
        return None
    if split_choices({name: data[:BEGINNING] for name, data in files.items()}):
        raise TokenizerFileError(next(iter(files)), SPLIT_UNSAID)
    tokenizer = read_files(dict(files), None)
    return UploadedTokenizer.of(dict(files), None, ""), tokenizer


def _is_tokenizer(name: str, data: bytes) -> bool:
    return name.lower().removesuffix(".gz").endswith(TOKENIZER_ENDINGS) or data.startswith(CODES_BEGIN)


def take_text(files: Mapping[str, bytes]) -> NamedText:
    """Return the first of dropped files as a text. Raises CorpusError if it is not UTF-8."""
    name, data = next(iter(files.items()))
    return NamedText(name, decoded(data, name))
