"""Limits: which settings the environment may give, and that the pages enforce and state them."""

import ast
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from bpeviz.errors import ServerSettingError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.limits import Limits, Unit, limits, read_limits
from bpeviz.runs.run import NamedText
from bpeviz.sessions.page_fields import Text
from bpeviz.training.settings import CUSTOM_SPLIT, TrainingSettings
from bpeviz.ui.server import upload_guard
from bpeviz.ui.server.long_text import shortened
from bpeviz.ui.session.session import Session
from bpeviz.ui.session_menu import MENU
from tests.support.app_test import (
    compare_of,
    first_error,
    given,
    labelled,
    on_compare_page,
    opened,
    plain,
    typed,
)
from tests.support.paths import ROOT
from tests.support.tokenizer_files import as_file, minbpe_model, split_then_bytes, tiny
from tests.support.trained import run_of
from tools.limits_table import limits_table

LOCAL, HOSTED = read_limits({}), read_limits({"BPEVIZ_HOSTED": "1"})


@pytest.mark.parametrize("value", ["1", "true", "YES", " True "])
def test_a_public_server_is_asked_for_in_several_words(value: str) -> None:
    assert read_limits({"BPEVIZ_HOSTED": value}) == HOSTED
    assert HOSTED.hosted


@pytest.mark.parametrize("value", ["0", "false", "No", ""])
def test_no_public_server_either(value: str) -> None:
    assert read_limits({"BPEVIZ_HOSTED": value}) == LOCAL
    assert not LOCAL.hosted


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("BPEVIZ_HOSTED", "on"),
        ("BPEVIZ_HOSTED", "2"),
        ("BPEVIZ_HUB", "on"),
        ("BPEVIZ_SAVED_MEGABYTES", "0"),
        ("BPEVIZ_SAVED_MEGABYTES", "-1"),
        ("BPEVIZ_SAVED_MEGABYTES", "1,000"),
        ("BPEVIZ_SAVED_MEGABYTES", ""),
        ("BPEVIZ_SAVED_DAYS", "a week"),
        ("BPEVIZ_SAVED_DAYS", "1000001"),
        ("BPEVIZ_SAVED_DAYS", "9" * 5000),
        ("BPEVIZ_SAVED_DAYS", "٣"),
    ],
)
def test_a_value_that_says_nothing_is_refused_with_what_may_stand_there(variable: str, value: str) -> None:
    with pytest.raises(ServerSettingError, match=r"Write (1|a whole number)") as caught:
        read_limits({variable: value})
    assert str(caught.value).startswith(f"The environment variable {variable} is {repr(value)[:40]}")


def test_saved_sessions_have_limits_of_their_own_choosing() -> None:
    asked = read_limits({"BPEVIZ_HOSTED": "1", "BPEVIZ_SAVED_MEGABYTES": "300", "BPEVIZ_SAVED_DAYS": "7"})
    assert (asked.total_saved_bytes, asked.saved_age_days) == (300_000_000, 7)


def test_a_public_server_asks_the_hub_only_if_it_is_switched_on() -> None:
    assert [most.hub for most in (LOCAL, HOSTED)] == [True, False]
    assert read_limits({"BPEVIZ_HOSTED": "1", "BPEVIZ_HUB": "1"}).hub
    assert not read_limits({"BPEVIZ_HUB": "0"}).hub


def test_a_public_server_gives_nobody_more_than_a_server_of_ones_own() -> None:
    for field in fields(Limits):
        if field.name != "hosted":
            assert getattr(HOSTED, field.name) <= getattr(LOCAL, field.name)


def test_every_limit_says_what_it_limits_and_in_which_unit() -> None:
    for field in fields(Limits):
        assert set(field.metadata) == {"label", "unit", "hosted"}, f"write {field.name} as the others are"
        assert field.metadata["label"].strip()
        assert field.metadata["unit"] in get_args(Unit)
    assert len({field.metadata["label"] for field in fields(Limits)}) == len(fields(Limits))


def test_the_page_about_serving_lists_every_limit() -> None:
    written = (ROOT / "docs" / "serving.md").read_text("utf-8")
    assert f"\n\n{limits_table()}\n\n" in written, "copy what python -m tools.limits_table prints"


def test_the_table_writes_each_value_in_its_unit() -> None:
    table = limits_table().splitlines()
    assert "| text to train on or to compare on | 8 MB | 2 MB |" in table
    assert "| merges of one training | 20,000 | 5,000 |" in table
    assert "| one uploaded file of a tokenizer or a saved session | 64 MiB | 32 MiB |" in table


def test_one_server_takes_what_one_page_takes() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["server"]
    assert config["maxUploadSize"] * 2**20 == LOCAL.largest_upload_bytes
    assert config["maxWidgetStateSize"] * 1_000_000 == LOCAL.max_state_bytes > 3 * LOCAL.max_text_bytes
    assert HOSTED.max_state_bytes > 3 * HOSTED.max_text_bytes
    assert config["maxMessageSize"] * 1_000_000 > 10 * LOCAL.max_text_bytes  # two runs, five bytes a byte


