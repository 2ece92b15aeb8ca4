"""Read what the browser reports of a component, a chart or a table. It can be any JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["MOST_ID", "message_of", "picked_point", "picked_row", "whole"]

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


def picked_row(state: object, rows: int) -> int | None:
    """Return the number of the first selected row in a table of so many rows, or None."""
    picked = message_of(state, "selection").get("rows")
    return whole(picked[0], rows - 1) if isinstance(picked, Sequence) and picked else None
