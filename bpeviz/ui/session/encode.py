"""The state of the encode page."""

from dataclasses import dataclass, field

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

    text: str | None = None
    special: bool = False
    num_merges: dict[int, int] = field(default_factory=dict)
    ids: Followed = field(default_factory=Followed)
    word: tuple[int, str] = (-1, "")
    part: Followed = field(default_factory=Followed)
    dropout: int = 10
    seed: int = 1
