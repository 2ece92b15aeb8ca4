"""Tokenizers from the Hub: a small server on this machine answers in its place."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import get_session

from bpeviz.errors import TokenizerFileError
from bpeviz.formats import hub
from bpeviz.formats.hub import MOST_INFO_BYTES, fetch_tokenizer
from bpeviz.formats.hub_cache import cached_tokenizers
from bpeviz.workers.pool import Pool
from tests.support.hub_server import COMMIT, HubServer, hub_server
from tests.support.inline_workers import work_with
from tests.support.processes import started_by
from tests.support.tokenizer_files import as_file, tiny

(TINY,) = as_file(tiny()).values()
MODELS = {
    "org/tiny": {"README.md": b"#", "tokenizer.json": TINY, "tokenizer.model": b"x"},
    "tiny": {"tekken.json": b"{}", "model.safetensors": b"weights"},
    "org/v3": {"tokenizer.model.v3": b"v3"},
    "org/none": {"config.json": b"{}", "../tokenizer.json": b"x", "sub/tokenizer.json": b"x"},
    "org/gated": {"tokenizer.json": TINY},
}
MOST = 1_000_000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[HubServer]:
    with hub_server(MODELS) as server:
        server.gated = frozenset({"org/gated"})
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
        yield server


def refused(model: str, **more: float) -> str:
    with pytest.raises(TokenizerFileError) as caught:
        fetch_tokenizer(model, MOST, **more)
    assert caught.value.file_name == model
    return caught.value.why


@pytest.mark.parametrize(
    ("model", "name"),
    [("org/tiny", "tokenizer.json"), ("tiny", "tekken.json"), ("org/v3", "tokenizer.model.v3")],
)
def test_the_tokenizer_of_a_model_is_fetched_and_kept_in_the_cache(
    server: HubServer, model: str, name: str
) -> None:
    assert fetch_tokenizer(model, MOST) == {name: MODELS[model][name]}
    assert cached_tokenizers()[model].read_bytes() == MODELS[model][name]
    assert {path.rpartition("/")[2] for path in server.paths if "/resolve/" in path} == {name}


def test_a_shared_server_keeps_nothing_and_gives_its_token_to_nobody(
    server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    fetch_tokenizer("org/tiny", MOST, shared_server=True)
    assert cached_tokenizers() == {}
    assert set(server.tokens) == {""}


def test_a_file_that_is_too_large_is_refused_before_the_download(server: HubServer) -> None:
    server.sizes["tokenizer.json"] = 40 * 2**20
    assert refused("org/tiny") == "tokenizer.json has 40.0 MB; up to 1 MB are read here."
    assert not [path for path in server.paths if "/resolve/" in path]


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("org/unknown", "the Hub has no public model with this id"),
        ("org/gated", "its authors give access on request"),
        ("org/none", "the model has no tokenizer file that bpeviz looks for: tokenizer.json, tekken.json"),
    ],
)
def test_what_cannot_be_fetched_says_why(server: HubServer, model: str, says: str) -> None:
    assert says in refused(model)


def test_a_visitor_of_a_shared_server_is_not_told_to_log_in_there(server: HubServer) -> None:
    with pytest.raises(TokenizerFileError, match=r"on the Hub, then download the file and upload it here\.$"):
        fetch_tokenizer("org/gated", MOST, shared_server=True)


def test_a_hub_in_trouble_says_so(server: HubServer) -> None:
    server.status = 503
    assert "the Hub answered with an error (503)" in refused("org/tiny")


@pytest.mark.parametrize(
    "model",
    ["../x", "a/b/c", "a b", "/etc/passwd", "http://x", "a/..", "a/.b", "x" * 97, "é/x", "a/b?c", "a\n"],
)
def test_what_is_no_model_id_asks_nobody(server: HubServer, model: str) -> None:
    assert "this is not a model id" in refused(model)
    assert server.paths == []


def test_without_a_network_the_page_can_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://localhost:9")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    assert "the Hub can't be reached (" in refused("org/tiny")


INFO, FILE = "/api/models/org/tiny", f"/org/tiny/resolve/{COMMIT}/tokenizer.json"


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_only_the_file_itself_is_kept_whatever_the_hub_calls_it(server: HubServer, tmp_path: Path) -> None:
    server.replies[FILE] = 200, {"ETag": '"../../../etag"', "X-Repo-Commit": "../../../commit"}, TINY
    fetch_tokenizer("org/tiny", MOST)
    assert files_in(tmp_path) == [f"models--org--tiny/snapshots/{COMMIT}/tokenizer.json"]
    server.paths.clear()
    assert fetch_tokenizer("org/tiny", MOST) == {"tokenizer.json": TINY}
    assert server.paths == [INFO]


@pytest.mark.parametrize(
    "sha",
    [
        "../" * 9 + "tmp/written",
        "..",
        "",
        "main",
        COMMIT[:-1],
        COMMIT + "0",
        COMMIT + "\n",
        "É" * 40,
        5,
        None,
    ],
)
def test_a_commit_that_is_none_is_refused(server: HubServer, tmp_path: Path, sha: object) -> None:
    siblings = [{"rfilename": "tokenizer.json", "size": len(TINY)}]
    server.replies[INFO] = 200, {}, json.dumps({"sha": sha, "siblings": siblings}).encode()
    assert "what answers isn't the Hub" in refused("org/tiny")
    assert server.paths == [INFO]
    assert files_in(tmp_path) == []


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{" * 100_000, b"[" * 100_000, b"\xff", b'{"sha": "', b"<html>"]
)
def test_an_answer_that_is_none_of_the_hub_is_refused(server: HubServer, body: bytes) -> None:
    server.replies[INFO] = 200, {}, body
    assert "what answers isn't the Hub" in refused("org/tiny")


def test_what_is_sent_has_a_limit_whatever_was_said(server: HubServer, tmp_path: Path) -> None:
    server.sizes["tokenizer.json"] = len(TINY) - 1
    assert f"sends more than {len(TINY) - 1:,} bytes" in refused("org/tiny")
    server.replies[INFO] = 200, {}, b" " * (MOST_INFO_BYTES + 1)
    assert f"sends more than {MOST_INFO_BYTES:,} bytes" in refused("org/tiny")
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("path", [INFO, FILE])
@pytest.mark.parametrize(
    "place", ["http://localhost:1/x", "https://localhost/x", "//example.org/x", "https://huggingface.co:22/x"]
)
def test_another_place_is_not_asked(server: HubServer, path: str, place: str) -> None:
    server.replies[path] = 302, {"Location": place}, b""
    assert "the Hub leads to another place" in refused("org/tiny")
    assert server.paths[-1] == path


def test_the_hub_may_lead_to_another_path_of_itself(server: HubServer) -> None:
    server.replies["/api/models/org/old"] = 307, {"Location": INFO}, b""
    server.replies[f"/org/old/resolve/{COMMIT}/tokenizer.json"] = (
        302,
        {"Location": f"{server.url}{FILE}"},
        b"",
    )
    assert fetch_tokenizer("org/old", MOST) == {"tokenizer.json": TINY}
    server.replies[INFO] = 307, {"Location": INFO}, b""
    assert "the Hub leads from place to place" in refused("org/old")


@pytest.mark.parametrize(
    ("place", "may"),
    [
        ("https://huggingface.co/a", True),
        ("https://cdn-lfs.hf.co/a", True),
        ("http://huggingface.co/a", False),
        ("https://huggingface.co.example.org/a", False),
        ("https://xhf.co/a", False),
        ("https://hf.co@127.0.0.1/a", False),
        ("https://127.0.0.1/a", False),
        ("file://hf.co/etc/passwd", False),
    ],
)
def test_files_come_from_the_hub_s_own_hosts(place: str, may: bool) -> None:
    session = get_session()
    to, since = (session.build_request("GET", url).url for url in (place, "https://mirror.example.org/x"))
    assert hub._may_follow(to, since) == may


def test_the_token_of_the_person_opens_gated_models(
    server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    fetch_tokenizer("org/tiny", MOST)
    assert set(server.tokens) == {"Bearer hf_secret"}


@pytest.fixture
def pool() -> Iterator[None]:
    made = Pool()
    with work_with(made):
        yield
    made.close()


@pytest.mark.full
@pytest.mark.usefixtures("pool")
def test_a_download_has_a_time(server: HubServer) -> None:
    server.wait.clear()
    waits: list[float] = []
    with pytest.raises(TokenizerFileError, match=r"took more than 0.5 seconds"):
        fetch_tokenizer("org/tiny", MOST, seconds=0.5, on_wait=waits.append)
    assert waits == sorted(waits)
    assert waits[-1] >= 0.5 - 1e-9


@pytest.mark.full
@pytest.mark.usefixtures("pool")
def test_whoever_waits_can_leave_and_nothing_goes_on(server: HubServer) -> None:
    server.wait.clear()

    def leave(seconds: float) -> None:
        if server.paths:
            raise KeyboardInterrupt

    before = set(started_by(os.getpid()))
    with pytest.raises(KeyboardInterrupt):
        fetch_tokenizer("org/tiny", MOST, on_wait=leave)
    assert set(started_by(os.getpid())) <= before


def test_the_package_is_imported_only_when_it_is_needed() -> None:
    program = "import sys, bpeviz.formats.hub; print('huggingface_hub' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == "False"
