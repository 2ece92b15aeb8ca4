"""What a person has put into the fields of the encode page. Nothing here draws."""

from dataclasses import dataclass, field

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


@dataclass
class EncodeState:
    """The fields of the encode page.

    - ``text``: the text to encode, None until the person changes it;
    - ``special``: whether special tokens in it are taken as tokens;
    - ``num_merges``: how many merges of a run are used, by the run's number;
    - ``ids``: the token ids to decode, which follow those of the text;
    - ``part``: the part of the text to be explained, which follows the longest that is several tokens.
    """

    text: str | None = None
    special: bool = False
    num_merges: dict[int, int] = field(default_factory=dict)
    ids: Followed = field(default_factory=Followed)
    part: Followed = field(default_factory=Followed)
