"""How the fields of the session's state are saved.

A field is saved if its type says so: ``typed: Annotated[str, TYPED]``. No other list names it: the type of
the saved document, the saving and the restoring follow from these annotations
(bpeviz.ui.saved.session_document).
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES
from bpeviz.sessions.document import (
    MOST_NAME_CHARACTERS,
    Digest,
    Name,
    Number,
    SavedText,
    TokenId,
)
from bpeviz.sessions.errors import SavedSessionError
from bpeviz.sessions.session_file import saved_part, short_name
from bpeviz.ui.session.saving import Digests

__all__ = [
    "INLINE",
    "NAMED_TEXT",
    "NUMBER",
    "PAIR",
    "RUN",
    "SAMPLE",
    "SAVED",
    "TEXT",
    "Restoring",
    "SavedAs",
    "Saving",
    "one_of",
    "run_key",
]

#: The key of a tokenizer that is a run, by its number in a session or by its place in a document.
RUN_KEY = re.compile(r"run-([0-9]{1,9})")


@dataclass(frozen=True)
class Saving:
    """What saving needs: ``digests`` of texts, and the ``places`` of runs in the document, by number."""

    digests: Digests
    places: Mapping[int, int]

    def named_text(self, text: NamedText) -> SavedText:
        """Return the digest of a text, with its name, and which part of a large corpus it is."""
        part = msgspec.UNSET if text.part is None else saved_part(text.part)
        return SavedText(short_name(text.name), self.digests.of(text.text), part)


@dataclass(frozen=True)
class Restoring:
    """What restoring needs: ``texts`` by digest, and the ``numbers`` of runs in the session, by place."""

    texts: Mapping[str, str]
    numbers: Mapping[int, int]

    def text(self, digest: str) -> str:
        """Return a text. Raises SavedSessionError if this server doesn't take it."""
        if digest not in self.texts:
            raise SavedSessionError("one of its texts is missing")
        return self.texts[digest]


def _unchanged(value: Any, _: object) -> Any:
    return value


@dataclass(frozen=True)
class SavedAs:
    """How a field is saved.

    - ``type``: its type in the document; None for the type in the state, which may be a dataclass with saved
      fields;
    - ``save``, ``restore``: from the value in the state to the one in the document, and back. If ``restore``
      raises SavedSessionError, the field keeps the value of a new session;
    - ``name``: its name in the document, if it has another in the state;
    - ``inline``: the fields of this dataclass are fields of the document that it is in.
    """

    type: Any = None
    save: Callable[[Any, Saving], Any] = _unchanged
    restore: Callable[[Any, Restoring], Any] = _unchanged
    name: str = ""
    inline: bool = False

    def named(self, name: str) -> "SavedAs":
        """Return the same under another name in the document."""
        return replace(self, name=name)


def one_of(values: Collection[Any], type: Any) -> SavedAs:
    """Return how to save a field that has one of these values; others are not restored."""

    def restore(value: Any, _: Restoring) -> Any:
        if value not in values:
            raise SavedSessionError(f"there is no {str(value)[:40]!r} here")
        return value

    return SavedAs(type, restore=restore)


def run_key(key: str, of: Mapping[int, int]) -> str:
    """Return the key of a tokenizer, with a run's place in the document for its number, or the other way.

    Empty if the run is not there.
    """
    if not key.startswith("run-"):
        return key[:MOST_NAME_CHARACTERS]
    run = RUN_KEY.fullmatch(key)
    other = of.get(int(run[1])) if run else None
    return "" if other is None else f"run-{other}"


SAVED = SavedAs()
INLINE = SavedAs(inline=True)
NUMBER = SavedAs(Number)
PAIR = SavedAs(tuple[TokenId, TokenId] | None)
SAMPLE = one_of(SAMPLES, Name)
RUN = SavedAs(
    Number | None,
    lambda number, saving: saving.places.get(number),
    lambda place, restoring: restoring.numbers.get(place),
)
TEXT = SavedAs(
    Digest | None,
    lambda text, saving: None if text is None else saving.digests.of(text),
    lambda digest, restoring: None if digest is None else restoring.text(digest),
)
NAMED_TEXT = SavedAs(
    SavedText | None,
    lambda text, saving: saving.named_text(text) if text else None,
    lambda saved, restoring: NamedText(saved.name, restoring.text(saved.digest)) if saved else None,
)
