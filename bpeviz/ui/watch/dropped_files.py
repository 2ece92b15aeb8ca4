"""Files that a person drops on the page or chooses in the menu: a corpus, on which the page trains at once.

Short files are one text; large ones stay on the disk.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.errors import CorpusError
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_training import check_text_size
from bpeviz.ui.kit.drop_zone import drop_zone
from bpeviz.ui.kit.messages import decoded
from bpeviz.ui.server.upload_guard import drop_uploads
from bpeviz.ui.session.form import FormState
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.uploaded_files import UploadedFiles

if TYPE_CHECKING:
    from bpeviz.ui.server.streamlit_internals import UploadedFile

__all__ = ["dropped_files", "joined", "read_as"]


def dropped_files(state: Session) -> None:
    """Cover the window with an upload field while a person drags files over it. Take the files in it, and
    begin the page again, which then trains on them."""
    files = drop_zone(
        "Drop text files to train on them",
        key=f"dropped-{state.form.chosen}",
        most_bytes=limits().max_corpus_upload_bytes,
    )
    if not files:
        return
    state.form.corpora.clear()
    with state.attempt():
        state.form.choose_text(_take_files(state.form, files))
    if state.problem:
        state.form.chosen += 1
    drop_uploads(files)
    st.rerun()


def _take_files(form: FormState, files: "Sequence[UploadedFile]") -> NamedText:
    """Return uploaded files as a corpus: as one text, or on the disk if they are too large to show whole.

    Raises CorpusError for files that are too large, empty or not UTF-8.
    """
    if _is_large(sum(file.size for file in files)):
        uploaded = UploadedFiles((file.name, file.getbuffer()) for file in files)
        return form.corpus_of(read_as(uploaded.files, replaces=form.replaces), uploaded)
    text = joined([(file.name, file.getvalue()) for file in files], replaces=form.replaces)
    if not text.text:
        raise CorpusError(f"{text.name} is empty. Choose a file with text.")
    return text


def read_as(files: CorpusFiles, *, replaces: bool) -> CorpusFiles:
    """Return files whose invalid bytes become U+FFFD if it ``replaces`` them, and are an error if not."""
    return replace(files, errors="replace" if replaces else "strict")


def joined(files: "Sequence[tuple[str, bytes]]", *, replaces: bool) -> NamedText:
    """Join files, each a name and its bytes, to one text; each but the last ends with a newline."""
    texts = [decoded(data, name, "replace" if replaces else "strict") for name, data in files]
    text = "".join(t if t.endswith("\n") or i == len(texts) - 1 else t + "\n" for i, t in enumerate(texts))
    return NamedText(files[0][0] if len(files) == 1 else f"{len(files)} files", text)


def _is_large(byte_total: int) -> bool:
    """Return whether files are too large to show whole. Raises CorpusError if they are too large to
    upload."""
    most = limits()
    if most.max_corpus_upload_bytes <= most.max_text_bytes:
        check_text_size(byte_total)
    if byte_total > most.max_corpus_upload_bytes:
        raise CorpusError(
            f"These files have {byte_total:,} bytes; the page takes up to "
            f"{most.max_corpus_upload_bytes // 2**20} MB at once. Start it with the files instead: "
            "bpeviz app FILE …"
        )
    return byte_total > most.max_text_bytes
