"""From the document of a saved session to the session's state; ``describe`` is the way there.

What this page doesn't have, such as a recipe of another version, stays as it is in a new session.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from bpeviz.errors import SavedSessionError
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.samples import SAMPLES
from bpeviz.runs.typed_text import fits
from bpeviz.sessions.allowed import allowed
from bpeviz.sessions.document import (
    SavedCompare,
    SavedDivergence,
    SavedEncode,
    SavedSession,
    SavedText,
    SavedTextFields,
)
from bpeviz.sessions.packed_file import PackedFile
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.recipes import RECIPES
from bpeviz.ui.saved.run_keys import picked_keys, run_key, run_keys
from bpeviz.ui.session.compare import SEVERAL_SOURCES, TEXT_SOURCES, CompareState, SeveralFields, TextFields
from bpeviz.ui.session.divergence import MOST_MERGES, DivergenceState
from bpeviz.ui.session.encode import EncodeState, Followed
from bpeviz.ui.session.merges import PANELS_TO_SHOW, RACE_LENGTHS
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import UploadedTokenizer

__all__ = ["put_back", "texts_of"]

T = TypeVar("T")


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
    numbers = {place: run.number for place, run in enumerate(runs) if run}
    restoring = _Restoring(texts, numbers)
    state.runs = [run for run in runs if run]
    typed = restoring.text(document.typed)
    state.form.typed = typed if typed and fits(typed) else ""
    with suppress(SavedSessionError):
        state.form.settings = allowed(document.settings)
    state.tokenizers.picked = picked_keys(document.sides, restoring.key)
    state.tokenizers.splits = dict(document.splits)
    state.tokenizers.files = _restore_tokenizers(document, files)
    _restore_compare(state.compare, document.compare, restoring)
    _restore_divergence(state.divergence, document.disagree, restoring)
    _restore_encode(state.encode, document.encode, restoring)
    made = {run.number: len(run.steps) for run in state.runs}
    state.encode.num_merges = {run: min(k, made[run]) for run, k in state.encode.num_merges.items()}
    if state.runs:
        _restore_merges(state, document, restoring)
    if interrupted is not None:
        _show_interrupted(state, document, interrupted, numbers)


@dataclass(frozen=True)
class _Restoring:
    """What restoring needs: ``texts`` by digest, and the ``numbers`` of runs in the session, by place."""

    texts: Mapping[str, str]
    numbers: Mapping[int, int]

    def text(self, digest: str | None) -> str | None:
        return None if digest is None else self.texts.get(digest)

    def named_text(self, saved: SavedText | None) -> NamedText | None:
        text = self.text(saved.digest) if saved else None
        return NamedText(saved.name, text) if saved and text is not None else None

    def number(self, place: int | None) -> int | None:
        return None if place is None else self.numbers.get(place)

    def key(self, key: str) -> str:
        return run_key(key, self.numbers)


def _known(value: object, values: Iterable[T], usual: T) -> T:
    """Return the one of ``values`` that a document names, or the usual one if it names none of them."""
    return next((each for each in values if each == value), usual)


def _restore_merges(state: Session, document: SavedSession, restoring: _Restoring) -> None:
    """Show the run that was shown, else the latest, at a step that it has."""
    merges = state.merges
    merges.shown, merges.beside = restoring.number(document.shown), restoring.number(document.beside)
    run = state.run or state.runs[-1]
    merges.shown = run.number
    _only_comparable_beside(state)
    merges.step = merges.start = min(document.step, len(run.steps))
    if document.pair and all(token in run.tokenizer.vocabulary for token in document.pair):
        merges.pair = document.pair
    if document.panels is not None:
        merges.panels = tuple(panel for panel in PANELS_TO_SHOW if panel in document.panels)
    merges.race_length = _known(document.race_length, RACE_LENGTHS, merges.race_length)
    state.form.settings = run.form_settings


def _restore_text_fields(fields: TextFields, saved: SavedTextFields, restoring: _Restoring) -> None:
    fields.source = _known(saved.source, TEXT_SOURCES, None)
    fields.typed = restoring.text(saved.typed)
    fields.sample = _known(saved.sample, SAMPLES, fields.sample)
    fields.uploaded = restoring.named_text(saved.uploaded)


def _restore_compare(state: CompareState, saved: SavedCompare, restoring: _Restoring) -> None:
    _restore_text_fields(state.text, saved.text, restoring)
    state.merges = {(field, key): n for field, old, n in saved.merges if (key := restoring.key(old))}
    state.others = run_keys(saved.others, restoring.key)
    state.locked = saved.locked
    state.several = SeveralFields(
        None if saved.several_sides is None else run_keys(saved.several_sides, restoring.key),
        restoring.key(saved.several_baseline),
        _known(saved.several_source, SEVERAL_SOURCES, state.several.source),
        saved.several_part,
        saved.several_line,
    )


def _restore_divergence(state: DivergenceState, saved: SavedDivergence, restoring: _Restoring) -> None:
    _restore_text_fields(state.text, saved.text, restoring)
    if saved.recipes is not None:
        state.recipes = tuple(dict.fromkeys(name for name in saved.recipes if name in RECIPES))
    if saved.num_merges is not None:
        state.num_merges = max(1, min(saved.num_merges, MOST_MERGES, limits().max_merges))
    state.one_split, state.all_merges = saved.one_split, saved.all_merges
    state.split = _known(saved.split, SPLIT_PATTERNS, state.split)
    state.pair = saved.pair


def _restore_encode(state: EncodeState, saved: SavedEncode, restoring: _Restoring) -> None:
    state.text, state.special = restoring.text(saved.text), saved.special
    numbers = restoring.numbers
    state.num_merges = {numbers[place]: n for place, n in saved.num_merges if place in numbers}
    state.ids, state.part = Followed(own=restoring.text(saved.ids)), Followed(own=saved.part)


def _restore_tokenizers(document: SavedSession, files: Mapping[str, bytes]) -> dict[str, UploadedTokenizer]:
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


def _show_interrupted(state: Session, document: SavedSession, run: Run, numbers: Mapping[int, int]) -> None:
    """Show a run whose training was interrupted, as if its training had just finished."""
    parent = document.training.parent if document.training else None
    if parent is not None and parent in numbers and run.choices:
        state.show_fork(numbers[parent], run)
        _only_comparable_beside(state)
    else:
        state.show(run)


def _only_comparable_beside(state: Session) -> None:
    """Show only a run on the same text beside the shown one."""
    if state.run_beside not in state.comparable():
        state.merges.beside = None
