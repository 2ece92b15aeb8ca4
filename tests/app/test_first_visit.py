"""The page that a new session opens with: a sample's run, and a field for one's own text."""

import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Barrier
from typing import Any, NoReturn

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from bpeviz.errors import SplitPatternBusyError
from bpeviz.formats.pretrained import load_pretrained
from bpeviz.limits import limits
from bpeviz.runs import samples
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import FIRST_STEP, FIRST_STOP, first_run
from bpeviz.runs.typed_text import MOST_TYPED_BYTES, token_row
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.kit import training_bar
from bpeviz.ui.kit.text_box import read_text
from bpeviz.ui.session.form import YOUR_TEXT
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch import text_menu
from bpeviz.ui.watch.text_menu import RETRAINED_BYTES, your_text_panel
from tests.support.app_test import (
    CAT,
    address_of,
    drawn,
    opened,
    plain,
    shown_run,
    state_of,
    watch_of,
    with_run,
)
from tests.support.paths import APP
from tests.support.player_page import read_pack
from tests.support.trained import run_of

GPT2 = load_pretrained("gpt2")
#: Takes twice the time for each "a" that no "b" follows.
SLOW = r"(?:a|aa)+b|[\s\S]"


def first_visit() -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60).run()
    assert not app.exception
    return app


