"""What of a saved session this server takes: its limits hold for what is restored as for what is made here.

A saved session may come from a file, from a server with other limits, or from somebody who wrote it by hand.
"""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from bpeviz.limits import limits
from bpeviz.storage.work_document import SavedRun, SavedText, SavedTextFields, WorkDocument
from bpeviz.ui.saved.session_document import run_key
from bpeviz.ui.session.work import SessionToOpen

__all__ = ["fit"]


def fit(to_open: SessionToOpen) -> tuple[SessionToOpen, str]:
    """A saved session within the limits of this server, and in words what was left out, empty if nothing."""
    document = to_open.document
    long = {digest for digest, text in to_open.texts.items() if _size(text) > limits().max_text_bytes}
    asked = document.training is not msgspec.UNSET and document.runs[-1]
    runs = document.without_training().runs
    kept = _kept_runs(document, to_open.texts, long)
    words = []
    if len(kept) < len(runs):
        words.append(
            f"{len(runs) - len(kept)} of {len(runs)} runs are left out: up to {limits().kept_runs} runs with "
            f"{limits().kept_bytes // 1_000_000} MB of text together are kept here, and each text may have "
            f"{limits().max_text_megabytes} MB."
        )
    document = _with_runs(document.without_training(), kept)
    if asked and asked.text.digest not in long:
        document = msgspec.structs.replace(
            document,
            runs=(*document.runs, asked),
            training=_moved(to_open.document, {place: new for new, place in enumerate(kept)}),
        )
    elif asked:
        words.append("A training that was interrupted is left out, as its text is too long.")
    shorter = _without_texts(document, long)
    if shorter is not document:
        words.append(f"A text of more than {limits().max_text_megabytes} MB is left out.")
    if not words:
        return to_open, ""
    texts = {digest: to_open.texts[digest] for digest in shorter.digests()}
    return replace(to_open, document=shorter, texts=texts), " ".join(words)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _kept_runs(document: WorkDocument, texts: Mapping[str, str], long: set[str]) -> list[int]:
    """The places of the runs that are kept: the one on show, the one beside it, then the latest."""
    runs = document.without_training().runs
    first = [place for place in (document.shown, document.beside) if place is not None and place < len(runs)]
    kept: list[int] = []
    total = 0
    for place in dict.fromkeys((*first, *reversed(range(len(runs))))):
        digest = runs[place].text.digest
        size = _size(texts[digest])
        if digest not in long and len(kept) < limits().kept_runs and total + size <= limits().kept_bytes:
            kept.append(place)
            total += size
    return sorted(kept)


def _with_runs(document: WorkDocument, kept: list[int]) -> WorkDocument:
    """The document with some of its runs, and everything that names a run by its place."""
    if len(kept) == len(document.runs):
        return document
    places = {place: new for new, place in enumerate(kept)}
    runs: tuple[SavedRun, ...] = tuple(document.runs[place] for place in kept)
    compare, encode = document.compare, document.encode
    merges = tuple((s, key, k) for s, old, k in compare.merges if (key := run_key(old, places)))
    return msgspec.structs.replace(
        document,
        runs=runs,
        shown=places.get(document.shown) if document.shown is not None else None,
        beside=places.get(document.beside) if document.beside is not None else None,
        sides={slot: key for slot, old in document.sides.items() if (key := run_key(old, places))},
        compare=msgspec.structs.replace(compare, merges=merges),
        encode=msgspec.structs.replace(
            encode, num_merges=tuple((places[p], k) for p, k in encode.num_merges if p in places)
        ),
    )


def _moved(document: WorkDocument, places: Mapping[int, int]) -> object:
    training = document.training
    if training is msgspec.UNSET or training.parent is None:
        return training
    return msgspec.structs.replace(training, parent=places.get(training.parent))


def _without_texts(document: WorkDocument, long: set[str]) -> WorkDocument:
    """The document without the long texts of its fields; the same object if there is none."""
    if not document.digests() & long:
        return document
    encode, disagree = document.encode, document.disagree
    return msgspec.structs.replace(
        document,
        pasted=_short(document.pasted, long),
        uploaded=_short_text(document.uploaded, long),
        compare=msgspec.structs.replace(document.compare, text=_short_fields(document.compare.text, long)),
        disagree=msgspec.structs.replace(disagree, text=_short_fields(disagree.text, long)),
        encode=msgspec.structs.replace(encode, text=_short(encode.text, long), ids=_short(encode.ids, long)),
    )


def _short(digest: str | None, long: set[str]) -> str | None:
    return None if digest in long else digest


def _short_text(text: SavedText | None, long: set[str]) -> SavedText | None:
    return None if text is not None and text.digest in long else text


def _short_fields(fields: SavedTextFields, long: set[str]) -> SavedTextFields:
    return msgspec.structs.replace(
        fields, typed=_short(fields.typed, long), uploaded=_short_text(fields.uploaded, long)
    )
