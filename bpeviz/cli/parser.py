"""Arguments: a parser that raises one-line exceptions, and the kinds of values of options."""

from argparse import ArgumentParser, ArgumentTypeError, _SubParsersAction
from typing import Any, NoReturn, TypeAlias

from bpeviz.errors import BpevizError

__all__ = ["CommandParser", "Commands", "UsageError", "whole_number"]


class UsageError(BpevizError):
    """A command that was written wrongly."""


class CommandParser(ArgumentParser):
    """An ArgumentParser that raises UsageError instead of printing its usage and ending the process."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message.rstrip('.')}. See: {self.prog} --help")


#: The argument of a command's add_parser.
Commands: TypeAlias = "_SubParsersAction[CommandParser]"


def whole_number(written: str) -> int:
    """``"5000"`` or ``"5,000"`` -> 5000."""
    try:
        return int(written.replace(",", ""))
    except ValueError:
        raise ArgumentTypeError(f"{written!r} is not a whole number") from None
