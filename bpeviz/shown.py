"""Shows a value: as a player, or as HTML in a notebook.

The packages that draw import those whose values they draw. So these ask here; standalone/showing.py says how.

    tokenizer.player(text)  ->  player_of(tokenizer, text)  ->  making.player_of_tokenizer(tokenizer, text)
"""

import os
from collections.abc import Callable
from functools import singledispatch
from importlib import import_module
from typing import Any, Protocol

__all__ = ["PlayerPage", "html_of", "player_of"]


class PlayerPage(Protocol):
    """A player: see bpeviz.standalone.player.Player."""

    step: int

    @property
    def picked(self) -> object: ...
    def observe(self, *args: Any, **options: Any) -> None: ...
    def to_html(self) -> str: ...
    def write_html(self, path: str | os.PathLike[str]) -> None: ...
    def show(self) -> None: ...


@singledispatch
def player_of(value: object, *args: Any, **options: Any) -> PlayerPage:
    """Return a player of a value. Raises PlayerError."""
    shown: PlayerPage = _registered(player_of, value)(value, *args, **options)
    return shown


@singledispatch
def html_of(value: object) -> str | None:
    """Return a value as HTML for a notebook; None if it has nothing to show."""
    shown: str | None = _registered(html_of, value)(value)
    return shown


def _registered(function: Any, value: object) -> Callable[..., Any]:
    """Return what shows a value. The public names register it; a program may have imported a module alone."""
    import_module("bpeviz.public")
    found: Callable[..., Any] = function.dispatch(type(value))
    if found is function.dispatch(object):
        raise TypeError(f"nothing shows {type(value).__name__}")
    return found
