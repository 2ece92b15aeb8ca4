"""The menu that saves a trained tokenizer as files that other libraries load."""

import io
import zipfile
from collections.abc import Mapping

import streamlit as st

from bpeviz.formats.writing import FILE_FORMATS, FileFormat
from bpeviz.runs.run import Run
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.words import escape

__all__ = ["save_tokenizer"]

MENU = "save"


@st.fragment
def save_tokenizer(run: Run) -> None:
    """Show a menu with a button for each format that can hold the tokenizer, and why the others can't."""
    menu = st.popover("Save", icon=":material/download:", key=MENU, on_change="rerun")
    if menu.open:
        with menu:
            _menu(run.tokenizer)


def _menu(tokenizer: Tokenizer) -> None:
    merges = len(tokenizer.merges)
    made = {0: "without merges", 1: "with one merge"}.get(merges, f"with all {merges:,} merges")
    st.markdown(f"Save this run's tokenizer, {made}, as a file that other programs load:")
    reasons: list[str] = []
    for file_format in FILE_FORMATS.values():
        if why := file_format.refusal(tokenizer):
            reasons.append(f"Not as {escape(file_format.title)}: {escape(why)}")
        else:
            _button(tokenizer, file_format)
    for reason in reasons:
        st.caption(reason)


def _button(tokenizer: Tokenizer, file_format: FileFormat) -> None:
    files = file_format.write(tokenizer)
    name, mime, data = _download(files, file_format.name)
    st.download_button(
        file_format.title,
        data,
        name,
        mime,
        key=f"save_{file_format.name}",
        icon=":material/download:",
        on_click="ignore",
        width="stretch",
    )
    if file_format.leaves_out:
        st.caption(escape(file_format.leaves_out))
    elif told := file_format.caution(tokenizer, next(iter(files))):
        st.caption(escape(told))


def _download(files: Mapping[str, bytes], name: str) -> tuple[str, str, bytes]:
    """Return the name, MIME type and content of the download; two files go into one zip."""
    if len(files) == 1:
        ((file_name, data),) = files.items()
        is_json = file_name.endswith(".json")
        return file_name, "application/json" if is_json else "application/octet-stream", data
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        for file_name, data in files.items():
            # without a time: the same files always make the same archive
            zipped.writestr(zipfile.ZipInfo(file_name), data, zipfile.ZIP_DEFLATED)
    return f"{name}.zip", "application/zip", archive.getvalue()
