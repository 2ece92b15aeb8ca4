"""Keys of tokenizers, in which a run is known by its number in a session or by its place in a document."""

import re
from collections.abc import Callable, Iterable, Mapping

from bpeviz.sessions.document import MOST_NAME_CHARACTERS

__all__ = ["picked_keys", "run_key", "run_keys"]

#: The key of a tokenizer that is a run.
RUN_KEY = re.compile(r"run-([0-9]{1,9})")


def run_key(key: str, of: Mapping[int, int]) -> str:
    """Return the key of a tokenizer with a run's place for its number, or the other way.

    Empty if the run is not there.
    """
    if not key.startswith("run-"):
        return key[:MOST_NAME_CHARACTERS]
    run = RUN_KEY.fullmatch(key)
    other = of.get(int(run[1])) if run else None
    return "" if other is None else f"run-{other}"


def run_keys(keys: Iterable[str], key_of: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(filter(None, map(key_of, keys)))


def picked_keys(picked: Mapping[str, str], key_of: Callable[[str], str]) -> dict[str, str]:
    return {field: key for field, old in picked.items() if (key := key_of(old))}
