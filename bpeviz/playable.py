"""What the classes that have a method ``player`` know of players: bpeviz.figures makes them."""

import os
from typing import Any, Protocol

__all__ = ["MakesPlayers", "PlayerFigure"]


class PlayerFigure(Protocol):
    """A player as a figure; see bpeviz.figures.player.Player."""

    step: int

    @property
    def last(self) -> int:
        """The highest step."""

    def to_html(self) -> str:
        """The page as HTML."""

    def write_html(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""

    def show(self) -> None:
        """Open the page in the browser."""


class MakesPlayers(Protocol):
    """Makes the players of each kind of object."""

    def of_trainer(self, trainer: Any, text: str | None, options: dict[str, Any]) -> PlayerFigure: ...

    def of_history(self, history: Any, text: str | None, options: dict[str, Any]) -> PlayerFigure: ...

    def of_tokenizer(self, tokenizer: Any, text: str, options: dict[str, Any]) -> PlayerFigure: ...

    def of_comparison(self, comparison: Any, options: dict[str, Any]) -> PlayerFigure: ...
