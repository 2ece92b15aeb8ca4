"""Sides: the tokenizers that a person can look at or compare, and the field that picks one.

A side is a run of this session, a tokenizer from an uploaded file, a pretrained one, or that of a model on
this machine: in an installed package, or in the Hugging Face cache. The field also offers models of the Hub.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from zlib import crc32

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.formats.hub import cache_folder, cached_tokenizers, read_cached
from bpeviz.formats.known_models import KNOWN_MODELS, installed_models, read_installed
from bpeviz.formats.pretrained import PRETRAINED, load_pretrained
from bpeviz.formats.reading import says_no_split
from bpeviz.limits import limits
from bpeviz.runs.run import Run
from bpeviz.sessions.document import MOST_NAME_CHARACTERS
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.known_models import offer_model
from bpeviz.ui.kit.split_fields import split_pattern_field
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.tokenizers import BEGINNING

__all__ = [
    "SIDE_LETTERS",
    "YOUR_FILE",
    "Side",
    "get_side",
    "named_side",
    "numbered_names",
    "pick_side",
    "picked_side",
    "pretrained_name",
    "side_names",
]

#: What stands for a side where its name is too long; the component that draws the text has the same letters.
SIDE_LETTERS = {"left": "L", "right": "R"}
#: How the key of a model in this machine's cache begins.
CACHED = "cache-"
#: The same for a known model in an installed package, and for one to get from the Hub.
INSTALLED, ON_THE_HUB = "model-", "hub-"
#: What the list says after the names of three groups.
YOUR_FILE, ON_THIS_MACHINE, TO_GET = " · your file", " · on this machine", " · from the Hub"
#: For so long the list of the cache stays as it is.
LISTED_SECONDS = 5.0


@dataclass(frozen=True, eq=False)
class Side:
    """A tokenizer to pick. The ``key`` is unique in the session; ``run`` is set if it was trained here."""

    key: str
    name: str
    tokenizer: Tokenizer
    run: Run | None = None

    @property
    def num_merges(self) -> int:
        return len(self.tokenizer.ranked)


def side_names(state: Session) -> dict[str, str]:
    """Return the names of all sides by key, in groups: runs (the shown one first), uploaded files, pretrained
    ones, and the models on this machine."""
    runs = sorted(state.runs, key=lambda run: (run.number != state.shown, -run.number))
    return {
        **{f"run-{run.number}": run.name for run in runs},
        **{key: uploaded.name for key, uploaded in state.tokenizers.files.items()},
        **{key: pretrained_name(key) for key in PRETRAINED},
        **{f"{INSTALLED}{model}": model for model in installed_models()},
        **{f"{CACHED}{model}": model for model in _cached()},
    }


def _split_of(model: str) -> str | None:
    """Return the split pattern of a known model by its id on the Hub, where its file may hold none."""
    return next((known.split for known in KNOWN_MODELS.values() if known.hub_id == model), None)


def _models_to_get(names: Mapping[str, str]) -> dict[str, str]:
    """Return the known models that ``names`` doesn't have, by key."""
    if not limits().hub:
        return {}
    here = {*names.values(), *installed_models()}
    return {
        f"{ON_THE_HUB}{name}": name
        for name, model in KNOWN_MODELS.items()
        if name not in here and model.hub_id not in here
    }


def get_side(state: Session, key: str) -> Side:
    """Return the side with a key of side_names(); a file is read when it is used first.

    Raises TokenizerFileError, SplitPatternError.
    """
    for run in state.runs:
        if key == f"run-{run.number}":
            return Side(key, run.name, run.tokenizer, run)
    if key in state.tokenizers.files:
        return Side(key, state.tokenizers.files[key].name, state.tokenizers.open(key))
    if file := _cached_file(key):
        model = key.removeprefix(CACHED)
        return Side(key, model, state.tokenizers.open_here(key, model, file, read_cached, _split_of(model)))
    if key.startswith(INSTALLED):
        model = key.removeprefix(INSTALLED)
        file, split = installed_models()[model], KNOWN_MODELS[model].split
        return Side(key, model, state.tokenizers.open_here(key, model, file, read_installed, split))
    return Side(key, pretrained_name(key), load_pretrained(key))


def _cached() -> dict[str, Path]:
    """Return the tokenizers of the models in this machine's cache, as they were some seconds ago."""
    if not limits().cache_listed:
        return {}
    return _cached_in(cache_folder(), int(time.monotonic() / LISTED_SECONDS))


