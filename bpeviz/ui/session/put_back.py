"""From the document of a saved session to the session's state; ``describe`` is the way there.

What this page doesn't have, such as a recipe of another version, stays as it is in a new session.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from bpeviz.errors import SavedSessionError
from bpeviz.runs.run import Run
from bpeviz.runs.typed_text import fits
from bpeviz.sessions.allowed import allowed
from bpeviz.sessions.document import SavedSession
from bpeviz.sessions.packed_file import PackedFile
from bpeviz.ui.session.pages import Pages
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import UploadedTokenizer

__all__ = ["put_back", "restored_tokenizers", "texts_of"]


def texts_of(saved: Mapping[str, bytes], digests: Iterable[str]) -> dict[str, str]:
    """Return saved texts by digest. Raises SavedSessionError for one that is not UTF-8."""
    try:
        return {digest: saved[digest].decode("utf-8", "surrogatepass") for digest in digests}
    except UnicodeDecodeError:
        raise SavedSessionError("one of its texts is not UTF-8") from None


def put_back(
    state: Session,
    document: SavedSession,
    texts: Mapping[str, str],
    runs: Sequence[Run | None],
    files: Mapping[str, bytes] = MappingProxyType({}),
) -> None:
    """Give a new session what a document says.

    ``texts`` and packed ``files`` are by digest. ``runs`` are those of the document, trained again, None for
    one that could not be. What this page doesn't have stays as it is in a new session.
    """
    interrupted = runs[-1] if runs and document.training else None
    if document.training:
        runs = runs[:-1]
    state.runs = [run for run in runs if run]
    typed = texts.get(document.typed or "")
    state.form.typed = typed if typed and fits(typed) else ""
    starts = {run.start.key: run.start for run in state.runs if run.start}
    with suppress(SavedSessionError):
        state.form.settings = allowed(document.settings, starts.get(document.settings.start or ""))
    state.form.renewals = document.renewals
    state.tokenizers.picked = dict(document.sides)
    state.tokenizers.splits = dict(document.splits)
    state.tokenizers.files = restored_tokenizers(document, files)
    state.pages = Pages(document.pages, texts)
    if state.runs:
        _show_run(state, document)
    if interrupted is not None:
        _show_interrupted(state, document, interrupted)


def _show_run(state: Session, document: SavedSession) -> None:
    """Show the run that was shown, else the latest, at a step that it has."""
    state.shown, state.beside = document.shown, document.beside
    run = state.run or state.runs[-1]
    state.shown = run.number
    _only_comparable_beside(state)
    state.step = state.start = min(document.step, len(run.steps))
    state.form.settings = run.form_settings


def restored_tokenizers(document: SavedSession, files: Mapping[str, bytes]) -> dict[str, UploadedTokenizer]:
    """Return the uploaded tokenizers whose files are there. Nothing is unpacked yet."""
    return {
        key: UploadedTokenizer(
            saved.name,
            tuple(PackedFile(file.name, file.byte_total, files[file.digest]) for file in saved.files),
            saved.split,
        )
        for key, saved in document.tokenizers.items()
        if all(file.digest in files for file in saved.files)
    }


def _show_interrupted(state: Session, document: SavedSession, run: Run) -> None:
    """Show a run whose training was interrupted, as if its training had just finished."""
    parent = document.training.parent if document.training else None
    if parent in [each.number for each in state.runs] and run.choices:
        state.show_fork(parent, run)
        _only_comparable_beside(state)
    else:
        state.show(run)


def _only_comparable_beside(state: Session) -> None:
    """Show only a run on the same text beside the shown one."""
    if state.run_beside not in state.comparable():
        state.beside = None
