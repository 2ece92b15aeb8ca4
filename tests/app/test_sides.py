"""The field that picks a tokenizer: its groups, the models on this machine, and getting one from the Hub."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.known_models import KNOWN_MODELS
from bpeviz.limits import Limits, limits
from bpeviz.ui.compare.add_tokenizer import tokenizer_upload
from bpeviz.ui.kit import tokenizer_sources
from bpeviz.ui.kit.pick_side import pick_side
from bpeviz.ui.kit.tokenizer_sources import get_side, side_names
from bpeviz.ui.session.describe import describe
from bpeviz.ui.session.saving_state import Digests
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import UploadedTokenizer
from tests.support.app_test import captions, compare_of, drawn, first_error, labelled, with_run
from tests.support.hub_server import HubServer, hub_server
from tests.support.tokenizer_files import as_file, ranks, tiny

(TINY,) = as_file(tiny()).values()
(RANKS,) = ranks({b"ab": 256}).values()
MODELS = {"org/tiny": {"tokenizer.json": TINY}, "org/ranks": {"tokenizer.model": RANKS}, "org/none": {}}


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A cache with two models: a whole file, and ranks that say no split pattern."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(tokenizer_sources, "LISTED_SECONDS", 1e-9)
    for model, name, data in (("a--tiny", "tokenizer.json", TINY), ("b--ranks", "tokenizer.model", RANKS)):
        file = tmp_path / f"models--{model}" / "snapshots" / "abc" / name
        file.parent.mkdir(parents=True)
        file.write_bytes(data)
    return tmp_path


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with hub_server(MODELS) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        yield server


def picker(state: Session) -> AppTest:
    return drawn(pick_side, state, state=state, label="Tokenizer", slot="left")


def test_the_list_has_runs_files_built_in_ones_those_of_this_machine_and_those_of_the_hub() -> None:
    state = with_run()
    uploaded = UploadedTokenizer.of(as_file(tiny()), None)
    state.tokenizers.add(uploaded, uploaded.read())
    assert picker(state).selectbox[0].options == [
        "cats",
        "tokenizer.json · your file",
        "GPT-2",
        "cl100k_base",
        "o200k_base",
        "a/tiny · on this machine",
        "b/ranks · on this machine",
        *(f"{name} · from the Hub" for name in KNOWN_MODELS),
    ]


def test_a_model_of_this_machine_is_read_when_it_is_picked() -> None:
    state = Session()
    app = picker(state)
    assert state.tokenizers.opened == {}
    app.selectbox[0].select("cache-a/tiny").run()
    assert not app.error
    assert get_side(state, "cache-a/tiny").tokenizer.encode("ab ab") == [4, 5]
    assert get_side(state, "cache-a/tiny").name == "a/tiny"


def test_ranks_of_this_machine_ask_for_their_split_pattern_and_the_choice_is_saved() -> None:
    state = Session()
    app = picker(state)
    app.selectbox[0].select("cache-b/ranks").run()
    assert not app.error
    with pytest.raises(TokenizerFileError, match="doesn't say how texts are split"):
        get_side(state, "cache-b/ranks")
    assert "choose the pattern of its model" in captions(app)
    field = labelled(app.selectbox, "Split pattern")
    assert field.value is None
    assert "o200k — GPT-4o, gpt-oss, Llama 4" in field.options
    field.select("o200k").run()
    assert not app.error
    assert get_side(state, "cache-b/ranks").tokenizer.split.name == "o200k"
    labelled(app.selectbox, "Split pattern").select("gpt2").run()
    assert get_side(state, "cache-b/ranks").tokenizer.split.name == "gpt2"
    document, _ = describe(state, Digests())
    assert document.splits == {"cache-b/ranks": "gpt2"}
    assert document.sides == {"left": "cache-b/ranks"}


def test_a_model_of_this_machine_never_stands_for_a_built_in_one(cache: Path) -> None:
    file = cache / "models--gpt2" / "snapshots" / "abc" / "tokenizer.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(TINY)
    state = Session()
    assert len(get_side(state, "gpt2").tokenizer.merges) == 50_000
    assert len(get_side(state, "cache-gpt2").tokenizer.merges) == 2


def test_a_session_holds_six_models_of_this_machine_and_all_its_files(cache: Path) -> None:
    for n in range(8):
        file = cache / f"models--m{n}" / "snapshots" / "abc" / "tokenizer.json"
        file.parent.mkdir(parents=True)
        file.write_bytes(TINY)
    state = Session()
    uploaded = UploadedTokenizer.of(as_file(tiny()), None)
    key = state.tokenizers.add(uploaded, uploaded.read())
    for n in (0, 1, 2, 3, 4, 0, 5, 6, 7):
        assert get_side(state, f"cache-m{n}").tokenizer.encode("ab") == [4]
    assert list(state.tokenizers.opened) == [key, *(f"cache-m{n}" for n in (3, 4, 0, 5, 6, 7))]


def test_a_model_that_is_gone_is_no_choice_any_more(cache: Path) -> None:
    state = Session()
    state.tokenizers.picked["left"] = "cache-a/tiny"
    (cache / "models--a--tiny" / "snapshots" / "abc" / "tokenizer.json").unlink()
    app = picker(state)
    assert not app.error
    assert "a/tiny · on this machine" not in app.selectbox[0].options


def test_a_damaged_file_of_this_machine_says_so(cache: Path) -> None:
    (cache / "models--a--tiny" / "snapshots" / "abc" / "tokenizer.json").write_text("{")
    state = Session()
    state.tokenizers.picked["left"] = "cache-a/tiny"
    assert "not valid JSON" in first_error(picker(state))


def test_a_public_server_lists_nothing_of_its_machine_and_asks_no_hub(hosted: Limits) -> None:
    assert list(side_names(Session()).values()) == ["GPT-2", "cl100k_base", "o200k_base"]
    app = drawn(tokenizer_upload, Session(), state=Session())
    assert "Get from the Hub" not in [button.label for button in app.button]


def from_hub(state: Session, model: str) -> AppTest:
    app = drawn(tokenizer_upload, state, state=state)
    app.text_input(key="hub_model").set_value(model)
    return labelled(app.button, "Get from the Hub").click().run()


def test_a_tokenizer_from_the_hub_is_one_of_your_files(server: HubServer) -> None:
    state = Session()
    app = from_hub(state, " org/tiny ")
    assert not app.exception
    assert not app.error
    assert side_names(state)["file-1"] == "org/tiny"
    assert compare_of(state).saved.others == ("file-1",)
    assert get_side(state, "file-1").tokenizer.encode("ab ab") == [4, 5]
    assert "org/tiny" in side_names(state).values()


def test_ranks_from_the_hub_ask_for_their_split_pattern(server: HubServer) -> None:
    state = Session()
    app = from_hub(state, "org/ranks")
    labelled(app.selectbox, "Split pattern").select("o200k").run()
    (key,) = state.tokenizers.files
    assert get_side(state, key).tokenizer.split.name == "o200k"


def test_the_hub_says_what_is_wrong(server: HubServer) -> None:
    state = Session()
    assert "org/unknown: the Hub has no public model with this id" in first_error(
        from_hub(state, "org/unknown")
    )
    assert "No model: this is not a model id" in first_error(from_hub(state, ""))
    server.sizes["tokenizer.json"] = limits().max_upload_bytes + 1
    assert "up to 64 MB are read here" in first_error(from_hub(state, "org/tiny"))
    assert state.tokenizers.files == {}


def test_a_public_server_may_switch_the_hub_on(
    server: HubServer, hosted: Limits, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    monkeypatch.setenv("BPEVIZ_HUB", "1")
    limits.cache_clear()
    before = list(cache.iterdir())
    state = Session()
    assert not from_hub(state, "org/tiny").error
    assert side_names(state)["file-1"] == "org/tiny"
    assert list(cache.iterdir()) == before
