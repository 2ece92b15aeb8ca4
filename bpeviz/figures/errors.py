"""Errors of figures."""

from bpeviz.base_error import BpevizError, in_short

__all__ = ["NoFigureError", "PlayerFileError", "PlayerOptionError"]


class PlayerOptionError(BpevizError):
    """A ``value`` that an ``option`` of the player doesn't take."""

    def __init__(self, option: str, value: object, remedy: str) -> None:
        super().__init__(f"The player's option {option} can't be {in_short(repr(value))}. {remedy}")
        self.option = option
        self.value = value
        self.remedy = remedy


class NoFigureError(BpevizError):
    """There is nothing to show: ``why``, and what to do."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class PlayerFileError(BpevizError):
    """A page that can't be written to the file ``name``: ``why``."""

    def __init__(self, name: str, why: str) -> None:
        shown = in_short(name if name.isprintable() else repr(name), 200)
        super().__init__(f"The page can't be written to {shown}: {why}. Choose another place.")
        self.name = name
        self.why = why