def _cached_file(key: str) -> Path | None:
    """Return the file of a side that is a model in this machine's cache."""
    return _cached().get(key.removeprefix(CACHED)) if key.startswith(CACHED) else None


@lru_cache(maxsize=1)
def _cached_in(folder: Path, moment: int) -> dict[str, Path]:  # noqa: ARG001  (they are the key)
    # The keys are saved as names; no model on the Hub has an id of this length.
    most = MOST_NAME_CHARACTERS - len(CACHED)
    return {model: file for model, file in cached_tokenizers().items() if len(model) <= most}


def pretrained_name(pretrained: str) -> str:
    """Return the name of a built-in tokenizer as people write it."""
    return "GPT-2" if pretrained == "gpt2" else pretrained


def _label(state: Session, key: str, name: str) -> str:
    """Return the name in the list. A run's name and a pretrained one's say what they are."""
    if key in state.tokenizers.files:
        return f"{name}{YOUR_FILE}"
    if key.startswith(ON_THE_HUB):
        return f"{name}{TO_GET}"
    return f"{name}{ON_THIS_MACHINE}" if key.startswith((CACHED, INSTALLED)) else name


def picked_side(state: Session, slot: str) -> str:
    """Return the key of the side picked in a slot: at first the shown run, and GPT-2 on the right. Without a
    run GPT-2 is on the left, and o200k_base on the right."""
    names = side_names(state)
    chosen = state.tokenizers.picked.get(slot)
    if chosen in names:
        return chosen
    if slot != "right":
        return next(iter(names))
    return "o200k_base" if picked_side(state, "left") == "gpt2" else "gpt2"


def named_side(slot: str, name: str) -> str:
    """Return the name of the left or right side, or of the row with a number, with its sign as markdown."""
    color = {"left": "blue", "right": "orange"}.get(slot, "gray")
    return f":{color}-badge[{SIDE_LETTERS.get(slot, slot)}]\u00a0{escape(name)}"


def numbered_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names by key, numbered where they repeat: a multiselect tells its options apart by what it
    shows."""
    labels: dict[str, str] = {}
    for key, name in names.items():
        label, number = name, 1
        while label in labels.values():
            number += 1
            label = f"{name} ({number})"
        labels[key] = label
    return labels


def pick_side(state: Session, label: str, slot: str) -> Side | None:
    """Show a field to pick a side, and keep the choice for the ``slot``; None after showing an error or a
    question."""
    here = side_names(state)
    names = here | _models_to_get(here)
    chosen = state.tokenizers.picked.get(slot, "")
    if chosen not in names:
        chosen = picked_side(state, slot)
    labels = {key: _label(state, key, name) for key, name in names.items()}
    # The browser sends a label back. So other labels get another field: an old one would be no key.
    key = f"side-{slot}-{crc32(repr(labels).encode('utf-8', 'surrogatepass'))}"
    st.session_state[key] = chosen  # the same field for each choice: it keeps the keyboard's focus

    def note() -> None:
        session().tokenizers.picked[slot] = st.session_state[key]

    side = st.selectbox(
        label,
        list(names),
        key=key,
        format_func=labels.__getitem__,
        on_change=note,
    )
    if side not in here:
        offer_model(state, slot, KNOWN_MODELS[side.removeprefix(ON_THE_HUB)])
        return None
    if not _splits(state, slot, side):
        return None
    try:
        with st.spinner("Reading the tokenizer …", show_time=True):
            return get_side(state, side)
    except BpevizError as error:
        show_error(error)
        return None


def _splits(state: Session, slot: str, key: str) -> bool:
    """Return whether the split pattern of a tokenizer is known. Asks for it, if the file of a model in this
    machine's cache holds none."""
    file = _cached_file(key)
    if file is None or file.suffix == ".json":
        return True
    try:
        content = read_cached(key.removeprefix(CACHED), file)
        unsaid = says_no_split({file.name: content[:BEGINNING]})
    except BpevizError:  # get_side raises it too
        return True

    if not unsaid or _split_of(key.removeprefix(CACHED)) is not None:
        return True
    chosen = state.tokenizers.splits.get(key)
    split_pattern_field(f"{slot}-{key}", chosen, partial(state.tokenizers.split_cached_by, key))
    if chosen is None:
        st.caption("The file doesn't say how texts are split: choose the pattern of its model.")
    return chosen is not None
