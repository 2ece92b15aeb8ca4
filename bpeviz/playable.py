"""What the classes that can be shown know of figures: bpeviz.figures makes them."""

import os
from typing import Any, Protocol

__all__ = ["MakesFigures", "PlayerFigure"]


class PlayerFigure(Protocol):
    """A player as a figure; see bpeviz.figures.player.Player."""

    step: int

    @property
    def last(self) -> int:
        """The highest step."""

    def to_html(self) -> str:
        """Return the page as HTML."""

    def write_html(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""

    def show(self) -> None:
        """Open the page in the browser."""


class MakesFigures(Protocol):
    """Makes the players of each kind of object, and rows of tokens for notebooks."""

    def of_trainer(self, trainer: Any, text: str | None, options: dict[str, Any]) -> PlayerFigure: ...

    def of_history(self, history: Any, text: str | None, options: dict[str, Any]) -> PlayerFigure: ...

    def of_tokenizer(self, tokenizer: Any, text: str, options: dict[str, Any]) -> PlayerFigure: ...

    def of_comparison(self, comparison: Any, options: dict[str, Any]) -> PlayerFigure: ...

    def tokens_of_text(self, encoded: Any) -> str | None:
        """Return the tokens of an encoded text in colour, as HTML; None if it doesn't know its tokenizer."""

    def tokens_of_comparison(self, comparison: Any) -> str | None:
        """Return the tokens of both sides in colour, as HTML; None if it doesn't know its tokenizers."""
