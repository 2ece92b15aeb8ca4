"""Limits how many bytes one uploaded file has, those of one session, and those of all sessions together.

Streamlit limits a single file by one setting for every server, and keeps every file until its session ends or
the browser deletes it. It takes any number of files, even those that no field of the page asked for. The
browser alone holds a field's ``max_upload_size``.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import cast

import streamlit as st
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime

from bpeviz.limits import Limits, limits
from bpeviz.ui.server.streamlit_internals import MemoryUploadedFileManager, UploadedFile, served_session

__all__ = ["UploadGuard", "Uploads", "drop_uploads", "forget_uploads", "note_uploads_in_use"]

_UPLOAD = re.compile(r".*/_stcore/upload_file/(?P<session>[^/]+)/(?P<file>[^/]+)")
#: A field reports its files when all of them have arrived, so a newer file may be in no field yet.
SETTLED_SECONDS = 120.0
#: What a form adds to the bytes of a file.
FORM_BYTES = 10_000
#: How long an upload may send nothing.
SILENT_SECONDS = 30.0
_DISCONNECT: Message = {"type": "http.disconnect"}
_WHY = {
    408: "The file sent nothing for too long. Try again.",
    410: "The page that sends this file was closed.",
    411: "Say how long the file is.",
    413: "The file is too large, or this session holds too many files. Remove some, or reload the page.",
    503: "The server holds too many uploaded files. Try again later.",
}


class Uploads:
    """Counts the bytes of uploaded files that are here or have arrived so far. Announced bytes do not count:
    whoever announces much and sends nothing takes no room from others. Used only on the server's event loop.
    """

    def __init__(self, manager: MemoryUploadedFileManager) -> None:
        self._manager = manager
        self._coming: Counter[str] = Counter()
        self._arrived: dict[str, float] = {}

    def check_room(self, session: str, size: int, most: Limits) -> int | None:
        """Return the status that refuses a file of this size, or None if there is room for it now."""
        if size > most.largest_upload_bytes + FORM_BYTES:
            return 413
        return self._refusal(session, size, most)

    def count_arrived(self, session: str, size: int, most: Limits) -> int | None:
        """Count bytes of a file that have arrived. Return the status that refuses it if there is no room."""
        self._coming[session] += size
        return self._refusal(session, 0, most)

    def _refusal(self, session: str, more: int, most: Limits) -> int | None:
        if self._held(session) + more > most.session_upload_bytes:
            self._drop_unused(session)
        if self._held(session) + more > most.session_upload_bytes:
            return 413
        everybody = {*self._manager.file_storage, *self._coming}
        return 503 if sum(map(self._held, everybody)) + more > most.all_upload_bytes else None

    def note_end(self, session: str, file_id: str, arrived: int, *, left: bool) -> None:
        """Note that a file is here, or failed after ``arrived`` bytes. If the visitor has ``left``, remove
        it, because Streamlit doesn't."""
        self._coming[session] -= arrived
        self._coming += Counter()  # keeps only counts above 0
        if left:
            self._manager.remove_file(session, file_id)
        here = {file for files in list(self._manager.file_storage.values()) for file in list(files)}
        self._arrived = {file: at for file, at in self._arrived.items() if file in here}
        self._arrived[file_id] = time.monotonic()

    def _held(self, session: str) -> int:
        files = self._manager.file_storage.get(session, {})
        return self._coming[session] + sum(len(file.data) for file in list(files.values()))

    def _drop_unused(self, session: str) -> None:
        """Delete the files that are in no field any more, for example on a page that the visitor has left."""
        in_use = _in_use.get(session, frozenset())
        settled = time.monotonic() - SETTLED_SECONDS
        for file_id in list(self._manager.file_storage.get(session, {})):
            if file_id not in in_use and self._arrived.get(file_id, settled) <= settled:
                self._manager.remove_file(session, file_id)


#: The files in the fields of each session's page, by their ids. Written by the sessions' own threads.
_in_use: dict[str, frozenset[str]] = {}


def note_uploads_in_use() -> None:
    """Note which files the fields of this page hold; all others of the session may go if room is needed."""
    session_id = served_session()
    if session_id is not None:
        _in_use[session_id] = frozenset(_file_ids(st.session_state.values()))


def drop_uploads(files: Iterable[UploadedFile]) -> None:
    """Drop files of this session from memory, because they were written to the disk."""
    session_id = served_session()
    if session_id is not None:
        for file in files:
            _manager().remove_file(session_id, file.file_id)


def _manager() -> MemoryUploadedFileManager:
    """Return the server's uploaded files: st.App makes this kind of manager, and no other."""
    return cast(MemoryUploadedFileManager, runtime.get_instance().uploaded_file_mgr)


def forget_uploads(session_id: str) -> None:
    """Drop the note about a session that has ended."""
    _in_use.pop(session_id, None)


def _file_ids(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, UploadedFile):
                yield each.file_id


class UploadGuard:
    """Middleware that refuses an upload before it is read if there is no room for it, and ends one that sends
    nothing for ``silent_seconds``, or for which there is no room any more."""

    def __init__(self, app: ASGIApp, silent_seconds: float = SILENT_SECONDS) -> None:
        self._app = app
        self._silent_seconds = silent_seconds
        self._uploads: Uploads | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        upload = _UPLOAD.fullmatch(scope["path"]) if scope.get("method") == "PUT" else None
        if upload is None or not _is_active(upload["session"]):
            await self._app(scope, receive, send)  # Streamlit refuses an upload without a session unread
            return
        size = _size(Headers(scope=scope))
        refused = 411 if size is None else self._guarded().check_room(upload["session"], size, limits())
        if refused is None:
            refused = await self._read(upload["session"], upload["file"], scope, receive, send)
        if refused is not None:
            await PlainTextResponse(_WHY[refused], refused)(scope, receive, send)

    async def _read(self, session: str, file: str, scope: Scope, receive: Receive, send: Send) -> int | None:
        """Let Streamlit read an upload. Return the status that refuses it after all."""
        refused: int | None = None
        arrived = 0
        whole = False

        async def receive_counted() -> Message:
            nonlocal refused, arrived, whole
            if whole:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), self._silent_seconds)
            except TimeoutError:
                refused = 408
                return _DISCONNECT
            whole = not message.get("more_body", False)
            size = len(message.get("body", b""))
            arrived += size
            refused = self._guarded().count_arrived(session, size, limits())
            if not _is_active(session):
                refused = 410
            return message if refused is None else _DISCONNECT

        async def send_unless_refused(message: Message) -> None:
            if refused is None:
                await send(message)

        try:
            await self._app(scope, receive_counted, send_unless_refused)
        except ClientDisconnect:
            if refused is None:
                raise
        finally:
            self._guarded().note_end(session, file, arrived, left=not _is_active(session))
        return refused

    def _guarded(self) -> Uploads:
        if self._uploads is None:
            self._uploads = Uploads(_manager())
        return self._uploads


def _is_active(session: str) -> bool:
    return runtime.get_instance().is_active_session(session)


def _size(headers: Headers) -> int | None:
    """How many bytes a request has; None if it does not say, or if it sends chunks."""
    if "transfer-encoding" in headers:
        return None
    length = headers.get("content-length", "")
    return int(length) if re.fullmatch("[0-9]{1,12}", length) else None