def test_a_public_page_states_its_limits_and_holds_them(hosted: Limits) -> None:
    app = opened()
    assert any("Files up to 2 MB in UTF-8." in caption.value for caption in app.caption)
    merges = labelled(app.number_input, "Merges")
    assert merges.max == hosted.max_merges == 5_000
    given(app, NamedText("pasted text", "word " * (hosted.max_text_bytes // 5 + 1)))
    assert "takes up to 2 MB" in first_error(app)


def test_a_typed_text_over_the_limit_is_not_kept_on_the_compare_page(hosted: Limits) -> None:
    app = on_compare_page(opened())
    typed(app, "the cat")
    app.text_area(key="compare_typed").set_value("x" * (hosted.max_typed_bytes + 1)).run()
    assert "1,000,001 bytes, 1 too many: up to 1,000,000" in first_error(app)
    app.text_area(key="compare_typed").set_value(shortened("x" * 24_000_000, hosted.max_text_bytes)).run()
    assert "24,000,000 bytes, 23,000,000 too many: up to 1,000,000" in first_error(app)
    assert compare_of(app.session_state["session"]).saved.text.typed == Text("the cat")


@pytest.mark.parametrize("sizes", [[2_000_001], [1_000_000, 1_000_001]], ids=["one", "two"])
def test_uploads_over_the_limit_together_are_refused_before_they_are_read(
    hosted: Limits, sizes: list[int]
) -> None:
    app = opened()
    files = [(f"{i}.txt", b"\xff" * size, "text/plain") for i, size in enumerate(sizes)]
    assert app.file_uploader(key="dropped-0").proto.max_upload_size_mb == 2
    app.file_uploader(key="dropped-0").set_value(files).run()
    told = " ".join(plain(box.value) for box in (*app.error, *app.warning, *app.info))
    assert "This text has 2,000,001 bytes; the page takes up to 2 MB" in told
    assert app.session_state["session"].form.wanted is None


def test_every_upload_field_says_how_large_a_file_may_be() -> None:
    """A browser then refuses a larger file before it sends it; without, it would say Streamlit's 200 MB."""
    calls = {
        f"{path.name}:{node.lineno}": {keyword.arg for keyword in node.keywords}
        for path in Path(upload_guard.__file__).parents[1].rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.file_uploader"
    }
    assert len(calls) > 4
    assert [place for place, given in calls.items() if "max_upload_size" not in given] == []


def test_the_field_for_a_session_takes_what_the_page_opens(hosted: Limits) -> None:
    app = opened()
    app.session_state[MENU] = True
    field = app.run().file_uploader(key="session_file")
    assert field.proto.max_upload_size_mb * 2**20 == hosted.max_upload_bytes


def test_a_server_with_a_setting_that_says_nothing_says_so_on_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BPEVIZ_HOSTED", "perhaps")
    limits.cache_clear()
    app = opened()
    limits.cache_clear()
    assert "BPEVIZ" in app.error[0].value
    assert not app.exception
    assert not app.button


def test_a_public_page_keeps_fewer_runs(hosted: Limits) -> None:
    state = Session()
    for i in range(6):
        state.show(run_of(NamedText("text", f"the cat in the hat {i} " * 3), TrainingSettings()))
    assert len(state.runs) == hosted.kept_runs == 4


def test_a_pattern_on_a_public_page_has_less_time_in_training_and_in_files(hosted: Limits) -> None:
    settings = TrainingSettings(split=CUSTOM_SPLIT, custom_pattern=r"\w+|\W+")
    assert hosted.split_timeout_seconds == 2
    run = run_of(NamedText("text", "the cat in the hat " * 3), settings)
    assert run.split.timeout_seconds == run.tokenizer.after(1).split.timeout_seconds == 2


@pytest.mark.parametrize("length", [1_000, 600_000])  # the longer one trains in another process
def test_a_pattern_of_a_run_keeps_its_limit_in_another_process(hosted: Limits, length: int) -> None:
    settings = TrainingSettings(split=CUSTOM_SPLIT, custom_pattern=r"\w+|\W+", num_merges=2)
    run = run_of(NamedText("text", "ab cd " * (length // 6)), settings)
    assert run.split.timeout_seconds == run.tokenizer.split.timeout_seconds == 2


@pytest.mark.parametrize(
    "files",
    [
        minbpe_model("97 98", pattern="[a-z]+|[^a-z]+"),
        as_file(tiny({("pre_tokenizer",): split_then_bytes({"Regex": "[a-z]+|[^a-z]+"})})),
    ],
    ids=["minbpe", "huggingface"],
)
def test_a_pattern_of_a_file_has_the_limit_that_its_reader_gives(files: dict[str, bytes]) -> None:
    assert read_tokenizer(files, split_timeout=0.5).split.timeout_seconds == 0.5
    assert read_tokenizer(files).split.timeout_seconds == 10


def test_a_named_pattern_keeps_its_own_limit() -> None:
    assert read_tokenizer(as_file(tiny()), split_timeout=0.5).split.timeout_seconds == 10
