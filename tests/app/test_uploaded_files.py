"""Uploads on the disk: their names, and when they go."""

import errno
import gc
import subprocess
import sys
from pathlib import Path

import pytest

from bpeviz.corpus.corpus_files import Place
from bpeviz.errors import CorpusError
from bpeviz.ui.session.uploaded_files import UploadedFiles


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    "name", ["a.txt", "../../etc/passwd", "/etc/passwd", "", "..", "\0", "x" * 5_000, "猫.txt", "a/b\\c"]
)
def test_no_name_leads_out_of_the_folder(folder: Path, name: str) -> None:
    uploaded = UploadedFiles([(name, b"one"), (name, b"two")])
    assert [uploaded.files.part(Place(n, 0), 9).text for n in (0, 1)] == ["one", "two"]
    assert all(Path(file.path).is_relative_to(folder) for file in uploaded.files.files)


def test_the_files_go_with_what_refers_to_them(folder: Path) -> None:
    uploaded = UploadedFiles([("a.txt", b"one")])
    assert len(list(folder.iterdir())) == 1
    del uploaded
    gc.collect()
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks no files this way")
@pytest.mark.full
def test_the_files_of_a_killed_process_go_with_the_next_upload(folder: Path) -> None:
    program = (
        "import os, tempfile; tempfile.tempdir = {!r};"
        "from bpeviz.ui.session.uploaded_files import UploadedFiles;"
        "kept = UploadedFiles([('a.txt', b'one')]); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", program.format(str(folder))], check=False)
    assert len(list(folder.iterdir())) == 1
    mine = UploadedFiles([("a.txt", b"one")])
    other = UploadedFiles([("a.txt", b"two")])
    assert len(list(folder.iterdir())) == 2
    assert mine.files.part(Place(0, 0), 9).text == "one"
    assert other.files.part(Place(0, 0), 9).text == "two"


def test_a_full_disk_is_an_error_that_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CorpusError, match=r"No space left on device\). Make room there"):
        UploadedFiles([("a.txt", b"one")])
    assert list(folder.iterdir()) == []


def test_a_long_name_in_any_script_is_stored() -> None:
    uploaded = UploadedFiles([("猫" * 96 + ".txt", b"text")])
    assert uploaded.files.part(Place(0, 0), 100).text == "text"
    assert uploaded.files.name.endswith("猫.txt")


def test_without_a_folder_for_temporary_files_an_upload_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    with pytest.raises(CorpusError, match="there is no folder for temporary files"):
        UploadedFiles([("a.txt", b"text")])
