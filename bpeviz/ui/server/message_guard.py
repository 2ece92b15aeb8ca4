"""Limits on what a browser may send over its WebSocket, checked before Streamlit keeps any of it."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import msgspec
from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bpeviz.decoders import converted
from bpeviz.errors import ServerSettingError
from bpeviz.limits import HOSTED, Limits, limits, read_limits
from bpeviz.ui.server.long_text import shortened
from bpeviz.ui.server.message_pace import PacedMessages
from bpeviz.ui.server.streamlit_internals import BackMsg, ClientState, WidgetState, WidgetStates

__all__ = ["SELECTION", "MessageGuard", "bounded"]

#: The keys of charts and tables in which a person can pick end so: what they report is checked here, because
#: Streamlit fails on a report that it doesn't expect.
SELECTION = "_selection"

#: Other messages of the page. It never asks to clear the server's caches, or for help with programming.
_NEEDED = ("stop_script", "app_heartbeat")
#: A download made on request, and rows of a long table. Other operations change files of the server.
_NEEDED_OPERATIONS = ("deferred_file", "dataframe_chunk")
#: No page has as many fields, and no field takes as many files.
MOST_WIDGETS = 1_000
MOST_FILES = 1_000
#: For values that are not text: one choice, number or report of a component; in a message, all but the
#: fields.
MOST_OTHER_BYTES = 250_000
#: A longer paste closes the connection. For a shorter one over the limit, the page says how long it may be.
MOST_MESSAGE_BYTES = 50_000_000
#: Everything in a message but the texts in its fields. Parsed, it may take a hundred times as much memory.
MOST_PARSED_BYTES = 2_000_000

#: Streamlit closes the connection that sends it.
NO_MESSAGE = b"\xff"

#: The way to the texts in a message: the number of the field at each level.
_TO_TEXT = (
    BackMsg.DESCRIPTOR.fields_by_name["rerun_script"].number,
    ClientState.DESCRIPTOR.fields_by_name["widget_states"].number,
    WidgetStates.DESCRIPTOR.fields_by_name["widgets"].number,
    WidgetState.DESCRIPTOR.fields_by_name["string_value"].number,
)
#: Each level has a few other fields, and each field of a page a few parts.
_MOST_PARTS = 10 * MOST_WIDGETS
_LENGTH_FOLLOWS = 2
_FIXED_LENGTHS = {1: 8, 5: 4}


def bounded(data: bytes, most: Limits) -> bytes | None:
    """Return a message for Streamlit, with long texts cut and other long values left out; None for a message
    that the page never sends."""
    if len(data) > MOST_MESSAGE_BYTES:
        return NO_MESSAGE
    if len(data) > MOST_PARSED_BYTES and _parsed_bytes(data) > MOST_PARSED_BYTES:
        return NO_MESSAGE
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return NO_MESSAGE
    match message.WhichOneof("type"):
        case "rerun_script":
            return _bounded_rerun(message, data, most)
        case "backend_operation_request":
            needed = message.backend_operation_request.WhichOneof("payload") in _NEEDED_OPERATIONS
        case "file_urls_request":
            needed = len(message.file_urls_request.file_names) <= MOST_FILES
        case kind:
            needed = kind in _NEEDED
    return data if needed and len(data) <= MOST_OTHER_BYTES else None


def _bounded_rerun(message: BackMsg, data: bytes, most: Limits) -> bytes | None:
    states = message.rerun_script.widget_states
    if len(states.widgets) > MOST_WIDGETS:
        return None
    long = [state for state in states.widgets if _length(state) > MOST_OTHER_BYTES]
    for state in long:
        _bound(state, most)
    if message.ByteSize() - states.ByteSize() > MOST_OTHER_BYTES:
        return None
    kept = [state for state in states.widgets if state.id and _is_readable(state)]
    left_out = len(states.widgets) - len(kept)
    if left_out:  # removed, not only emptied: Streamlit fails at a value without an id
        states.CopyFrom(WidgetStates(widgets=kept))
    if states.ByteSize() > most.max_state_bytes:
        return None
    return message.SerializeToString() if long or left_out else data


def _parsed_bytes(data: bytes) -> int:
    """How many bytes of a message are not texts in fields, without parsing it; all bytes if it has more parts
    than any message of the page."""
    levels = [(0, len(data), 0)]
    texts = parts = 0
    while levels:
        start, end, depth = levels.pop()
        for number, place, after in _parts_with_length(data, start, end):
            parts += 1
            if parts > _MOST_PARTS:
                return len(data)
            if number == _TO_TEXT[depth] and depth == len(_TO_TEXT) - 1:
                texts += after - place
            elif number == _TO_TEXT[depth]:
                levels.append((place, after, depth + 1))
    return len(data) - texts


def _parts_with_length(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield the parts of one level that have a length: number of the field, begin and end. Other parts have
    the number 0. Stops at data that isn't a message."""
    while start < end:
        key, start = _varint(data, start, end)
        kind = key & 7
        if kind == _LENGTH_FOLLOWS:
            length, start = _varint(data, start, end)
            if start + length > end:
                return
            yield key >> 3, start, start + length
            start += length
        elif kind == 0:
            _, start = _varint(data, start, end)
            yield 0, start, start
        elif kind in _FIXED_LENGTHS:
            start += _FIXED_LENGTHS[kind]
            yield 0, start, start
        else:
            return


