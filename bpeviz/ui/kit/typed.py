"""How long typed or pasted text may be.

A browser can send anything, whatever its fields allow. So every page checks here before it works on a text.
"""

from typing import TypeVar

from bpeviz.errors import BpevizError
from bpeviz.limits import limits

__all__ = ["TooLongError", "check_length", "kept"]

Before = TypeVar("Before", str, str | None)


class TooLongError(BpevizError):
    """A typed text with too many characters: its ``length`` and the ``limit``."""

    def __init__(self, what: str, length: int, limit: int) -> None:
        super().__init__(
            f"{what} has {length:,} characters, {length - limit:,} more than the {limit:,} that this field "
            "takes. Shorten it."
        )
        self.length = length
        self.limit = limit


def check_length(what: str, typed: str, limit: int) -> None:
    """Raise TooLongError for more than ``limit`` characters. ``what`` begins the message."""
    if len(typed) > limit:
        raise TooLongError(what, len(typed), limit)


def kept(typed: str, before: Before) -> str | Before:
    """Return what the session keeps of a field: ``typed``, or ``before`` if that is far too long. The field
    itself shows the typed text as long as the page is open."""
    return typed if len(typed) <= limits().kept_typed_characters else before
