"""Limits on what a browser may send over its WebSocket, checked before Streamlit keeps any of it."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bpeviz.errors import ServerSettingError
from bpeviz.limits import HOSTED, Limits, limits, read_limits
from bpeviz.ui.server.long_text import shortened
from bpeviz.ui.server.message_pace import PacedMessages
from bpeviz.ui.server.message_reports import is_selection, readable
from bpeviz.ui.server.streamlit_internals import (
    BackMsg,
    ClientState,
    ForwardMsg,
    WidgetState,
    WidgetStates,
)

__all__ = ["MessageGuard", "RequestedFiles", "bounded"]

#: Other messages of the page. It never asks to clear the server's caches, or for help with programming.
_NEEDED = ("stop_script", "app_heartbeat")
#: A download made on request, and rows of a long table. Other operations change files of the server.
_NEEDED_OPERATIONS = ("deferred_file", "dataframe_chunk")
#: No page has as many fields, and no field takes as many files.
MOST_WIDGETS = 1_000
MOST_FILES = 1_000
#: For a text before its bytes are counted, a report of a component, and the files of an upload; in a message,
#: for all but the fields.
MOST_OTHER_BYTES = 250_000
#: For any other value, such as choices or numbers, and for what a chart or a table reports.
MOST_VALUE_BYTES = 10_000
#: Threads that make requested files. Most of them wait for their turn.
MOST_THREADS = 100
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
            asked = message.backend_operation_request
            needed = asked.WhichOneof("payload") in _NEEDED_OPERATIONS and len(data) <= MOST_VALUE_BYTES
        case "file_urls_request":
            needed = len(message.file_urls_request.file_names) <= MOST_FILES
        case kind:
            needed = kind in _NEEDED
    return data if needed and len(data) <= MOST_OTHER_BYTES else None


def _bounded_rerun(message: BackMsg, data: bytes, most: Limits) -> bytes | None:
    states = message.rerun_script.widget_states
    if len(states.widgets) > MOST_WIDGETS:
        return None
    if sum(min(_length(state), most.max_text_bytes) for state in states.widgets) > most.max_state_bytes:
        return None
    long = [state for state in states.widgets if _length(state) > _most_bytes(state)]
    for state in long:
        _bound(state, most)
    if message.ByteSize() - states.ByteSize() > MOST_OTHER_BYTES or states.ByteSize() > most.max_state_bytes:
        return None
    kept = list(readable(states.widgets))
    left_out = len(states.widgets) - len(kept)
    if left_out:  # removed, not only emptied: Streamlit fails at a value without an id
        states.CopyFrom(WidgetStates(widgets=kept))
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


#: The kinds of values that may be longer than MOST_VALUE_BYTES. A kind that is new in Streamlit is not.
_LONG_KINDS = ("string_value", "json_value", "json_trigger_value", "file_uploader_state_value")


def _most_bytes(state: WidgetState) -> int:
    is_long = state.WhichOneof("value") in _LONG_KINDS and not is_selection(state)
    return MOST_OTHER_BYTES if is_long else MOST_VALUE_BYTES


def _bound(state: WidgetState, most: Limits) -> None:
    """Cut a text that is too long for the page; leave out any other value."""
    is_text = state.WhichOneof("value") == "string_value" and not is_selection(state)
    if is_text and len(state.id) < MOST_OTHER_BYTES:
        state.string_value = shortened(state.string_value, most.max_text_bytes)
    else:
        state.Clear()


class MessageGuard:
    """Middleware that passes on what the page may send, in turn with others, and drops the rest."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._has_threads = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        loop, files = asyncio.get_running_loop(), RequestedFiles()
        if not self._has_threads:  # Streamlit makes requested files in these
            loop.set_default_executor(ThreadPoolExecutor(MOST_THREADS))
            self._has_threads = True

        async def send_and_note(message: Message) -> None:
            files.note(message)
            await send(message)

        paced = PacedMessages(
            receive, lambda data: bounded(data, _limits()), loop.time, ready=files.wait_for_turn
        )
        try:
            await self._app(scope, paced.next, send_and_note)
        finally:
            paced.close()


class RequestedFiles:
    """The files that Streamlit makes for one connection when a person asks for them: one after the other. A
    request that comes earlier waits, and so does what comes after it."""

    def __init__(self) -> None:
        self._asked = ""
        self._free = asyncio.Event()
        self._free.set()

    async def wait_for_turn(self, data: bytes) -> None:
        """Wait, if a message asks for a file, until the last one is made."""
        if len(data) <= MOST_VALUE_BYTES:
            request = BackMsg.FromString(data).backend_operation_request
            if request.WhichOneof("payload") == "deferred_file":
                await self._free.wait()
                self._free.clear()
                self._asked = request.request_id

    def note(self, message: Message) -> None:
        """Note that a message to the browser says where the file is, or that there is none."""
        data = message.get("bytes") or b""
        if not self._free.is_set() and len(data) <= MOST_VALUE_BYTES:
            answer = ForwardMsg.FromString(data)
            is_answer = answer.HasField("backend_operation_response")
            if is_answer and answer.backend_operation_response.request_id == self._asked:
                self._free.set()


def _limits() -> Limits:
    """Return the limits of this server; a hosted one's if its settings are wrong, which the page shows."""
    try:
        return limits()
    except ServerSettingError:
        return read_limits({HOSTED: "1"})
