"""From the session's state to the document of a saved session; ``put_back`` is the way back.

Every saved field is named here. In the document, a run is known by its place, and a text by its digest.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from bpeviz.corpus.corpus import Corpus
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import RunRequest
from bpeviz.sessions.document import (
    MOST_DOCUMENT_BYTES,
    MOST_PART_CHARACTERS,
    MOST_PATTERN_CHARACTERS,
    SavedCompare,
    SavedDivergence,
    SavedEncode,
    SavedFile,
    SavedRun,
    SavedSession,
    SavedSettings,
    SavedText,
    SavedTextFields,
    SavedTokenizer,
    SavedTraining,
)
from bpeviz.sessions.session_file import saved_counts, saved_part, short_name
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.saved.run_keys import picked_keys, run_key, run_keys
from bpeviz.ui.session.compare import CompareState, TextFields
from bpeviz.ui.session.divergence import DivergenceState
from bpeviz.ui.session.encode import EncodeState
from bpeviz.ui.session.form import YOUR_TEXT
from bpeviz.ui.session.saving import Digests
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import TokenizersState
from bpeviz.words import counted

__all__ = ["NO_TEXT", "describe", "files_of", "room_for_files", "title_of"]

#: The title of a session in which a person only picked tokenizers, say.
NO_TEXT = "No text yet"


def describe(state: Session, digests: Digests) -> tuple[SavedSession, dict[str, str]]:
    """Return a session as a document, and the texts that it names, by digest.

    ``files_of`` returns the files that it names. Uploaded tokenizers that don't fit beside the texts are left
    out, so that the rest can be saved.
    """
    saving = _Saving(digests, {run.number: place for place, run in enumerate(state.runs)})
    merges, wanted = state.merges, state.training.wanted
    requests: list[Run | RunRequest] = [*state.runs, *([wanted] if wanted else [])]
    document = SavedSession(
        runs=tuple(saving.run(run) for run in requests),
        training=SavedTraining(saving.place(wanted.parent)) if wanted else None,
        typed=saving.text(state.form.typed or None),
        settings=_save_settings(state.form.settings),
        shown=saving.place(merges.shown),
        beside=saving.place(merges.beside),
        step=merges.step,
        pair=merges.pair,
        panels=merges.panels,
        race_length=merges.race_length,
        sides=picked_keys(state.tokenizers.picked, saving.key),
        splits=state.tokenizers.splits,
        compare=_save_compare(state.compare, saving),
        disagree=_save_divergence(state.divergence, saving),
        encode=_save_encode(state.encode, saving),
    )
    texts = digests.collect_texts()
    counts = {corpus.packed.digest: len(corpus.packed.packed) for corpus in _counted(state)}
    room = room_for_files(digests.byte_total + sum(counts.values()))
    return msgspec.structs.replace(document, tokenizers=_save_tokenizers(state.tokenizers, room)), texts


@dataclass(frozen=True)
class _Saving:
    """What saving needs: ``digests`` of texts, and the ``places`` of runs in the document, by number."""

    digests: Digests
    places: Mapping[int, int]

    def text(self, text: str | None) -> str | None:
        return None if text is None else self.digests.of(text)

    def named_text(self, text: NamedText) -> SavedText:
        part = None if text.part is None else saved_part(text.part)
        return SavedText(short_name(text.name), self.digests.of(text.text), part)

    def run(self, run: Run | RunRequest) -> SavedRun:
        settings, counted = run.settings, _counts_of(run)
        return SavedRun(
            short_name(run.name),
            self.named_text(run.corpus),
            SavedSettings.of(settings),
            settings.choices,
            saved_counts(counted) if counted else None,
        )

    def place(self, number: int | None) -> int | None:
        return None if number is None else self.places.get(number)

    def key(self, key: str) -> str:
        return run_key(key, self.places)


def _save_settings(settings: TrainingSettings) -> SavedSettings:
    """Return the settings in the fields; a pattern too long to train with is left out."""
    too_long = len(settings.custom_pattern) > MOST_PATTERN_CHARACTERS
    return SavedSettings.of(replace(settings, custom_pattern="") if too_long else settings)


def _save_text_fields(fields: TextFields, saving: _Saving) -> SavedTextFields:
    uploaded = saving.named_text(fields.uploaded) if fields.uploaded else None
    return SavedTextFields(fields.source, saving.text(fields.typed), fields.sample, uploaded)


def _save_compare(state: CompareState, saving: _Saving) -> SavedCompare:
    several = state.several
    return SavedCompare(
        _save_text_fields(state.text, saving),
        tuple((field, key, n) for (field, old), n in state.merges.items() if (key := saving.key(old))),
        run_keys(state.others, saving.key),
        state.locked,
        None if several.sides is None else run_keys(several.sides, saving.key),
        saving.key(several.baseline),
        several.source,
        several.part,
        several.line,
    )


def _save_divergence(state: DivergenceState, saving: _Saving) -> SavedDivergence:
    return SavedDivergence(
        _save_text_fields(state.text, saving),
        state.recipes,
        state.num_merges,
        state.one_split,
        state.split,
        state.pair,
        state.all_merges,
    )


def _save_encode(state: EncodeState, saving: _Saving) -> SavedEncode:
    part = state.part.own
    return SavedEncode(
        saving.text(state.text),
        state.special,
        tuple((saving.places[run], n) for run, n in state.num_merges.items() if run in saving.places),
        saving.text(state.ids.own),
        None if part is None or len(part) > MOST_PART_CHARACTERS else part,
    )


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


def title_of(state: Session) -> str:
    """Return what a person knows the session by: how its text begins, and how it was trained."""
    run = state.run
    if run is not None:
        how = f"{run.recipe.name}, {counted(len(run.steps), 'merge')}"
        return f"{_quoted(run.corpus.text)}{run.corpus.name}, {how}"
    text = _first_text(state)
    return f"{_quoted(text.text)}{text.name}, not trained yet" if text else NO_TEXT


def _first_text(state: Session) -> NamedText | None:
    """Return the text of a session without a run: the first that the person gave or picked on any page."""
    compared, trained = state.compare.text, state.divergence.text
    given = (
        (YOUR_TEXT, state.form.typed),
        *(("typed text", each.typed) for each in (compared, trained)),
        ("text to encode", state.encode.text),
    )
    texts = [NamedText(name, text) for name, text in given if text]
    texts += [each.uploaded for each in (compared, trained) if each.uploaded]
    texts += [NamedText(each.sample, "") for each in (compared, trained) if each.source == "Sample"]
    return next(iter(texts), None)


def _quoted(text: str) -> str:
    """Return how a text begins, in quotation marks; empty for none."""
    beginning = " ".join(text[:200].split())[:50]
    return f"“{beginning}”, " if beginning else ""
