"""From the session's state to the document of a saved session; ``put_back`` is the way back.

Every saved field is named here, but for those that a page's own state says. A text is known by its digest.
"""

from dataclasses import replace

import msgspec

from bpeviz.corpus.corpus import Corpus
from bpeviz.limits import limits
from bpeviz.runs.run import Run
from bpeviz.runs.run_training import RunRequest
from bpeviz.sessions.document import (
    MOST_DOCUMENT_BYTES,
    MOST_NAME_CHARACTERS,
    MOST_PATTERN_CHARACTERS,
    SavedFile,
    SavedRun,
    SavedSession,
    SavedSettings,
    SavedText,
    SavedTokenizer,
    SavedTraining,
)
from bpeviz.sessions.page_fields import beginning
from bpeviz.sessions.session_file import saved_counts, saved_part, short_name
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.form import YOUR_TEXT
from bpeviz.ui.session.saving_state import Digests
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import TokenizersState
from bpeviz.words import counted

__all__ = ["describe", "files_of", "room_for_files", "title_of"]


def describe(state: Session, digests: Digests) -> tuple[SavedSession, dict[str, str]]:
    """Return a session as a document, and the texts that it names, by digest.

    ``files_of`` returns the files that it names. Uploaded tokenizers that don't fit beside the texts are left
    out, so that the rest can be saved.
    """
    wanted = state.training.wanted
    requests: list[Run | RunRequest] = [*state.runs, *([wanted] if wanted else [])]
    document = SavedSession(
        runs=tuple(_save_run(run, digests) for run in requests),
        training=SavedTraining(wanted.parent) if wanted else None,
        typed=digests.of(state.form.typed) if state.form.typed else None,
        settings=_save_settings(state.form.settings),
        renewals=state.form.renewals,
        shown=state.shown,
        beside=state.beside,
        step=state.step,
        sides={field: key[:MOST_NAME_CHARACTERS] for field, key in state.tokenizers.picked.items()},
        splits=state.tokenizers.splits,
        pages=state.pages.write(digests.of),
    )
    texts = digests.collect_texts()
    counts = {corpus.packed.digest: len(corpus.packed.packed) for corpus in _counted(state)}
    room = room_for_files(digests.byte_total + sum(counts.values()))
    return msgspec.structs.replace(document, tokenizers=_save_tokenizers(state.tokenizers, room)), texts


def _save_run(run: Run | RunRequest, digests: Digests) -> SavedRun:
    settings, counted, text = run.settings, _counts_of(run), run.corpus
    part = None if text.part is None else saved_part(text.part)
    return SavedRun(
        run.number,
        short_name(run.name),
        SavedText(short_name(text.name), digests.of(text.text), part),
        SavedSettings.of(settings),
        settings.choices,
        saved_counts(counted) if counted else None,
    )


def _save_settings(settings: TrainingSettings) -> SavedSettings:
    """Return the settings in the fields; a pattern too long to train with is left out."""
    too_long = len(settings.custom_pattern) > MOST_PATTERN_CHARACTERS
    return SavedSettings.of(replace(settings, custom_pattern="") if too_long else settings)


def _save_tokenizers(tokenizers: TokenizersState, room: int) -> dict[str, SavedTokenizer]:
    """Return the uploaded tokenizers that have room together, the oldest first."""
    saved: dict[str, SavedTokenizer] = {}
    for key, each in tokenizers.files.items():
        if each.files and each.byte_total <= room and key not in tokenizers.refused:
            files = tuple(SavedFile(short_name(f.name), f.byte_total, f.digest) for f in each.files)
            saved[key] = SavedTokenizer(short_name(each.name), files, each.split)
            room -= each.byte_total
    return saved


def room_for_files(text_bytes: int) -> int:
    """Return how many bytes of tokenizer files can be saved beside texts and counts of so many bytes."""
    return limits().session_bytes - MOST_DOCUMENT_BYTES - text_bytes


def files_of(state: Session, document: SavedSession) -> dict[str, bytes]:
    """Return the packed files that a document of the session names, by digest: those of uploaded tokenizers,
    and the counts of large corpora."""
    files = {file.digest: file.packed for each in state.tokenizers.files.values() for file in each.files}
    files |= {corpus.packed.digest: corpus.packed.packed for corpus in _counted(state)}
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


def title_of(state: Session, document: SavedSession) -> str:
    """Return what a person knows the session by, whose document this is: how its text begins, and how it was
    trained. Without a run it is the first text that they gave or picked on any page."""
    run = state.run
    if run is not None:
        how = f"{run.recipe.name}, {counted(len(run.steps), 'merge')}"
        return f"{beginning(run.corpus.text)}{run.corpus.name}, {how}"
    typed = state.form.typed
    texts = [
        f"{beginning(typed)}{YOUR_TEXT}" if typed else "",
        *(page.about for page in document.pages.values()),
    ]
    about = next(filter(None, texts), "")
    return f"{about}, not trained yet" if about else "No text yet"
