"""Uploads: the files of one session, and of all sessions, have a limit in bytes."""

from dataclasses import replace

import pytest
from starlette.datastructures import Headers
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from bpeviz.limits import read_limits
from bpeviz.ui.server import upload_guard
from bpeviz.ui.server.upload_guard import Uploads, _size

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
    refused = uploads.begin(session, size, MOST)
    if refused is None:
        uploads._manager.add_file(session, UploadedFileRec(file, file, "text/plain", bytes(size)))
        uploads.end(session, file, size, left=left)
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
    assert [uploads.begin("one", sizes[1] + more, hosted) for more in (1, 0)] == [413, None]
    assert [uploads.begin("two", sizes[0] + more, local) for more in (1, 0)] == [413, None]


def test_uploads_at_the_same_time_count_together(uploads: Uploads) -> None:
    assert [uploads.begin("one", 60, MOST), uploads.begin("one", 60, MOST)] == [None, 413]
    uploads.end("one", "gone", 60, left=False)
    assert uploads.begin("one", 100, MOST) is None


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
