"""Tokenizers from the Hub: a small server on this machine answers in its place."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.hub import cached_tokenizers, fetch_tokenizer
from tests.support.hub_server import HubServer, hub_server
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


@pytest.mark.full
def test_a_download_has_a_time(server: HubServer) -> None:
    server.wait.clear()
    waits: list[float] = []
    with pytest.raises(TokenizerFileError, match=r"took more than 0.5 seconds"):
        fetch_tokenizer("org/tiny", MOST, seconds=0.5, on_wait=waits.append)
    assert waits == sorted(waits)
    assert waits[-1] >= 0.5 - 1e-9


@pytest.mark.full
def test_whoever_waits_can_leave(server: HubServer) -> None:
    server.wait.clear()

    def leave(seconds: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_tokenizer("org/tiny", MOST, on_wait=leave)


def test_the_package_is_imported_only_when_it_is_needed() -> None:
    program = "import sys, bpeviz.formats.hub; print('huggingface_hub' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == "False"
