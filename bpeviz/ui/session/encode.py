"""The state of the encode page."""

from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from bpeviz.limits import Limits
from bpeviz.sessions.document import Many, Number
from bpeviz.ui.session.saved_fields import SAVED, TEXT, Restoring, SavedAs, Saving

__all__ = ["EncodeState", "Followed"]


@dataclass
class Followed:
    """A field that shows a value derived from others until the person writes something else into it.

    ``own`` is what the person wrote; ``shown`` the last derived value, and ``renewals`` how often that
    changed: only a new widget shows a new default.
    """

    own: str | None = None
    shown: str | None = None
    renewals: int = 0

    def follow(self, derived: str) -> str:
        """Return what the field shows, given the value ``derived`` from others."""
        if self.own is not None:
            return self.own
        if derived != self.shown:
            self.shown = derived
            self.renewals += 1
        return derived

    def release(self) -> None:
        """Show the derived value again."""
        self.own = self.shown = None


#: As long as the text that the part is of may be on any server.
MOST_PART_CHARACTERS = Limits().max_encoded_characters

IDS = SavedAs(
    TEXT.type,
    lambda ids, saving: TEXT.save(ids.own, saving),
    lambda digest, restoring: Followed(own=TEXT.restore(digest, restoring)),
)


def _save_part(part: Followed, _: Saving) -> str | None:
    """Return the part to save; one longer than the page takes is left out."""
    return None if part.own is None or len(part.own) > MOST_PART_CHARACTERS else part.own


PART = SavedAs(
    Annotated[str, Meta(max_length=MOST_PART_CHARACTERS)] | None,
    _save_part,
    lambda part, _: Followed(own=part),
)


def _save_by_run(values: dict[int, int], saving: Saving) -> list[tuple[int, int]]:
    return [(saving.places[run], value) for run, value in values.items() if run in saving.places]


def _restore_by_run(saved: list[tuple[int, int]], restoring: Restoring) -> dict[int, int]:
    return {restoring.numbers[place]: value for place, value in saved if place in restoring.numbers}


BY_RUN = SavedAs(Annotated[list[tuple[Number, Number]], Many], _save_by_run, _restore_by_run)


@dataclass
class EncodeState:
    """The state of the page.

    - ``text``: the text to encode, None until the person changes it;
    - ``special``: whether special tokens in the text become tokens;
    - ``num_merges``: how many merges of a run to use, by the run's number;
    - ``ids``: the token ids to decode; by default those of the text;
    - ``word``: the picked pre-token, by its place and its text;
    - ``part``: the part of the text to explain, if the person wrote one;
    - ``dropout``: the chance to leave a merge out, in percent, and its ``seed``.
    """

    text: Annotated[str | None, TEXT] = None
    special: Annotated[bool, SAVED] = False
    num_merges: Annotated[dict[int, int], BY_RUN] = field(default_factory=dict)
    ids: Annotated[Followed, IDS] = field(default_factory=Followed)
    word: tuple[int, str] = (-1, "")
    part: Annotated[Followed, PART] = field(default_factory=Followed)
    dropout: int = 10
    seed: int = 1
