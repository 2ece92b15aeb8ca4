"""train --out run.bpeviz, and app with files: what is written, served and refused."""

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bpeviz import Corpus
from bpeviz.cli import main
from bpeviz.corpus.packed_counts import unpack_counts
from bpeviz.limits import limits
from bpeviz.sessions.session_file import read_file

TEXT = "the cat in the hat and the cat on the mat. " * 20


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "cat.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[Any, str]]:
    """The files and the query that the page would be served with."""
    asked: list[tuple[Any, str]] = []
    monkeypatch.setattr(
        "bpeviz.ui.server.launch.serve", lambda port, files, query: asked.append((files, query)) or 0
    )
    monkeypatch.setenv("BPEVIZ_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("STREAMLIT_SERVER_PORT", raising=False)
    return asked


def told(*arguments: object) -> tuple[int, str, str]:
    """The exit code of a command, and what it printed."""
    out, fault = io.BytesIO(), io.BytesIO()
    code = main([str(a) for a in arguments], io.BytesIO(TEXT.encode()), out, fault)
    return code, out.getvalue().decode(), fault.getvalue().decode()


def document_of(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.json.decode(read_file(path.read_bytes()).document)
    return document


def test_a_run_holds_the_settings_the_counts_and_the_text(text: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.bpeviz"
    assert told("train", text, "--recipe", "minbpe", "--merges", 20, "--out", out)[0] == 0
    file = read_file(out.read_bytes())
    (run,) = document_of(out)["runs"]
    assert run["name"] == "cat.txt, minbpe"
    assert run["settings"] == {
        "recipe": "minbpe",
        "split": "cl100k",
        "custom_pattern": "",
        "num_merges": 20,
        "min_frequency": 1,
        "vocab_size": None,
        "special_tokens": None,
        "max_token_length": None,
        "by_line": False,
        "start": "",
    }
    assert file.contents[run["text"]["digest"]].decode() == TEXT
    counts = unpack_counts(file.contents[run["counts"]["digest"]], run["counts"]["byte_total"])
    assert counts == dict(Corpus.from_text(TEXT, "cl100k").counts)
    assert run["text"]["part"]["byte_total"] == len(TEXT)


@pytest.mark.parametrize(
    ("stop", "merges"),
    [(["--merges", 10], 10), (["--vocab-size", 260], 4), ([], 17), (["--merges", 30_000], 20_000)],
)
def test_a_run_has_as_many_merges_as_the_page_takes(
    text: Path, tmp_path: Path, stop: list[object], merges: int
) -> None:
    out = tmp_path / "run.bpeviz"
    assert told("train", text, *stop, "--out", out)[0] == 0
    asked = document_of(out)["runs"][0]["settings"]["num_merges"]
    assert asked == merges


def test_a_run_has_the_special_tokens_and_the_longest_token(text: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.bpeviz"
    options = ("--special-token", "<x>", "--max-token-length", 3)
    assert told("train", text, *options, "--out", out)[0] == 0
    asked = document_of(out)["runs"][0]["settings"]
    assert (asked["special_tokens"], asked["max_token_length"]) == (["<x>"], 3)


def test_a_run_of_standard_input_has_counts_alone(tmp_path: Path) -> None:
    out = tmp_path / "run.bpeviz"
    assert told("train", "--merges", 5, "--out", out)[0] == 0
    part = document_of(out)["runs"][0]["text"]["part"]
    assert (part["corpus"], part["file"], part["byte_total"]) == ("standard input", None, len(TEXT))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--format", "gpt2"], "--format is for tokenizers"),
        (["--special-token", "x" * 201], "up to 64 special tokens of up to 200 characters"),
        ([word for i in range(65) for word in ("--special-token", f"<{i}>")], "up to 64 special tokens"),
    ],
)
def test_what_the_page_does_not_have_is_refused(
    text: Path, tmp_path: Path, options: list[str], says: str
) -> None:
    code, _, fault = told("train", text, *options, "--out", tmp_path / "run.bpeviz")
    assert code == 2
    assert says in fault
    assert not (tmp_path / "run.bpeviz").exists()


def test_the_page_is_served_with_files(text: Path, served: list[tuple[Any, str]]) -> None:
    assert told("app", text) == (0, "", "")
    ((files, query),) = served
    assert [file.path for file in files.files] == [str(text)]
    assert query == ""


def test_the_page_opens_a_run(text: Path, tmp_path: Path, served: list[tuple[Any, str]]) -> None:
    out = tmp_path / "run.bpeviz"
    told("train", text, "--merges", 5, "--out", out)
    code, said, _ = told("app", out)
    ((files, query),) = served
    assert (code, files) == (0, None)
    assert query.startswith("?session=")
    assert said.startswith("run.bpeviz opens at http://localhost:")
    assert said.endswith(f"/{query}\n")
    told("app", out, text)
    assert served[1][1] == query
    assert served[1][0].byte_total == len(TEXT)


@pytest.mark.parametrize(
    ("names", "code", "says"),
    [
        (["missing.txt"], 1, "Give the names of text files"),
        (["missing.bpeviz"], 1, "No such file"),
        (["."], 1, "it is not a file"),
        (["a.bpeviz", "b.bpeviz"], 2, "The page opens one run"),
    ],
)
def test_names_that_stand_for_nothing_are_refused(
    names: list[str], code: int, says: str, served: list[tuple[Any, str]], tmp_path: Path
) -> None:
    found = told("app", *(tmp_path / name for name in names))
    assert found[0] == code
    assert says in found[2]
    assert served == []


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"not json", b"\xff\x00", b'{"document":{},"texts":{}}', b"[" * 100_000]
)
def test_a_file_that_is_no_run_is_refused(
    content: bytes, served: list[tuple[Any, str]], tmp_path: Path
) -> None:
    (tmp_path / "run.bpeviz").write_bytes(content)
    code, _, fault = told("app", tmp_path / "run.bpeviz")
    assert (code, served) == (1, [])
    assert "This session can't be opened" in fault


