"""Sides: the tokenizers that a person can look at or compare, from one table of sources.

A side is a run of this session, a tokenizer from an uploaded file, a pretrained one, or that of a model on
this machine: in an installed package, or in the Hugging Face cache. Models of the Hub are fetched first.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bpeviz.formats.hub_cache import cache_folder, cached_tokenizers, read_cached
from bpeviz.formats.known_models import KNOWN_MODELS, installed_models, read_installed
from bpeviz.formats.pretrained import PRETRAINED, load_pretrained, pretrained_name
from bpeviz.limits import limits
from bpeviz.runs.run import Run
from bpeviz.sessions.document import MOST_NAME_CHARACTERS
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import FILE

__all__ = [
    "CACHED",
    "ON_THE_HUB",
    "YOUR_FILE",
    "Side",
    "cached_files",
    "get_side",
    "side_names",
    "source_of",
    "split_of",
]

#: What the list says after the name of an uploaded file.
YOUR_FILE = " · your file"
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


@dataclass(frozen=True)
class Source:
    """Where sides come from. Their keys begin with ``prefix``, and the field says ``mark`` after their names.

    ``names`` returns their names by what follows the prefix. ``read`` returns one, read when it is used
    first; None for those that a person has to get first. It raises TokenizerFileError, SplitPatternError.
    """

    prefix: str
    mark: str
    names: Callable[[Session], Mapping[str, str]]
    read: Callable[[Session, str], Tokenizer] | None

    def keys(self, state: Session) -> dict[str, str]:
        """Return the names of its sides by key."""
        return {f"{self.prefix}{rest}": name for rest, name in self.names(state).items()}


def _runs(state: Session) -> dict[str, str]:
    """Return the names of the runs by their numbers: the shown one first, then the latest."""
    runs = sorted(state.runs, key=lambda run: (run.number != state.shown, -run.number))
    return {str(run.number): run.name for run in runs}


def _run(state: Session, number: str) -> Run:
    return next(run for run in state.runs if str(run.number) == number)


def _files(state: Session) -> dict[str, str]:
    return {key.removeprefix(FILE): file.name for key, file in state.tokenizers.files.items()}


def _installed(_: Session) -> dict[str, str]:
    return {model: model for model in installed_models()}


def _read_installed(state: Session, model: str) -> Tokenizer:
    file, split = installed_models()[model], KNOWN_MODELS[model].split
    return state.tokenizers.open_here(f"{INSTALLED.prefix}{model}", model, file, read_installed, split)


def _cached(_: Session) -> dict[str, str]:
    return {model: model for model in cached_files()}


def _read_cached(state: Session, model: str) -> Tokenizer:
    file, split = cached_files()[model], split_of(model)
    return state.tokenizers.open_here(f"{CACHED.prefix}{model}", model, file, read_cached, split)


def split_of(model: str) -> str | None:
    """Return the split pattern of a known model by its id on the Hub, where its file may hold none."""
    return next((known.split for known in KNOWN_MODELS.values() if known.hub_id == model), None)


def _to_get(state: Session) -> dict[str, str]:
    """Return the known models that the person doesn't have."""
    if not limits().hub:
        return {}
    here = {*side_names(state).values(), *installed_models()}
    return {name: name for name, m in KNOWN_MODELS.items() if name not in here and m.hub_id not in here}


RUNS = Source("run-", "", _runs, lambda state, number: _run(state, number).tokenizer)
FILES = Source(FILE, YOUR_FILE, _files, lambda state, number: state.tokenizers.open(f"{FILE}{number}"))
INSTALLED = Source("model-", " · on this machine", _installed, _read_installed)
CACHED = Source("cache-", " · on this machine", _cached, _read_cached)
ON_THE_HUB = Source("hub-", " · from the Hub", _to_get, None)
#: Their keys have no prefix, so this source is the last that a key is compared with.
BUILT_IN = Source(
    "", "", lambda _: {key: pretrained_name(key) for key in PRETRAINED}, lambda _, name: load_pretrained(name)
)
#: In the order of the field.
SOURCES = (RUNS, FILES, BUILT_IN, INSTALLED, CACHED, ON_THE_HUB)


def source_of(key: str) -> tuple[Source, str]:
    """Return the source of the side with a key, and what follows the prefix in the key."""
    source = next((each for each in SOURCES if each.prefix and key.startswith(each.prefix)), BUILT_IN)
    return source, key.removeprefix(source.prefix)


def side_names(state: Session) -> dict[str, str]:
    """Return the names of all sides by key, in groups: runs (the shown one first), uploaded files, pretrained
    ones, and the models on this machine."""
    return {key: name for each in SOURCES if each.read for key, name in each.keys(state).items()}


def get_side(state: Session, key: str) -> Side:
    """Return the side with a key of side_names(); a file is read when it is used first.

    Raises TokenizerFileError, SplitPatternError.
    """
    source, rest = source_of(key)
    if source.read is None:
        raise LookupError(key)
    run = _run(state, rest) if source is RUNS else None
    return Side(key, source.names(state)[rest], source.read(state, rest), run)


def cached_files() -> dict[str, Path]:
    """Return the tokenizers of the models in this machine's cache, as they were some seconds ago."""
    if not limits().cache_listed:
        return {}
    return _cached_in(cache_folder(), int(time.monotonic() / LISTED_SECONDS))


@lru_cache(maxsize=1)
def _cached_in(folder: Path, moment: int) -> dict[str, Path]:  # noqa: ARG001  (they are the key)
    # The keys are saved as names; no model on the Hub has an id of this length.
    most = MOST_NAME_CHARACTERS - len(CACHED.prefix)
    return {model: file for model, file in cached_tokenizers().items() if len(model) <= most}
