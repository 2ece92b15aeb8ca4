"""The check of a person's own pattern, without a browser: what it says; tests/browser types."""

import json
from functools import partial
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.errors import SplitPatternBusyError
from bpeviz.text import split_patterns
from bpeviz.text.pattern_tasks import check_pattern
from bpeviz.training.recipes import RECIPES
from bpeviz.ui.kit import pattern_check
from bpeviz.ui.kit.pattern_check import _formats, typed_pattern
from tests.support.app_test import CAT, labelled, opened, pasted, press, state_of
from tests.support.inline_workers import work_with
from tests.support.worker_tasks import FailingWorkers


def with_pattern(app: AppTest, pattern: str) -> AppTest:
    app = labelled(app.selectbox, "Split pattern").set_value("custom").run()
    app = labelled(app.text_input, "Custom pattern").set_value(pattern).run()
    assert not app.exception
    return app


def checked(app: AppTest) -> dict[str, Any]:
    """What the component of the check shows."""
    (shown,) = [c.proto.json for c in app.get("bidi_component") if '"said"' in c.proto.json]
    packed: dict[str, Any] = json.loads(shown)
    return packed


def test_only_an_own_pattern_is_checked_and_an_empty_one_is_asked_for() -> None:
    app = opened()
    assert not [c for c in app.get("bidi_component") if '"said"' in c.proto.json]
    shown = checked(with_pattern(app, ""))
    assert (shown["said"], shown["bad"]) == ("Type a pattern: you see here how it cuts your text.", False)


def test_gaps_are_named_and_the_catch_all_closes_them() -> None:
    app = with_pattern(pasted("the cat, the 灯\n"), "[a-z]+")
    shown = checked(app)
    assert shown["said"] == "Misses 6 characters, such as ␣, ,, 灯. A pattern must cover every character."
    assert shown["bad"]
    assert [(text, covered) for text, _, covered in shown["pieces"]] == [
        ("the", True),
        ("␣", False),
        ("cat", True),
        (",␣", False),
        ("the", True),
        ("␣灯⏎", False),
    ]
    app = press(app, r"Add a catch\-all\: \|\[\\s\\S\]")
    assert labelled(app.text_input, "Custom pattern").value == r"[a-z]+|[\s\S]"
    assert checked(app)["said"] == "9 pre-tokens. The pattern covers every character."
    assert not [button for button in app.button if "catch" in button.label]
    assert state_of(app).form.settings.custom_pattern == r"[a-z]+|[\s\S]"


def test_a_pattern_that_does_not_compile_says_so_before_anybody_trains() -> None:
    shown = checked(with_pattern(opened(), "("))
    assert shown["said"].startswith("The split pattern does not compile: ")
    assert (shown["bad"], shown["pieces"], shown["formats"]) == (True, [], "")


def test_a_pattern_that_is_too_long_keeps_nothing_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    app = with_pattern(opened(), r"\w+|\W")
    typed = partial(typed_pattern, {"typed": "a" * 501})
    monkeypatch.setattr(pattern_check, "typed_pattern", lambda _, most: typed(most))
    shown = checked(app.run())
    assert shown["said"] == "The custom split pattern has 501 characters; the limit is 500."
    assert (shown["bad"], shown["pieces"], shown["formats"]) == (True, [], "")


def test_the_shown_run_is_what_a_changed_pattern_is_tried_on() -> None:
    shown = checked(with_pattern(pasted(CAT), r"\w+|\W"))
    assert not shown["bad"]
    assert CAT.startswith(shown["pieces"][0][0])


def test_a_long_text_is_checked_at_its_beginning() -> None:
    said = checked(with_pattern(pasted("a b " * 6_000), "[a-z]"))["said"]
    assert said.startswith("Misses 10,000 characters of the first 20,000, such as ␣.")


def test_the_formats_that_can_hold_the_pattern_are_named_with_why_others_cannot() -> None:
    said = _formats("huggingface", r"\p{L}+|[^\p{L}]+")
    assert said == (
        "Can be saved as Hugging Face tokenizer.json or tiktoken’s ranks. "
        "Not as GPT-2’s vocab.json and merges.txt: its split pattern is not gpt2, and the files name none."
    )
    said = _formats("minbpe", r"\w+|\W+")
    assert said.startswith("Can be saved as tiktoken’s ranks or minbpe .model. ")
    assert "Not as Hugging Face tokenizer.json: its split pattern holds \\w" in said
    assert _formats("sentencepiece", "a|b").startswith("No file format can hold this pattern.")


def test_a_pattern_that_could_not_be_checked_now_is_checked_again() -> None:
    app = opened()
    with work_with(FailingWorkers("not started")):
        shown = checked(with_pattern(app, r"busy|\w|\W"))
    assert (shown["bad"], "Try again in a moment." in shown["said"]) == (True, True)
    assert checked(app.run())["said"].endswith("The pattern covers every character.")


def test_a_catch_all_that_could_not_be_tried_now_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[str] = []

    def check(pattern: str) -> bool:
        checks.append(pattern)
        if len(checks) == 2:
            raise SplitPatternBusyError("Try again in a moment.", pattern=pattern)
        return check_pattern(pattern)

    monkeypatch.setattr(split_patterns, "check_pattern", check)
    app = with_pattern(opened(), "catch[a-z]+")
    assert checked(app)["said"] == "Try again in a moment."
    assert [button for button in app.run().button if "catch" in button.label]


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_has_an_answer(recipe: str) -> None:
    assert _formats(recipe, r"\p{L}+|[^\p{L}]+").endswith(".")


@pytest.mark.parametrize(
    "state", [None, {}, {"typed": 7}, {"typed": None}, {"typed": ["a"]}, {"typed": "a" * 501}, "typed"]
)
def test_what_no_field_reports_is_not_taken(state: object) -> None:
    assert typed_pattern(state, 500) is None
    assert typed_pattern({"typed": "a|b"}, 500) == "a|b"
