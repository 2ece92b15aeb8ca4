"""Read what the browser sends: reports of components, charts and tables, and typed text. It can be anything,
whatever the fields allow."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.limits import limits
from bpeviz.text.file_kinds import encoding_of
from bpeviz.text.utf8 import MARK_DROPPED, Errors, decode_utf8
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session import session

__all__ = [
    "MOST_ID",
    "TooLongError",
    "catch_up",
    "check_length",
    "decoded",
    "kept",
    "message_of",
    "picked_point",
    "picked_rows",
    "run_whole_page",
    "whole",
]

#: The largest id of a token that a report may name.
MOST_ID = 2**31 - 1


def whole(value: object, most: int) -> int | None:
    """Return the value if it is a whole number from 0 to ``most``, else None."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most:
        return value
    return None


def message_of(state: object, name: str) -> Mapping[str, Any]:
    """Return the object that a component reports under a name; empty if it isn't an object."""
    message = state.get(name) if isinstance(state, Mapping) else None
    return message if isinstance(message, Mapping) else {}


def picked_point(state: object) -> Mapping[str, Any] | None:
    """Return the first selected mark of a chart, or None."""
    points = message_of(state, "selection").get("points")
    first = points[0] if isinstance(points, Sequence) and points else None
    return first if isinstance(first, Mapping) else None


def picked_rows(state: object, rows: int) -> list[int]:
    """Return the numbers of the selected rows in a table of so many rows, ascending."""
    picked = message_of(state, "selection").get("rows")
    numbers = (whole(each, rows - 1) for each in picked) if isinstance(picked, list) else ()
    return sorted({number for number in numbers if number is not None})


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
    itself shows the typed text as long as the page is open.

    ``typed`` is what the field returns, not what its ``on_change`` sees: after a lost connection the first
    message of the browser already has what the person changed meanwhile, and Streamlit calls no ``on_change``
    for what a new session finds.
    """
    return typed if len(typed) <= limits().kept_typed_characters else before


def catch_up(note: Callable[[], object]) -> None:
    """Note what a field returns if no ``on_change`` noted it (see ``kept``), and run the page again, because
    what is above the field shows the former value."""
    note()
    st.rerun()


def decoded(data: bytes, name: str, errors: Errors = "strict") -> str:
    """Return an uploaded file as text; says on the page if the mark at its start was left out. Raises
    CorpusError."""
    encoding, mark = encoding_of(data)
    if mark and encoding == "utf-8":
        st.toast(escape(f"{name}: {MARK_DROPPED}"))
        data = data[len(mark) :]
    return decode_utf8(data, name, errors)


def run_whole_page(act: Callable[..., object] | None = None, *args: object) -> None:
    """Have the whole page run, and call ``act`` before, though the player reports something at the same time.

    Such a report asks to rerun one fragment alone. If it comes in the same message of the browser, Streamlit
    grants that only if no other callback of the message returns: see ``st.rerun``. If it comes in the next
    message, Streamlit may end the run of the page before its first line, and the report must not ask. So this
    is the ``on_change`` or ``on_click`` of what the main page reads outside the fragment.
    """
    session().drawn = False
    if act is not None:
        act(*args)
