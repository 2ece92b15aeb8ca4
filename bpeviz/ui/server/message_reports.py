"""What charts, tables and components report as JSON: parsed only if it is short, and checked before Streamlit
keeps it."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from bpeviz.decoders import converted
from bpeviz.ui.server.streamlit_internals import WidgetState

__all__ = ["MOST_PARTS", "SELECTION", "is_selection", "readable"]

#: The keys of charts and tables in which a person can pick end so: what they report is checked here, because
#: Streamlit fails on a report that it doesn't expect.
SELECTION = "_selection"
#: The lists, objects and values in all reports of a message. A report is parsed here and at every run.
MOST_PARTS = 2_000
#: A string of JSON, or one without an end.
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


def is_selection(state: WidgetState) -> bool:
    """Return whether a field is a selection in a chart or a table."""
    return state.id.endswith(SELECTION) and state.WhichOneof("value") == "string_value"


def readable(states: Iterable[WidgetState]) -> Iterator[WidgetState]:
    """Yield the fields without the reports of charts, tables and components that are not what these send.

    Streamlit fails on some of these, now and at every later message: for example a number of thousands of
    digits, even in a string. Others take long to parse, so their parts are counted first.
    """
    parts = 0
    for state in states:
        if not state.id:
            continue
        if (report := _report(state)) is not None:
            parts += _parts(report) if parts <= MOST_PARTS else 0
            if parts > MOST_PARTS or not _is_expected(report, selection=is_selection(state)):
                continue
        yield state


def _report(state: WidgetState) -> str | None:
    """Return what a chart, a table or a component reports as JSON; None for any other field."""
    match state.WhichOneof("value"):
        case "json_value":
            return state.json_value
        case "json_trigger_value":
            return state.json_trigger_value
    return state.string_value if is_selection(state) else None


def _parts(report: str) -> int:
    """Return how many lists, objects and further values JSON has, without parsing it: '{"a": [1, ","]}' -> 3.

    If it has too many strings, returns MOST_PARTS + 1.
    """
    if report.count('"') - report.count('\\"') > 2 * MOST_PARTS:
        return MOST_PARTS + 1
    outside = _STRING.sub("", report)
    return sum(map(outside.count, "[{,"))


def _is_expected(report: str, *, selection: bool) -> bool:
    """Return whether a report is a selection, or else a list or an object."""
    try:
        parsed = json.loads(report)
        if selection:
            converted(parsed, _Picked)
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
        return False
    return isinstance(parsed, dict | list)


class _Selection(msgspec.Struct):
    """What a person has picked in a chart or a table."""

    points: list[dict[str, Any]] = []
    point_indices: list[int] = []
    box: list[dict[str, Any]] = []
    lasso: list[dict[str, Any]] = []
    rows: list[int] = []
    columns: list[str] = []
    cells: list[tuple[int, str]] = []


class _Picked(msgspec.Struct):
    selection: _Selection
