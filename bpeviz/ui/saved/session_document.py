"""Between the session's state and the document of a person's work, in both directions. Nothing here draws."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import overload

import msgspec

from bpeviz.limits import limits
from bpeviz.runs.run import NamedText, Run, RunRequest
from bpeviz.runs.samples import SAMPLES
from bpeviz.storage.errors import WorkDocumentError
from bpeviz.storage.work_document import (
    MOST_NAME_CHARACTERS,
    MOST_PART_CHARACTERS,
    MOST_PATTERN_CHARACTERS,
    SavedCompare,
    SavedDivergence,
    SavedEncode,
    SavedRun,
    SavedSettings,
    SavedText,
    SavedTextFields,
    SavedTraining,
    WorkDocument,
    allowed,
)
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.compare import TextFields
from bpeviz.ui.session.divergence import MOST_MERGES
from bpeviz.ui.session.merges import RACE_LENGTHS
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.work import Digests

__all__ = ["describe", "put_back", "run_key", "texts_of", "title_of"]

#: The key of a side that is a run, by its number in a session or by its place in a document.
RUN_KEY = re.compile(r"run-([0-9]{1,9})")


def describe(state: Session, digests: Digests) -> tuple[WorkDocument, dict[str, str]]:
    """A session as a document, and the texts it refers to, by digest."""
    places = {run.number: place for place, run in enumerate(state.runs)}
    wanted = state.training.wanted
    runs: list[Run | RunRequest] = [*state.runs, *([wanted] if wanted else [])]
    document = WorkDocument(
        source=state.form.source,
        pasted=_digest(state.form.pasted or None, digests),
        sample=state.form.sample,
        library_megabytes=state.form.library_megabytes,
        uploaded=_text(state.form.uploaded, digests),
        settings=_settings(state.form.settings),
        choosing=state.form.open,
        runs=tuple(_run(r, digests) for r in runs),
        shown=_place(state.merges.shown, places),
        beside=_place(state.merges.beside, places),
        step=state.merges.step,
        pair=state.merges.pair,
        race_length=state.merges.race_length,
        training=SavedTraining(_place(wanted.parent, places)) if wanted else msgspec.UNSET,
        sides={slot: key for slot, old in state.tokenizers.picked.items() if (key := run_key(old, places))},
        compare=SavedCompare(
            text=_text_fields(state.compare, digests),
            merges=tuple(
                (s, key, n) for (s, k), n in state.compare.merges.items() if (key := run_key(k, places))
            ),
            locked=state.compare.locked,
        ),
        disagree=SavedDivergence(
            text=_text_fields(state.divergence.text, digests),
            recipes=state.divergence.recipes,
            num_merges=state.divergence.num_merges,
            one_split=state.divergence.one_split,
            split=state.divergence.split,
            pair=state.divergence.pair,
            all_merges=state.divergence.all_merges,
        ),
        encode=SavedEncode(
            text=_digest(state.encode.text, digests),
            special=state.encode.special,
            num_merges=tuple((places[r], k) for r, k in state.encode.num_merges.items() if r in places),
            ids=_digest(state.encode.ids.own, digests),
            part=_part(state.encode.part.own),
        ),
    )
    return document, digests.finish()


def title_of(state: Session) -> str:
    """What a person knows the work by: the beginning of its text, and by what it was trained."""
    run = state.run
    text = run.corpus.text if run else state.form.pasted
    beginning = " ".join(text[:200].split())[:50]
    by = f", {run.corpus.name}, {run.recipe.name}, {len(run.steps):,} merges" if run else ", not trained yet"
    return f"“{beginning}”{by}"


def put_back(
    state: Session, document: WorkDocument, texts: Mapping[str, str], runs: Sequence[Run | None]
) -> None:
    """Give a new session what a document says; ``runs`` are those trained again, None where one could not be.

    What the document asks for and this page does not have is left as it is in a new session.
    """
    interrupted = runs[-1] if runs and document.training is not msgspec.UNSET else None
    if document.training is not msgspec.UNSET:
        runs = runs[:-1]
    numbers = {place: run.number for place, run in enumerate(runs) if run}
    state.form.source = document.source
    state.form.pasted = texts[document.pasted] if document.pasted else ""
    state.form.sample = _known_sample(document.sample, state.form.sample)
    if document.library_megabytes in (1, 2, 4, 8):
        state.form.library_megabytes = document.library_megabytes
    state.form.uploaded = _named(document.uploaded, texts)
    state.form.settings = _allowed_or(document.settings, state.form.settings)
    state.form.open = document.choosing
    state.runs = [run for run in runs if run]
    _put_back_runs(state, document, numbers)
    state.tokenizers.picked = {
        slot: key for slot, old in document.sides.items() if (key := run_key(old, numbers))
    }
    _put_back_text(state.compare, document.compare.text, texts)
    state.compare.merges = {
        (s, key): k for s, old, k in document.compare.merges if (key := run_key(old, numbers))
    }
    state.compare.locked = document.compare.locked
    _put_back_disagreements(state, document, texts)
    _put_back_encoding(state, document, texts, numbers)
    if interrupted is not None:
        _show_interrupted(state, document, interrupted, numbers)


def _show_interrupted(state: Session, document: WorkDocument, run: Run, numbers: Mapping[int, int]) -> None:
    """Show a run whose training was asked for and interrupted, as if it were done only now."""
    parent = document.training.parent if document.training is not msgspec.UNSET else None
    if parent is not None and parent in numbers and run.choices:
        state.show_fork(numbers[parent], run)
        _only_comparable_beside(state)
    else:
        state.show(run)


def _only_comparable_beside(state: Session) -> None:
    """Have nothing stand beside the run on show but another on the same text."""
    if state.run_beside not in state.comparable():
        state.merges.beside = None


def _put_back_runs(state: Session, document: WorkDocument, numbers: Mapping[int, int]) -> None:
    last = state.runs[-1].number if state.runs else None
    state.merges.shown = numbers.get(document.shown, last) if document.shown is not None else last
    state.merges.beside = numbers.get(document.beside) if document.beside is not None else None
    run = state.run
    if run is None:
        state.form.open = False
        return
    _only_comparable_beside(state)
    state.merges.step = state.merges.start = min(document.step, len(run.steps))
    known = run.tokenizer.vocabulary
    state.merges.pair = (
        document.pair if document.pair and all(token in known for token in document.pair) else None
    )
    if document.race_length in RACE_LENGTHS:
        state.merges.race_length = document.race_length
    if not state.form.open:
        state.form.settings = run.form_settings


def _put_back_disagreements(state: Session, document: WorkDocument, texts: Mapping[str, str]) -> None:
    fields, saved = state.divergence, document.disagree
    _put_back_text(fields.text, saved.text, texts)
    fields.recipes = tuple(dict.fromkeys(name for name in saved.recipes if name in RECIPES))
    fields.num_merges = max(1, min(saved.num_merges, MOST_MERGES, limits().max_merges))
    fields.one_split, fields.all_merges = saved.one_split, saved.all_merges
    if saved.split in SPLIT_PATTERNS:
        fields.split = saved.split
    fields.pair = saved.pair


def _put_back_encoding(
    state: Session, document: WorkDocument, texts: Mapping[str, str], numbers: Mapping[int, int]
) -> None:
    fields, saved = state.encode, document.encode
    fields.text = texts[saved.text] if saved.text else None
    fields.special = saved.special
    made = {run.number: len(run.steps) for run in state.runs}
    fields.num_merges = {
        numbers[place]: min(k, made[numbers[place]]) for place, k in saved.num_merges if place in numbers
    }
    fields.ids.own = texts[saved.ids] if saved.ids else None
    fields.part.own = saved.part


def _text_fields(fields: TextFields, digests: Digests) -> SavedTextFields:
    return SavedTextFields(
        fields.source, _digest(fields.typed, digests), fields.sample, _text(fields.uploaded, digests)
    )


def _put_back_text(fields: TextFields, saved: SavedTextFields, texts: Mapping[str, str]) -> None:
    fields.source = saved.source
    fields.typed = texts[saved.typed] if saved.typed else None
    fields.sample = _known_sample(saved.sample, fields.sample)
    fields.uploaded = _named(saved.uploaded, texts)


def _digest(text: str | None, digests: Digests) -> str | None:
    return None if text is None else digests.of(text)


@overload
def _text(text: NamedText, digests: Digests) -> SavedText: ...
@overload
def _text(text: None, digests: Digests) -> None: ...
@overload
def _text(text: NamedText | None, digests: Digests) -> SavedText | None: ...
def _text(text: NamedText | None, digests: Digests) -> SavedText | None:
    return None if text is None else SavedText(_name(text.name), digests.of(text.text))


def _name(name: str) -> str:
    """A name as a document has it: tokens, and so the names of forks, may be as long as a text."""
    return name.encode("utf-8", "replace").decode("utf-8")[:MOST_NAME_CHARACTERS]


def _part(part: str | None) -> str | None:
    """A part that is longer than the page takes is not saved."""
    return None if part is None or len(part) > MOST_PART_CHARACTERS else part


def _run(run: Run | RunRequest, digests: Digests) -> SavedRun:
    settings = run.settings
    return SavedRun(_name(run.name), _text(run.corpus, digests), SavedSettings.of(settings), settings.choices)


def _settings(settings: TrainingSettings) -> SavedSettings:
    """The form's settings; a pattern that is too long to be trained by is not saved."""
    too_long = len(settings.custom_pattern) > MOST_PATTERN_CHARACTERS
    return SavedSettings.of(replace(settings, custom_pattern="") if too_long else settings)


