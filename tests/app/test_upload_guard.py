"""Uploads: the files of one session, and of all sessions, have a limit in bytes."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from bpeviz.limits import read_limits
from bpeviz.ui.server import upload_guard
from bpeviz.ui.server.upload_guard import UploadGuard, Uploads, _size

MOST = replace(read_limits({}), session_upload_bytes=100, all_upload_bytes=250)


@pytest.fixture
def manager() -> MemoryUploadedFileManager:
    return MemoryUploadedFileManager("/upload")


@pytest.fixture
def uploads(manager: MemoryUploadedFileManager, monkeypatch: pytest.MonkeyPatch) -> Uploads:
    monkeypatch.setattr(upload_guard, "_in_use", {})
    return Uploads(manager)


def upload(uploads: Uploads, session: str, file: str, size: int, *, left: bool = False) -> int | None:
    """One whole upload; the status that refuses it."""
    refused = uploads.check_room(session, size, MOST)
    if refused is None and (refused := uploads.count_arrived(session, size, MOST)) is None:
        uploads._manager.add_file(session, UploadedFileRec(file, file, "text/plain", bytes(size)))
        uploads.note_end(session, file, size, left=left)
    return refused


def test_a_session_has_a_total(uploads: Uploads, manager: MemoryUploadedFileManager) -> None:
    found = [upload(uploads, "one", str(i), 40) for i in range(25)]
    assert found == [None, None, *[413] * 23]
    assert sum(len(file.data) for file in manager.file_storage["one"].values()) == 80
    assert upload(uploads, "two", "0", 40) is None
    manager.remove_file("one", "0")
    assert upload(uploads, "one", "new", 40) is None


def test_one_file_has_the_limit_of_this_server(uploads: Uploads) -> None:
    local, hosted = read_limits({}), read_limits({"BPEVIZ_HOSTED": "1"})
    sizes = [most.largest_upload_bytes + upload_guard.FORM_BYTES for most in (local, hosted)]
    assert [uploads.check_room("one", sizes[1] + more, hosted) for more in (1, 0)] == [413, None]
    assert [uploads.check_room("two", sizes[0] + more, local) for more in (1, 0)] == [413, None]


def test_uploads_at_the_same_time_count_together_by_what_has_arrived(uploads: Uploads) -> None:
    assert [uploads.check_room("one", 60, MOST), uploads.check_room("one", 60, MOST)] == [None, None]
    assert [uploads.count_arrived("one", 60, MOST), uploads.count_arrived("one", 41, MOST)] == [None, 413]
    uploads.note_end("one", "first", 60, left=False)
    uploads.note_end("one", "second", 41, left=False)
    assert uploads.check_room("one", 100, MOST) is None


def test_what_is_only_announced_takes_no_room_from_others(uploads: Uploads) -> None:
    assert [uploads.check_room(str(i), 100, MOST) for i in range(20)] == [None] * 20
    assert [uploads.count_arrived(str(i), 90, MOST) for i in range(3)] == [None, None, 503]
    uploads.note_end("2", "refused", 90, left=False)
    assert uploads.check_room("other", 50, MOST) is None


def test_all_sessions_together_have_a_total(uploads: Uploads, manager: MemoryUploadedFileManager) -> None:
    assert [upload(uploads, str(i), "a", 90) for i in range(4)] == [None, None, 503, 503]
    manager.remove_session_files("0")
    assert upload(uploads, "3", "a", 90) is None


@pytest.mark.full
def test_files_of_a_page_that_was_left_make_room(
    uploads: Uploads, manager: MemoryUploadedFileManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in ("shown", "left"):
        upload(uploads, "one", file, 50)
    upload_guard._in_use["one"] = frozenset({"shown"})
    assert upload(uploads, "one", "new", 30) == 413  # a field may still report it
    monkeypatch.setattr(upload_guard, "SETTLED_SECONDS", 0.0)
    assert upload(uploads, "one", "new", 30) is None
    assert set(manager.file_storage["one"]) == {"shown", "new"}
    assert upload(uploads, "two", "a", 100) is None
    assert set(manager.file_storage["one"]) == {"shown", "new"}


def test_a_file_whose_visitor_left_while_it_came_does_not_stay(
    uploads: Uploads, manager: MemoryUploadedFileManager
) -> None:
    upload(uploads, "one", "late", 50, left=True)
    assert not manager.file_storage.get("one")
    assert uploads._arrived.keys() <= {"late"}


def test_nothing_is_noted_about_sessions_that_are_gone(
    uploads: Uploads, manager: MemoryUploadedFileManager
) -> None:
    for i in range(50):
        upload(uploads, str(i), f"file-{i}", 50)
        manager.remove_session_files(str(i))
    assert len(uploads._arrived) <= 2
    assert not uploads._coming


def test_chunks_have_no_length_whatever_the_request_says() -> None:
    """Servers ignore the length if a request has chunks."""
    assert _size(Headers({"content-length": "12"})) == 12
    assert _size(Headers({"content-length": "12", "Transfer-Encoding": "chunked"})) is None
    assert _size(Headers({"transfer-encoding": "chunked"})) is None
    assert _size(Headers({"content-length": "-1"})) is None


class Server:
    """Streamlit's side of an upload: it reads the body, then answers."""

    def __init__(self) -> None:
        self.read = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        self.read = await request.body()
        await PlainTextResponse("", 204)(scope, receive, send)


class OneSession:
    """The runtime with one session, which may end."""

    def __init__(self) -> None:
        self.uploaded_file_mgr = MemoryUploadedFileManager("/upload")
        self.active = True

    def is_active_session(self, session: str) -> bool:
        return self.active and session == "one"


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> OneSession:
    sessions = OneSession()
    monkeypatch.setattr(upload_guard.runtime, "get_instance", lambda: sessions)
    return sessions


def put(
    parts: list[bytes], size: int, then: Callable[[], object] = lambda: None, *, silent: bool = False
) -> int:
    """Upload a file in parts. ``then`` is called after each; after the last, a silent one sends nothing more.
    Returns the status of the answer."""
    waiting, answered = list(parts), []

    async def receive() -> Message:
        if not waiting:
            await asyncio.Event().wait()
        part = waiting.pop(0)
        then()
        return {"type": "http.request", "body": part, "more_body": bool(waiting) or silent}

    async def send(message: Message) -> None:
        answered.append(message)

    scope = {
        "type": "http",
        "method": "PUT",
        "path": "/_stcore/upload_file/one/file",
        "headers": [(b"content-length", b"%d" % size)],
    }
    asyncio.run(UploadGuard(Server(), silent_seconds=0.0 if silent else 120.0)(scope, receive, send))
    return int(answered[0]["status"])


@pytest.mark.usefixtures("sessions")
def test_an_upload_that_arrives_is_read() -> None:
    assert put([b"ab", b"c"], 3) == 204


@pytest.mark.usefixtures("sessions")
def test_an_upload_that_sends_nothing_ends() -> None:
    assert put([], 32_000_000, silent=True) == 408


def test_an_upload_ends_with_its_session(sessions: OneSession) -> None:
    def leave() -> None:
        sessions.active = False

    assert put([b"ab", b"c"], 3, leave) == 410


@pytest.mark.usefixtures("sessions")
def test_an_upload_that_sends_more_than_it_announced_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_guard, "limits", lambda: MOST)
    assert put([bytes(60), bytes(40)], 10) == 204
    assert put([bytes(60), bytes(41)], 10) == 413
