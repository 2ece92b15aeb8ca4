"""Uploaded files as a corpus: short ones as one text, large ones on the disk."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_training import check_text_size
from bpeviz.text.errors import CorpusError
from bpeviz.text.utf8 import decode_utf8
from bpeviz.ui.server.upload_guard import drop_uploads
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.uploaded_files import UploadedFiles

if TYPE_CHECKING:
    from bpeviz.ui.server.streamlit_internals import UploadedFile

__all__ = ["joined", "read_as", "take_files"]


def take_files(state: Session, files: "Sequence[UploadedFile]", *, replaces: bool) -> None:
    """Keep uploaded files in the form: as its text, or on the disk if they are too large to show whole.

    ``replaces``: whether invalid bytes become U+FFFD. Raises CorpusError.
    """
    if _is_large(sum(file.size for file in files)):
        _store(state, files)
    else:
        state.form.uploaded = joined([(file.name, file.getvalue()) for file in files], replaces)


def read_as(files: CorpusFiles, replaces: bool) -> CorpusFiles:
    """Files whose invalid bytes are replaced, or are an error."""
    return replace(files, errors="replace" if replaces else "strict")


def _is_large(byte_total: int) -> bool:
    """Whether files are too large to show whole. Raises CorpusError if they are too large to upload."""
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


def _store(state: Session, files: "Sequence[UploadedFile]") -> None:
    """Write uploaded files to the disk, drop them from memory, and empty the field. Raises CorpusError."""
    state.form.large = UploadedFiles((file.name, file.getbuffer()) for file in files)
    state.form.uploaded = None
    state.form.uploads += 1
    drop_uploads(files)


def joined(files: "Sequence[tuple[str, bytes]]", replaces: bool) -> NamedText:
    """Join files, each a name and its bytes, to one text; each but the last ends with a newline."""
    texts = [decode_utf8(data, name, "replace" if replaces else "strict") for name, data in files]
    text = "".join(t if t.endswith("\n") or i == len(texts) - 1 else t + "\n" for i, t in enumerate(texts))
    return NamedText(files[0][0] if len(files) == 1 else f"{len(files)} files", text)
