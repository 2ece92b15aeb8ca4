"""From the session's state to the document of a saved session, and back.

The document has the fields that the states mark as saved (bpeviz.ui.session.saved_fields), besides the runs.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

import msgspec

from bpeviz.corpus.corpus import Corpus
from bpeviz.limits import limits
from bpeviz.runs.run import Run
from bpeviz.runs.run_training import RunRequest
from bpeviz.sessions.document import (
    MOST_DOCUMENT_BYTES,
    SavedFile,
    SavedRun,
    SavedSession,
    SavedSettings,
    SavedTokenizer,
    SavedTraining,
    read_document,
)
from bpeviz.sessions.errors import SavedSessionError
from bpeviz.sessions.packed_file import PackedFile
from bpeviz.sessions.session_file import saved_counts, short_name
from bpeviz.ui.session.merges import MergesState
from bpeviz.ui.session.saved_fields import Restoring, SavedAs, Saving
from bpeviz.ui.session.saving import Digests
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import TokenizersState, UploadedTokenizer

__all__ = [
    "SessionDocument",
    "describe",
    "files_of",
    "put_back",
    "read_session_document",
    "restore_fields",
    "room_for_files",
    "texts_of",
    "title_of",
]


@cache
def _saved_fields(state: type) -> tuple[tuple[str, type, SavedAs], ...]:
    """Return the saved fields of a state: name, type, and how each is saved."""
    hints = get_type_hints(state, include_extras=True).items()
    return tuple(
        (name, get_args(hint)[0], mark)
        for name, hint in hints
        for mark in getattr(hint, "__metadata__", ())
        if isinstance(mark, SavedAs)
    )


def _is_nested(type_: type, how: SavedAs) -> bool:
    """Whether a field holds a state with saved fields, which is a document in the document."""
    return how.type is None and is_dataclass(type_)


def _document_fields(state: type) -> Iterator[tuple[str, Any, Any]]:
    """Yield the fields of a state's document: name, type, default. One that is missing is not restored."""
    for name, type_, how in _saved_fields(state):
        if how.inline:
            yield from _document_fields(type_)
        else:
            saved = _document_type(type_) if _is_nested(type_, how) else how.type or type_
            yield how.name or name, saved | msgspec.UnsetType, msgspec.UNSET


@cache
def _document_type(state: type, base: type[msgspec.Struct] = msgspec.Struct) -> type[Any]:
    return msgspec.defstruct(
        f"Saved{state.__name__}",
        list(_document_fields(state)),
        bases=(base,),
        module=__name__,
        frozen=True,
        forbid_unknown_fields=True,
        kw_only=True,
    )


