"""What a person has put into the fields of the encode page. Nothing here draws."""

from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from bpeviz.limits import Limits
from bpeviz.storage.work_document import Many, Number
from bpeviz.ui.session.saved_fields import SAVED, TEXT, Restoring, SavedAs, Saving

__all__ = ["EncodeState", "Followed"]


@dataclass
class Followed:
    """A field that shows what follows from others until the person writes something else into it.

    ``own`` is what the person wrote; ``shown`` what followed last, and ``anew`` how often that changed: a
    widget has to be made anew to show it.
    """

    own: str | None = None
    shown: str | None = None
    anew: int = 0

    def follow(self, derived: str) -> str:
        """What the field shows where ``derived`` is what follows from the others."""
        if self.own is not None:
            return self.own
        if derived != self.shown:
            self.shown = derived
            self.anew += 1
        return derived

    def release(self) -> None:
        """Follow again."""
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
    """The fields of the encode page.

    - ``text``: the text to encode, None until the person changes it;
    - ``special``: whether special tokens in it are taken as tokens;
    - ``num_merges``: how many merges of a run are used, by the run's number;
    - ``ids``: the token ids to decode, which follow those of the text;
    - ``part``: the part of the text to be explained, which follows the longest that is several tokens.
    """

    text: Annotated[str | None, TEXT] = None
    special: Annotated[bool, SAVED] = False
    num_merges: Annotated[dict[int, int], BY_RUN] = field(default_factory=dict)
    ids: Annotated[Followed, IDS] = field(default_factory=Followed)
    part: Annotated[Followed, PART] = field(default_factory=Followed)