def test_a_run_that_is_too_large_is_refused_without_reading_all(
    served: list[tuple[Any, str]], tmp_path: Path
) -> None:
    with (tmp_path / "run.bpeviz").open("wb") as file:
        file.truncate(limits().max_upload_bytes * 20)
    code, _, fault = told("app", tmp_path / "run.bpeviz")
    assert (code, served) == (1, [])
    assert "it has more than 64 MB" in fault


def test_a_server_for_strangers_opens_no_files(
    text: Path, served: list[tuple[Any, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BPEVIZ_HOSTED", "1")
    limits.cache_clear()
    code, _, fault = told("app", text)
    limits.cache_clear()
    assert (code, served) == (2, [])
    assert "so it can't open files" in fault


def test_a_frequency_that_the_page_does_not_take_leaves_the_same_merges(tmp_path: Path) -> None:
    counts, out = tmp_path / "counts.csv", tmp_path / "run.bpeviz"
    counts.write_text("pre_token,count\nabcd,9000000\nxy,2000000\nzw,1500000\n")
    command = ("train", "--counts", counts, "--split", "gpt2", "--min-frequency", 5_000_000, "--out", out)
    assert told(*command, "--merges", 9)[0] == 0
    (run,) = document_of(out)["runs"]
    assert (run["settings"]["num_merges"], run["settings"]["min_frequency"]) == (3, 1_000_000)


def test_counts_that_the_page_would_refuse_are_refused_before_merging(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpeviz.cli.run_file.MOST_PRE_TOKENS", 3)
    code, _, fault = told(
        "train", text, "--recipe", "minbpe", "--merges", 9, "--out", tmp_path / "run.bpeviz"
    )
    assert code == 1
    assert "The page takes no run with 10 distinct pre-tokens" in fault
    assert not (tmp_path / "run.bpeviz").exists()


def test_a_loop_of_links_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    code, _, fault = told("train", tmp_path / "loop", "--merges", 5, "--out", tmp_path / "run.bpeviz")
    assert code == 1
    assert fault.count("\n") == 1