def type_text(app: AppTest, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Type into the field beside the player; AppTest has no components."""
    monkeypatch.setattr(text_menu, "session", lambda: state_of(app))
    text_menu._note(text)


def test_a_first_visit_shows_the_run_of_a_sample_and_saves_nothing() -> None:
    app = first_visit()
    assert state_of(app).run is first_run()
    app.run()
    assert address_of(app) == ""


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("x.bin", b"ab\xff", "x.bin is not UTF-8"),
        ("x.txt", b"", "x.txt is empty. Choose a file with text."),
    ],
)
def test_a_dropped_file_without_a_text_is_named_and_the_run_stays(name: str, data: bytes, says: str) -> None:
    app = first_visit()
    app.file_uploader(key="dropped-0").set_value([(name, data, "text/plain")]).run()
    assert not app.exception
    assert says in plain(app.error[0].value)
    assert state_of(app).run is first_run()


def refused() -> AppTest:
    """A page that says in red why it can't use a dropped file."""
    app = first_visit()
    app.file_uploader(key="dropped-0").set_value([("x.bin", b"ab\xff", "text/plain")]).run()
    (said,) = app.error
    assert "x.bin is not UTF-8" in plain(said.value)
    assert not app.info
    assert "x.bin" in plain(app.run().error[0].value)
    return app


@pytest.mark.parametrize("text", [CAT, "abc"])
def test_a_good_run_clears_the_error_about_a_file(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = refused()
    type_text(app, monkeypatch, text)
    app.run()
    assert shown_run(state_of(app)).corpus.text == text
    assert not app.error


def test_a_sample_clears_the_error_about_a_file() -> None:
    app = refused()
    app.button(key="sample-German-1").click().run()
    assert shown_run(state_of(app)).corpus.name == "German"
    assert not app.error


def test_a_good_file_clears_the_error_about_another_and_a_bad_one_replaces_it() -> None:
    app = refused()
    app.file_uploader(key="dropped-1").set_value([("y.bin", b"\xff", "text/plain")]).run()
    (said,) = app.error
    assert "y.bin is not UTF-8" in plain(said.value)
    app.file_uploader(key="dropped-2").set_value([("cat.txt", CAT.encode(), "text/plain")]).run()
    assert shown_run(state_of(app)).corpus.name == "cat.txt"
    assert not app.error


def test_another_page_and_the_button_clear_the_error() -> None:
    app = refused()
    state_of(app).page = "compare"  # as if the person came from there
    assert not app.run().error
    app = refused()
    app.button(key="close_problem").click().run()
    assert not app.error


def test_a_good_run_clears_the_error_of_a_training_in_the_background() -> None:
    state = with_run()
    state.training.failed = "The process ended early."
    state.show(run_of(NamedText("more", CAT * 2), TrainingSettings()))
    assert state.training.failed == ""


def test_visitors_who_come_at_once_open_with_the_same_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "_train_first_run", cache(samples._train_first_run.__wrapped__))
    all_here = Barrier(4)

    def visit(_: int) -> int:
        all_here.wait()
        return id(first_run())

    with ThreadPoolExecutor(4) as visitors:
        assert len(set(visitors.map(visit, range(4)))) == 1


def test_it_opens_at_a_step_where_words_show_and_plays_to_a_later_one() -> None:
    state = state_of(first_visit())
    assert (state.step, state.start) == (FIRST_STEP, FIRST_STEP) == (36, 36)
    assert watch_of(state).packed is not None
    header = read_pack(watch_of(state).packed[1])
    assert (header["start"], header["autoplay"], header["until"]) == (36, 4, FIRST_STOP)
    assert FIRST_STOP == 60 <= header["num_merges"]


def test_a_step_is_looked_at_without_saving() -> None:
    app = first_visit()
    state_of(app).step = 40
    assert address_of(app.run()) == ""


def test_a_changed_setting_of_the_sample_is_saved_with_the_sample_beside_it() -> None:
    app = first_visit()
    next(box for box in app.selectbox if box.label == "Recipe").set_value("minbpe").run()
    state = state_of(app)
    assert shown_run(state).recipe.name == "minbpe"
    assert state.run_beside is not None
    assert state.run_beside.steps == first_run().steps
    assert address_of(app) != ""


def test_all_sessions_open_with_the_same_run() -> None:
    assert state_of(first_visit()).run is state_of(first_visit()).run


def test_the_first_own_text_takes_the_place_of_the_sample() -> None:
    state = Session()
    state.open_with(first_run())
    state.show(run_of(NamedText("cats", CAT), TrainingSettings()))
    assert [run.corpus.name for run in state.runs] == ["cats"]


def test_a_sample_with_a_fork_stays_when_another_text_is_trained_on() -> None:
    state = Session()
    state.open_with(first_run())
    state.show(run_of(first_run().corpus, TrainingSettings("minbpe")))
    state.show(run_of(NamedText("cats", CAT), TrainingSettings()))
    assert [run.corpus.name for run in state.runs] == ["English prose", "English prose", "cats"]


def test_a_short_typed_text_is_kept_and_trained_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = first_visit()
    type_text(app, monkeypatch, CAT)
    app.run()
    assert address_of(app) != ""
    assert shown_run(state_of(app)).corpus == NamedText(YOUR_TEXT, CAT)


def test_a_longer_typed_text_is_kept_and_trained_on_only_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    app = first_visit()
    text = CAT * (RETRAINED_BYTES // len(CAT) + 1)
    type_text(app, monkeypatch, text)
    app.run()
    assert state_of(app).run is first_run()
    assert address_of(app) != ""
    text_menu._watch(text)
    app.run()
    assert shown_run(state_of(app)).corpus == NamedText(YOUR_TEXT, text)


def test_a_watched_text_plays_its_first_merges_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    app = first_visit()
    type_text(app, monkeypatch, CAT)
    app.run()
    state = state_of(app)
    state.step = 5

    def played() -> tuple[int, int, int | None]:
        header = read_pack(packed_of(app))
        return header["start"], header["autoplay"], header["until"]

    assert played() == (0, 0, None)
    text_menu._watch(CAT)  # trained on already
    app.run()
    assert (played(), state.step) == ((0, 4, len(shown_run(state).steps)), 0)
    first = packed_of(app)
    app.run()
    assert packed_of(app) is first  # it does not play again
    text_menu._watch(CAT + "the cats and the hats")
    app.run()
    assert shown_run(state).corpus.text.endswith("hats")
    assert played() == (0, 4, min(24, len(shown_run(state).steps)))


def packed_of(app: AppTest) -> bytes:
    packed = watch_of(state_of(app)).packed
    assert packed is not None
    return packed[1]


def test_the_run_on_the_field_trains_again_while_a_person_types(monkeypatch: pytest.MonkeyPatch) -> None:
    app = first_visit()
    type_text(app, monkeypatch, CAT)
    text_menu._watch(CAT)
    app.run()
    type_text(app, monkeypatch, CAT + " and more cats and more hats")
    app.run()
    state = state_of(app)
    assert shown_run(state).corpus.text.endswith("more hats")
    assert len(state.runs) == 1
    type_text(app, monkeypatch, CAT * (RETRAINED_BYTES // len(CAT) + 1))
    app.run()
    assert shown_run(state).corpus.text.endswith("more hats")


def test_a_custom_pattern_trains_only_when_the_person_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    state = with_run(split="custom", custom_pattern=r"\w+|\W", num_merges=3)
    monkeypatch.setattr(text_menu, "session", lambda: state)
    state.show(run_of(NamedText(YOUR_TEXT, CAT), state.form.settings))
    state.form.typed = CAT
    shown = shown_in_box(drawn(your_text_panel, state, state=state))
    assert shown["retrained"] == 0
    text_menu._note(CAT + "x")
    assert state.form.wanted is None
    shown = shown_in_box(drawn(your_text_panel, state, state=state))
    assert shown["text"] == CAT + "x"
    text_menu._watch(CAT + "x")
    assert state.form.wanted == NamedText(YOUR_TEXT, CAT + "x")


def test_a_text_too_long_to_train_again_as_one_types_can_be_trained_on() -> None:
    state = with_run()
    state.show(run_of(NamedText(YOUR_TEXT, CAT), TrainingSettings()))
    state.form.typed = CAT * (RETRAINED_BYTES // len(CAT) + 1)
    shown = shown_in_box(drawn(your_text_panel, state, state=state))
    assert shown["retrained"] == RETRAINED_BYTES


def test_a_page_that_was_not_drawn_to_its_end_is_drawn_whole_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser would otherwise never be told to remember the session, for example."""
    assert state_of(first_visit()).drawn
    monkeypatch.setattr("bpeviz.ui.page.remember", lambda _: st.stop())
    assert not state_of(first_visit()).drawn


def test_no_part_of_the_page_runs_alone_once_a_run_of_the_whole_page_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A report of the player that ends this run would otherwise lose what the page was to do: train a typed
    text, for example, or show the bar of a training."""
    app = first_visit()
    assert state_of(app).drawn
    seen = []
    monkeypatch.setattr("bpeviz.ui.page.limits", lambda: seen.append(state_of(app).drawn) or limits())
    app.run()
    assert seen[0] is False


def test_no_part_of_the_page_runs_alone_once_a_person_changed_what_the_whole_page_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Streamlit may end the run of the page before its first line, for a report that came right after."""
    app = first_visit()
    seen = []
    monkeypatch.setattr("bpeviz.ui.page.show_page", lambda: seen.append(state_of(app).drawn))
    app.button(key="own_text").click().run()
    assert seen == [False]


def test_a_typed_text_that_can_not_train_yet_shows_a_bar_and_the_way_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = first_visit()
    type_text(app, monkeypatch, CAT)
    text_menu._watch(CAT)
    monkeypatch.setattr(training_bar, "BAR_AFTER_SECONDS", 0.0)

    def stopped(*_: object) -> NoReturn:
        raise RuntimeError("the picture at this moment")

    monkeypatch.setattr("bpeviz.runs.run_training.train_here", stopped)
    app.run()
    assert [button.label for button in app.button if button.key == "cancel"] == ["Cancel"]
    assert state_of(app).form.wanted == NamedText(YOUR_TEXT, CAT)
    monkeypatch.undo()
    app.button(key="cancel").click().run()
    assert (state_of(app).form.wanted, state_of(app).training.wanted) == (None, None)
    assert state_of(app).run is first_run()


def test_a_typed_text_without_a_pair_takes_the_place_of_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    app = first_visit()
    type_text(app, monkeypatch, CAT)
    text_menu._watch(CAT)
    app.run()
    text_menu._note("abc")
    app.run()
    shown = shown_in_box(app)
    assert (shown["text"], shown["problem"]) == ("abc", "")
    assert shown["rows"][-1]["tokens"] == ["61", "62", "63"]
    assert shown_run(state_of(app)).corpus.text == "abc"
    assert len(state_of(app).runs) == 1
    assert "No pair occurs 2 times, so nothing is merged." in [
        plain(caption.value) for caption in app.caption
    ]
    text_menu._note("banana")
    app.run()
    assert (shown_run(state_of(app)).corpus.text, state_of(app).step) == ("banana", 0)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "This text allows 17 merges."),
        ({"merges": "3", "size": "999"}, ":orange[259 of 999 tokens: reached the requested 3 merges]"),
    ],
)
def test_only_an_end_that_another_setting_causes_is_orange(asked: dict[str, str], says: str) -> None:
    app = opened(text=CAT, **asked)
    assert says in [plain(caption.value) for caption in app.caption]


def shown_in_box(app: AppTest) -> dict[str, Any]:
    """What the text box shows."""
    (shown,) = [c.proto.json for c in app.get("bidi_component") if '"retrained"' in c.proto.json]
    data: dict[str, Any] = json.loads(shown)
    return data


def test_a_text_that_the_field_does_not_take_is_not_tokenized() -> None:
    state = with_run()
    state.form.typed = "a" * (MOST_TYPED_BYTES + 1)
    shown = shown_in_box(drawn(your_text_panel, state, state=state))
    assert (shown["text"], shown["rows"]) == ("", [])


def test_a_text_is_tokenized_once_however_often_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    state = with_run()
    state.form.typed = "the hat"
    encoded: list[str] = []
    encode = Tokenizer.encode_ordinary
    monkeypatch.setattr(
        Tokenizer, "encode_ordinary", lambda self, text: encoded.append(text) or encode(self, text)
    )
    app = drawn(your_text_panel, state, state=state)
    shown = shown_in_box(app)
    assert ([row["name"] for row in shown["rows"]], len(encoded)) == (["GPT-2", "o200k", "cats"], 3)
    assert shown_in_box(app.run()) == shown
    assert len(encoded) == 3
    state.form.typed = "the cat"
    app.run()
    assert encoded == ["the hat"] * 3 + ["the cat"] * 3


def test_a_split_pattern_that_is_slow_on_the_text_has_a_moment_and_the_row_says_so() -> None:
    state = with_run("ab aab b " * 9, split="custom", custom_pattern=SLOW, num_merges=3)
    state.form.typed = "a" * 40
    *known, of_run = shown_in_box(drawn(your_text_panel, state, state=state))["rows"]
    assert [(row["name"], row["missing"]) for row in known] == [("GPT-2", ""), ("o200k", "")]
    assert of_run["name"] == "cats"
    assert of_run["missing"].startswith(
        "Not counted. The split pattern took more than 0.2 seconds on this text."
    )


def test_a_character_that_the_run_has_no_token_for_is_named_in_its_row() -> None:
    row = token_row("this run", shown_run(with_run(recipe="course")).tokenizer, "日")
    assert (row.token_total, row.tokens) == (0, ())
    assert row.missing.startswith("Not counted. The base vocabulary has no symbol for '日' (U+65E5)")


def test_a_row_that_could_not_be_counted_now_is_counted_later(monkeypatch: pytest.MonkeyPatch) -> None:
    state = with_run(split="custom", custom_pattern=r"later|\w+|\W", num_merges=3)
    state.form.typed = "the hat"
    with monkeypatch.context() as busy:
        busy.setattr(SplitPattern, "split", no_process)
        app = drawn(your_text_panel, state, state=state)
    assert shown_in_box(app)["rows"][-1]["missing"] == "Not counted. Try again in a moment."
    assert shown_in_box(app.run())["rows"][-1]["missing"] == ""


def no_process(self: SplitPattern, text: str, **limits: float) -> list[str]:
    raise SplitPatternBusyError("Try again in a moment.", pattern=self.regex or "")


def test_the_rows_are_the_tokens_of_each_tokenizer() -> None:
    text = "the hat, 日本 🐈"
    gpt2, sample = token_row("GPT-2", GPT2, text), token_row("sample", first_run().tokenizer, text)
    assert b"".join(gpt2.tokens).decode() == b"".join(sample.tokens).decode() == text
    assert (gpt2.token_total, list(gpt2.tokens)) == (
        len(GPT2.encode(text)),
        [GPT2.token_bytes(token_id) for token_id in GPT2.encode(text)],
    )


@pytest.mark.parametrize(
    "state",
    [None, {}, {"typed": 3}, {"typed": {"text": 3}}, {"typed": {"text": "a" * (MOST_TYPED_BYTES + 1)}}],
)
def test_a_report_that_the_field_never_sends_is_left_out(state: object) -> None:
    assert read_text(state, "typed") is None
    assert read_text({"typed": {"text": "é"}}, "typed") == "é"


def test_a_typed_text_that_cannot_be_trained_on_says_so_in_its_field_and_the_run_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = first_visit()
    type_text(app, monkeypatch, CAT)
    text_menu._watch(CAT)
    app.run()
    before = shown_run(state_of(app))
    state_of(app).form.settings = TrainingSettings(max_token_length=0)
    text_menu._note("b")
    app.run()
    assert "max_token_length" in shown_in_box(app)["problem"]
    assert shown_run(state_of(app)) is before
    assert not app.error
    text_menu._note("banana")
    app.run()
    assert shown_in_box(app)["problem"] == ""
    assert shown_run(state_of(app)).corpus.text == "banana"


@pytest.mark.parametrize(("step", "then"), [(0, 0), (2, 2), (7, 9)])
def test_the_step_stays_while_a_text_is_typed_and_the_end_stays_the_end(step: int, then: int) -> None:
    state = Session()
    state.show(run_of(NamedText(YOUR_TEXT, "the cat in the hat " * 3), TrainingSettings(num_merges=7)))
    state.step = step
    state.show(
        run_of(NamedText(YOUR_TEXT, "the cat in the hat on the mat " * 3), TrainingSettings(num_merges=9))
    )
    assert state.step == then


def test_a_run_on_another_text_begins_before_its_first_merge() -> None:
    state = Session()
    state.show(run_of(NamedText("cats", CAT), TrainingSettings()))
    state.step = 5
    state.show(run_of(NamedText(YOUR_TEXT, CAT * 2), TrainingSettings()))
    assert state.step == 0
