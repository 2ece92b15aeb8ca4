"""Run files that somebody else wrote: each is refused with a remedy, or opens within the limits."""

import io
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import msgspec
import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.cli import main
from bpeviz.errors import BpevizError, SavedSessionError
from bpeviz.sessions.store import text_digest
from bpeviz.ui.session.opening import read_session_file
from bpeviz.ui.session.saving import save_file
from tests.support.app_test import opened, own_runs, plain, state_of

CAT = "the cat in the hat and the cat on the mat. " * 20


@pytest.fixture
def run(tmp_path: Path) -> dict[str, Any]:
    """The contents of a sound run file."""
    text, out = tmp_path / "cat.txt", tmp_path / "run.bpeviz"
    text.write_text(CAT)
    assert main(["train", str(text), "--merges", "9", "--out", str(out)], stdout=io.BytesIO()) == 0
    contents: dict[str, Any] = msgspec.json.decode(out.read_bytes())
    return contents


def saved(contents: dict[str, Any]) -> AppTest:
    """The page that opens such a file."""
    query = parse_qs(save_file(msgspec.json.encode(contents), "run"))
    return opened(session=query["session"][0])


def with_counts(contents: dict[str, Any], packed: bytes, byte_total: int) -> dict[str, Any]:
    digest = text_digest(packed)
    counts = {"name": "counts", "byte_total": byte_total, "digest": digest}
    contents["document"]["runs"][0]["counts"] = counts
    contents["files"] = {digest: packed}
    return contents


def counts_of(contents: dict[str, Any], value: object) -> dict[str, Any]:
    written = msgspec.msgpack.encode(value)
    return with_counts(contents, zlib.compress(written), len(written))


def said(app: AppTest) -> str:
    return " ".join(plain(each.value) for kind in (app.info, app.error, app.warning) for each in kind)


def test_a_sound_run_opens(run: dict[str, Any]) -> None:
    (opened_run,) = state_of(saved(run)).runs
    assert len(opened_run.steps) == 9


def test_a_run_that_is_cut_off_is_refused(run: dict[str, Any]) -> None:
    data = msgspec.json.encode(run)
    for end in range(0, len(data), 97):
        with pytest.raises(SavedSessionError):
            read_session_file(data[:end])


def part(**changes: object) -> Callable[[dict[str, Any]], object]:
    return lambda run: run["document"]["runs"][0]["text"]["part"].update(changes)


def counts(**changes: object) -> Callable[[dict[str, Any]], object]:
    return lambda run: run["document"]["runs"][0]["counts"].update(changes)


@pytest.mark.parametrize(
    "change",
    [
        part(byte_total=-1),
        part(byte_total="many"),
        part(byte_total=2**60),
        part(file=-1),
        part(offset=1.5),
        part(corpus="x" * 201),
        part(path="/etc/passwd"),
        counts(byte_total=-1),
        counts(byte_total=None),
        counts(digest="0" * 64),
        counts(digest="../x"),
        lambda run: run.update(files={}),
        lambda run: run.update(files={"0" * 64: b"x"}),
        lambda run: run.update(texts={"0" * 64: "x"}),
        lambda run: run["document"].update(version=99),
    ],
)
def test_wrong_types_and_missing_parts_are_refused(
    run: dict[str, Any], change: Callable[..., object]
) -> None:
    change(run)
    with pytest.raises(SavedSessionError, match="This session can't be opened"):
        read_session_file(msgspec.json.encode(run))


@pytest.mark.parametrize(
    "value",
    [None, [], {"a": -1}, {"a": 0}, {"": 1}, {"a": 2**63 - 1, "b": 2**63 - 1}, {"a": "b"}, {"ab": 2.5}],
)
def test_impossible_counts_train_nothing_and_say_why(run: dict[str, Any], value: object) -> None:
    app = saved(counts_of(run, value))
    assert own_runs(state_of(app)) == []
    assert "1 of 1 runs couldn't be trained again" in said(app)


@pytest.mark.parametrize(
    ("packed", "byte_total"),
    [
        (b"not packed", 10),
        (zlib.compress(bytes(60_000_000), 9), 60_000_000),
        (zlib.compress(bytes(60_000_000), 9), 100),
        (zlib.compress(b"\xdf\xff\xff\xff\xff"), 5),
    ],
    ids=["no zlib", "zeros", "bomb", "four billion entries"],
)
def test_bombs_and_huge_lengths_are_refused(run: dict[str, Any], packed: bytes, byte_total: int) -> None:
    app = saved(with_counts(run, packed, byte_total))
    assert own_runs(state_of(app)) == []
    assert "Save it again, or count the files again" in said(app)


def test_counts_over_the_limit_are_left_out(run: dict[str, Any]) -> None:
    run["document"]["runs"][0]["counts"]["byte_total"] = 200_000_001
    app = saved(run)
    assert own_runs(state_of(app)) == []
    assert "with 200 MB of pre-token counts each" in said(app)


def test_a_text_that_is_no_part_of_the_counts_is_not_shown(run: dict[str, Any]) -> None:
    text = "a text of another corpus"
    run["texts"] = {text_digest(text.encode()): text}
    run["document"]["runs"][0]["text"]["digest"] = text_digest(text.encode())
    (opened_run,) = state_of(saved(run)).runs
    assert opened_run.corpus.text.startswith("the cat in the hat and on mat.")
    assert opened_run.corpus.part is not None
    assert opened_run.corpus.part.place is None


def test_a_place_beyond_every_file_is_harmless(run: dict[str, Any]) -> None:
    part(file=2**40, offset=2**50)(run)
    (opened_run,) = state_of(saved(run)).runs
    assert opened_run.corpus.text == CAT


def test_a_run_without_counts_and_files_says_what_is_missing(run: dict[str, Any]) -> None:
    del run["document"]["runs"][0]["counts"]
    app = saved(run)
    assert own_runs(state_of(app)) == []
    assert "The files of this corpus aren't here. Start the app with them" in said(app)


def test_every_error_of_reading_is_ours(run: dict[str, Any]) -> None:
    """Any byte of a run file may be another one."""
    data = bytearray(msgspec.json.encode(run))
    for place in range(0, len(data), 41):
        changed = bytes(data[:place]) + bytes([data[place] ^ 0x15]) + bytes(data[place + 1 :])
        with suppress(BpevizError):
            read_session_file(changed)
