"""Between the session's state and the document of a person's work, in both directions. Nothing here draws."""

from collections.abc import Iterable, Mapping, Sequence

from bpeviz.errors import WorkDocumentError
from bpeviz.recipes import RECIPES
from bpeviz.split_patterns import SPLIT_PATTERNS
from bpeviz.ui.compare_fields import TextFields
from bpeviz.ui.run import NamedText, Run, Settings
from bpeviz.ui.samples import SAMPLES
from bpeviz.ui.state import RACE_LENGTHS, Session
from bpeviz.ui.work_document import (
    CompareState,
    DisagreeState,
    EncodeState,
    RunState,
    TextFieldsState,
    TextState,
    WorkDocument,
    allowed,
)
from bpeviz.ui.work_fields import Digests

__all__ = ["describe", "put_back", "texts_of", "title_of"]


def describe(state: Session, digests: Digests) -> tuple[WorkDocument, dict[str, str]]:
    """A session as a document, and the texts it refers to, by digest."""
    places = {run.number: place for place, run in enumerate(state.runs)}
    document = WorkDocument(
        source=state.source,
        pasted=_digest(state.pasted or None, digests),
        sample=state.sample,
        library_megabytes=state.library_megabytes,
        uploaded=_text(state.uploaded, digests),
        settings=state.settings,
        choosing=state.choosing,
        runs=tuple(
            RunState(r.name, TextState(r.corpus.name, digests.of(r.corpus.text)), r.settings, r.choices)
            for r in state.runs
        ),
        shown=places.get(state.shown) if state.shown is not None else None,
        beside=places.get(state.beside) if state.beside is not None else None,
        step=state.step,
        pair=state.pair,
        race_length=state.race_length,
        sides={slot: _renumbered(key, places) for slot, key in state.sides.items()},
        compare=CompareState(
            text=_text_fields(state.compare, digests),
            merges=tuple((s, _renumbered(k, places), n) for (s, k), n in state.compare.merges.items()),
            locked=state.compare.locked,
        ),
        disagree=DisagreeState(
            text=_text_fields(state.disagree.text, digests),
            recipes=state.disagree.recipes,
            num_merges=state.disagree.num_merges,
            one_split=state.disagree.one_split,
            split=state.disagree.split,
            pair=state.disagree.pair,
            all_merges=state.disagree.all_merges,
        ),
        encode=EncodeState(
            text=_digest(state.encode.text, digests),
            special=state.encode.special,
            num_merges=tuple((places[r], k) for r, k in state.encode.num_merges.items() if r in places),
            ids=_digest(state.encode.ids.own, digests),
            part=state.encode.part.own,
        ),
    )
    return document, digests.finish()


def title_of(state: Session) -> str:
    """What a person knows the work by: the beginning of its text, and by what it was trained."""
    run = state.run
    text = run.corpus.text if run else state.pasted
    beginning = " ".join(text[:200].split())[:50]
    by = f", {run.corpus.name}, {run.recipe.name}, {len(run.steps):,} merges" if run else ", not trained yet"
    return f"“{beginning}”{by}"


def put_back(
    state: Session, document: WorkDocument, texts: Mapping[str, str], runs: Sequence[Run | None]
) -> None:
    """Give a new session what a document says; ``runs`` are those trained again, None where one could not be.

    What the document asks for and this page does not have is left as it is in a new session.
    """
    numbers = {place: run.number for place, run in enumerate(runs) if run}
    state.source = document.source
    state.pasted = texts[document.pasted] if document.pasted else ""
    state.sample = _known_sample(document.sample, state.sample)
    if document.library_megabytes in (1, 2, 4, 8):
        state.library_megabytes = document.library_megabytes
    state.uploaded = _named(document.uploaded, texts)
    state.settings = _allowed_or(document.settings, state.settings)
    state.choosing = document.choosing
    state.runs = [run for run in runs if run]
    _put_back_runs(state, document, numbers)
    state.sides = {slot: _numbered(key, numbers) for slot, key in document.sides.items()}
    _put_back_text(state.compare, document.compare.text, texts)
    state.compare.merges = {(s, _numbered(key, numbers)): k for s, key, k in document.compare.merges}
    state.compare.locked = document.compare.locked
    _put_back_disagreements(state, document, texts)
    _put_back_encoding(state, document, texts, numbers)