class _Former(SavedSession, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of a form that earlier versions had: read and left out."""

    choosing: Any = msgspec.UNSET
    source: Any = msgspec.UNSET
    pasted: Any = msgspec.UNSET
    sample: Any = msgspec.UNSET
    library_megabytes: Any = msgspec.UNSET
    uploaded: Any = msgspec.UNSET


#: A document with the saved fields of a session.
SessionDocument: type[SavedSession] = _document_type(Session, _Former)


def _save_fields(state: Any, saving: Saving) -> dict[str, Any]:
    """Return the values of a state's saved fields, by their names in the document."""
    values: dict[str, Any] = {}
    kind: Any = type(state)
    for name, type_, how in _saved_fields(kind):
        value = getattr(state, name)
        if how.inline:
            values |= _save_fields(value, saving)
        elif _is_nested(type_, how):
            values[how.name or name] = _document_type(type_)(**_save_fields(value, saving))
        else:
            values[how.name or name] = how.save(value, saving)
    return values


def restore_fields(state: Any, document: msgspec.Struct, restoring: Restoring) -> None:
    """Give a new state what a document says. What this page doesn't have stays as it is in a new state."""
    kind: Any = type(state)
    for name, type_, how in _saved_fields(kind):
        if how.inline:
            restore_fields(getattr(state, name), document, restoring)
        elif (saved := getattr(document, how.name or name)) is msgspec.UNSET:
            continue
        elif _is_nested(type_, how):
            restore_fields(getattr(state, name), saved, restoring)
        else:
            with suppress(SavedSessionError):
                setattr(state, name, how.restore(saved, restoring))


def describe(state: Session, digests: Digests) -> tuple[SavedSession, dict[str, str]]:
    """Return a session as a document, and the texts it refers to, by digest.

    ``files_of`` returns the files it refers to. Uploaded tokenizers that don't fit beside the texts are left
    out, so that the rest can be saved.
    """
    saving = Saving(digests, {run.number: place for place, run in enumerate(state.runs)})
    wanted = state.training.wanted
    requests: list[Run | RunRequest] = [*state.runs, *([wanted] if wanted else [])]
    runs = tuple(_save_run(run, saving) for run in requests)
    fields = _save_fields(state, saving)
    texts = digests.finish()
    counts = {counted.packed.digest: len(counted.packed.packed) for counted in _counted(state)}
    room = room_for_files(digests.byte_total + sum(counts.values()))
    document = SessionDocument(
        runs=runs,
        training=_save_training(wanted, saving),
        tokenizers=_save_tokenizers(state.tokenizers, room),
        **fields,
    )
    return document, texts


def room_for_files(text_bytes: int) -> int:
    """Return how many bytes of tokenizer files can be saved beside texts and counts of so many bytes."""
    return limits().session_bytes - MOST_DOCUMENT_BYTES - text_bytes


def files_of(state: Session, document: SavedSession) -> dict[str, bytes]:
    """Return the packed files that a document of the session refers to, by digest: those of uploaded
    tokenizers, and the counts of large corpora."""
    files = {file.digest: file.packed for each in state.tokenizers.files.values() for file in each.files}
    for counted in _counted(state):
        files[counted.packed.digest] = counted.packed.packed
    named = document.file_digests()
    return {digest: packed for digest, packed in files.items() if digest in named}


def _counted(state: Session) -> list[Corpus]:
    """Return the counts of the large corpora of a session's runs."""
    wanted = state.training.wanted
    return [c for run in (*state.runs, wanted) if run and (c := _counts_of(run)) is not None]


def _counts_of(run: Run | RunRequest) -> Corpus | None:
    """Return the counts that a run is saved with; None if its text is saved whole."""
    if run.corpus.part is None:
        return None
    return run.result.corpus if isinstance(run, Run) else run.counted


def _save_run(run: Run | RunRequest, saving: Saving) -> SavedRun:
    settings, counted = run.settings, _counts_of(run)
    return SavedRun(
        short_name(run.name),
        saving.named_text(run.corpus),
        SavedSettings.of(settings),
        settings.choices,
        msgspec.UNSET if counted is None else saved_counts(counted),
    )


def _save_training(wanted: RunRequest | None, saving: Saving) -> SavedTraining | msgspec.UnsetType:
    if wanted is None:
        return msgspec.UNSET
    return SavedTraining(None if wanted.parent is None else saving.places.get(wanted.parent))


def _save_tokenizers(tokenizers: TokenizersState, room: int) -> dict[str, SavedTokenizer] | msgspec.UnsetType:
    """Return the uploaded tokenizers that have room together, the oldest first."""
    saved: dict[str, SavedTokenizer] = {}
    for key, each in tokenizers.files.items():
        if each.files and each.byte_total <= room and key not in tokenizers.refused:
            files = tuple(SavedFile(short_name(f.name), f.byte_total, f.digest) for f in each.files)
            saved[key] = SavedTokenizer(short_name(each.name), files, each.split)
            room -= each.byte_total
    return saved or msgspec.UNSET


def _restore_tokenizers(document: SavedSession, files: Mapping[str, bytes]) -> dict[str, UploadedTokenizer]:
    """Return the uploaded tokenizers whose files are there. Nothing is unpacked yet."""
    if document.tokenizers is msgspec.UNSET:
        return {}
    return {
        key: UploadedTokenizer(
            saved.name,
            tuple(PackedFile(file.name, file.byte_total, files[file.digest]) for file in saved.files),
            saved.split,
        )
        for key, saved in document.tokenizers.items()
        if all(file.digest in files for file in saved.files)
    }


def read_session_document(data: str | bytes, texts: Collection[str]) -> SavedSession:
    """Return a session's document from JSON that may come from anybody.

    ``texts``: the digests of the texts and files that came with it. Raises SavedSessionError.
    """
    return read_document(data, texts, SessionDocument)


def title_of(state: Session) -> str:
    """Return what a person knows the session by: how its text begins, and how it was trained."""
    run = state.run
    text = run.corpus.text if run else state.form.typed
    beginning = " ".join(text[:200].split())[:50]
    by = f", {run.corpus.name}, {run.recipe.name}, {len(run.steps):,} merges" if run else ", not trained yet"
    return f"“{beginning}”{by}"


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
    interrupted = runs[-1] if runs and document.training is not msgspec.UNSET else None
    if document.training is not msgspec.UNSET:
        runs = runs[:-1]
    numbers = {place: run.number for place, run in enumerate(runs) if run}
    state.runs = [run for run in runs if run]
    restore_fields(state, document, Restoring(texts, numbers))
    state.tokenizers.files = _restore_tokenizers(document, files)
    made = {run.number: len(run.steps) for run in state.runs}
    state.encode.num_merges = {run: min(k, made[run]) for run, k in state.encode.num_merges.items()}
    _show_runs(state)
    if interrupted is not None:
        _show_interrupted(state, document, interrupted, numbers)


def _show_runs(state: Session) -> None:
    """Show the run that was on show, else the latest, at a step that it has."""
    if not state.runs:
        state.merges = MergesState()
        return
    merges = state.merges
    run = state.run or state.runs[-1]
    merges.shown = run.number
    _only_comparable_beside(state)
    merges.step = merges.start = min(merges.step, len(run.steps))
    if merges.pair and not all(token in run.tokenizer.vocabulary for token in merges.pair):
        merges.pair = None
    state.form.settings = run.form_settings


def _show_interrupted(state: Session, document: SavedSession, run: Run, numbers: Mapping[int, int]) -> None:
    """Show a run whose training was interrupted, as if its training had just finished."""
    parent = document.training.parent if document.training is not msgspec.UNSET else None
    if parent is not None and parent in numbers and run.choices:
        state.show_fork(numbers[parent], run)
        _only_comparable_beside(state)
    else:
        state.show(run)


def _only_comparable_beside(state: Session) -> None:
    """Show only a run on the same text beside the one on show."""
    if state.run_beside not in state.comparable():
        state.merges.beside = None


def texts_of(saved: Mapping[str, bytes], digests: Iterable[str]) -> dict[str, str]:
    """Return saved texts by digest. Raises SavedSessionError for one that is not UTF-8."""
    try:
        return {digest: saved[digest].decode("utf-8", "surrogatepass") for digest in digests}
    except UnicodeDecodeError:
        raise SavedSessionError("one of its texts is not UTF-8") from None