def _named(text: SavedText | None, texts: Mapping[str, str]) -> NamedText | None:
    return None if text is None else NamedText(text.name, texts[text.digest])


def _known_sample(title: str, otherwise: str) -> str:
    return title if title in SAMPLES else otherwise


def _allowed_or(settings: SavedSettings, otherwise: TrainingSettings) -> TrainingSettings:
    try:
        return allowed(settings)
    except WorkDocumentError:
        return otherwise


def _place(number: int | None, places: Mapping[int, int]) -> int | None:
    return None if number is None else places.get(number)


def run_key(key: str, of: Mapping[int, int]) -> str:
    """The key of a side, with a run by another number: its place in a document for its number in a session,
    or the other way around. Empty if the run is not there."""
    if not key.startswith("run-"):
        return key[:MOST_NAME_CHARACTERS]
    run = RUN_KEY.fullmatch(key)
    other = of.get(int(run[1])) if run else None
    return "" if other is None else f"run-{other}"


def texts_of(saved: Mapping[str, bytes], digests: Iterable[str]) -> dict[str, str]:
    """Texts as they were kept. Raises WorkDocumentError for one that is not UTF-8."""
    try:
        return {digest: saved[digest].decode("utf-8", "surrogatepass") for digest in digests}
    except UnicodeDecodeError:
        raise WorkDocumentError("one of its texts is not UTF-8") from None