def _put_back_runs(state: Session, document: WorkDocument, numbers: Mapping[int, int]) -> None:
    last = state.runs[-1].number if state.runs else None
    state.shown = numbers.get(document.shown, last) if document.shown is not None else last
    state.beside = numbers.get(document.beside) if document.beside is not None else None
    run = state.run
    if run is None:
        state.choosing = False
        return
    if state.beside == run.number:
        state.beside = None
    state.step = state.start = min(document.step, len(run.steps))
    known = run.tokenizer.vocabulary
    state.pair = document.pair if document.pair and all(token in known for token in document.pair) else None
    if document.race_length in RACE_LENGTHS:
        state.race_length = document.race_length
    if not state.choosing:
        state.settings = run.settings


def _put_back_disagreements(state: Session, document: WorkDocument, texts: Mapping[str, str]) -> None:
    fields, saved = state.disagree, document.disagree
    _put_back_text(fields.text, saved.text, texts)
    fields.recipes = tuple(dict.fromkeys(name for name in saved.recipes if name in RECIPES))
    fields.num_merges = max(1, min(saved.num_merges, 5_000))
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
    fields.num_merges = {numbers[place]: k for place, k in saved.num_merges if place in numbers}
    fields.ids.own = texts[saved.ids] if saved.ids else None
    fields.part.own = saved.part


def _text_fields(fields: TextFields, digests: Digests) -> TextFieldsState:
    return TextFieldsState(
        fields.source, _digest(fields.typed, digests), fields.sample, _text(fields.uploaded, digests)
    )


def _put_back_text(fields: TextFields, saved: TextFieldsState, texts: Mapping[str, str]) -> None:
    fields.source = saved.source
    fields.typed = texts[saved.typed] if saved.typed else None
    fields.sample = _known_sample(saved.sample, fields.sample)
    fields.uploaded = _named(saved.uploaded, texts)


def _digest(text: str | None, digests: Digests) -> str | None:
    return None if text is None else digests.of(text)


def _text(text: NamedText | None, digests: Digests) -> TextState | None:
    return None if text is None else TextState(text.name, digests.of(text.text))


def _named(text: TextState | None, texts: Mapping[str, str]) -> NamedText | None:
    return None if text is None else NamedText(text.name, texts[text.digest])


def _known_sample(title: str, otherwise: str) -> str:
    return title if title in SAMPLES else otherwise


def _allowed_or(settings: Settings, otherwise: Settings) -> Settings:
    try:
        return allowed(settings)
    except WorkDocumentError:
        return otherwise


def _renumbered(key: str, places: Mapping[int, int]) -> str:
    """The key of a side, with a run by its place instead of by its number."""
    number = key.removeprefix("run-")
    return f"run-{places.get(int(number), -1)}" if number != key else key


def _numbered(key: str, numbers: Mapping[int, int]) -> str:
    """The other way around. A key that nothing has is no harm: the page then offers the first side."""
    place = key.removeprefix("run-")
    if place == key:
        return key
    return f"run-{numbers.get(int(place), -1)}" if place.isdecimal() else "run--1"


def texts_of(saved: Mapping[str, bytes], digests: Iterable[str]) -> dict[str, str]:
    """Texts as they were kept. Raises WorkDocumentError for one that is not UTF-8."""
    try:
        return {digest: saved[digest].decode("utf-8", "surrogatepass") for digest in digests}
    except UnicodeDecodeError:
        raise WorkDocumentError("one of its texts is not UTF-8") from None
