"""The files of a tokenizer for other programs: a button for each format, and why some can't hold it.

Each is made when it is asked for: those of a large tokenizer take seconds."""

import io
import zipfile
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from bpeviz.formats.writing import FILE_FORMATS, write_tokenizer
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.exports import export_button, made_once
from bpeviz.ui.kit.words import escape

__all__ = ["own_file_button", "tokenizer_buttons", "tokenizer_download"]

#: The file of each format, by its name; formats of two files are saved as a zip.
_NAMES = {
    "huggingface": "tokenizer.json",
    "tiktoken": "{split}-split.tiktoken",
    "minbpe": "tokenizer.model",
    "sentencepiece": "tokenizer.model",
    "subword-nmt": "codes.bpe",
}
_MIMES = {"json": "application/json", "zip": "application/zip"}


def tokenizer_buttons(tokenizer: Tokenizer, *, key: str) -> None:
    """Show the buttons, whose keys begin with ``key``, and below them the reasons."""
    reasons: list[str] = []
    for known in FILE_FORMATS.values():
        if why := known.refusal(tokenizer):
            reasons.append(f"Not as {known.title}: {why}")
            continue
        name, mime = _name_of(tokenizer, known.name)
        make = made_once(partial(tokenizer_download, tokenizer, known.name))
        export_button(known.title, make, name, mime, key=f"{key}_{known.name}")
        if told := known.leaves_out or known.caution(tokenizer, name):
            st.caption(escape(told))
    for reason in reasons:
        st.caption(escape(reason))


def own_file_button(files: Mapping[str, bytes], make: Callable[[], dict[str, bytes]], *, key: str) -> None:
    """Show the button for a person's own file, changed by ``make``."""
    name = next(iter(files)).removesuffix(".gz")
    export_button(
        escape(f"{name}, all else as it was"),
        made_once(lambda: next(iter(make().values()))),
        name,
        "application/octet-stream",
        key=key,
    )


def _name_of(tokenizer: Tokenizer, format: str) -> tuple[str, str]:
    """Return the name and the MIME type of the download."""
    name = _NAMES.get(format, f"{format}.zip").format(split=tokenizer.split.name)
    return name, _MIMES.get(name.rpartition(".")[2], "application/octet-stream")


def tokenizer_download(tokenizer: Tokenizer, format: str) -> bytes:
    """Return the file of a format; two files as a zip."""
    files = write_tokenizer(tokenizer, format)
    if len(files) == 1:
        return next(iter(files.values()))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in files.items():
            # without a time: the same files always make the same archive
            zipped.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()