def _varint(data: bytes, place: int, end: int) -> tuple[int, int]:
    """Return a number of up to ten bytes, and where it ends; beyond ``end`` if there is none."""
    value = 0
    for index, byte in enumerate(data[place : min(place + 10, end)]):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:  # the last byte
            return value, place + index + 1
    return 0, end + 1


def _length(state: WidgetState) -> int:
    """Return the length of a field's value; for a text in characters, because counting its bytes takes
    long."""
    if state.WhichOneof("value") == "string_value":
        return len(state.id) + len(state.string_value)
    return int(state.ByteSize())


def _bound(state: WidgetState, most: Limits) -> None:
    """Cut a text that is too long for the page; leave out any other value."""
    if state.WhichOneof("value") == "string_value" and len(state.id) < MOST_OTHER_BYTES:
        state.string_value = shortened(state.string_value, most.max_text_bytes)
    else:
        state.Clear()


def _is_readable(state: WidgetState) -> bool:
    """Return False for a report of a chart, a table or a component that is not what these send. Streamlit
    fails on some of these, now and at every later message: for example a number of thousands of digits, even
    in a string."""
    kind = state.WhichOneof("value")
    if kind == "string_value" and state.id.endswith(SELECTION):
        return _is_selection(state.string_value)
    if kind not in ("json_value", "json_trigger_value"):
        return True
    try:
        return isinstance(json.loads(getattr(state, kind)), dict | list)
    except (ValueError, RecursionError):
        return False


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


def _is_selection(report: str) -> bool:
    """Return whether a report of a chart or a table is a selection."""
    try:
        converted(json.loads(report), _Picked)
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
        return False
    return True


class MessageGuard:
    """Middleware that passes on what the page may send, in turn with others, and drops the rest."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_bounded() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive" or (data := message.get("bytes")) is None:
                    return message
                if (taken := bounded(data, _limits())) is not None:
                    return {**message, "bytes": taken}
                await asyncio.sleep(0)  # let others have their turn

        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        paced = PacedMessages(receive_bounded, asyncio.get_running_loop().time)
        try:
            await self._app(scope, paced.next, send)
        finally:
            paced.close()


def _limits() -> Limits:
    """Return the limits of this server; a hosted one's if its settings are wrong, which the page shows."""
    try:
        return limits()
    except ServerSettingError:
        return read_limits({HOSTED: "1"})
