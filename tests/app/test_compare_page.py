"""Flows through the compare page without a browser. tests/browser proves what the component draws."""

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import load_pretrained
from bpeviz.errors import PretrainedUnavailableError
from bpeviz.runs.run import NamedText
from bpeviz.ui.components.comparer.comparer import Rivals
from bpeviz.ui.pages.compare.page import _ids, take_over
from bpeviz.ui.widgets.sides import get_side
from tests.support.app_test import (
    CAT,
    captions,
    drawn,
    first_error,
    labelled,
    on_compare_page,
    opened,
    pasted,
    press,
    state_of,
    typed,
)


def sides_on_show(app: AppTest) -> tuple[str, str]:
    """The names of both sides in the component's data."""
    packed = state_of(app).compare.packed
    assert packed is not None
    return packed[0][2], packed[0][3]  # type: ignore[return-value]


def test_the_run_on_show_stands_beside_gpt2_on_its_own_corpus() -> None:
    app = on_compare_page(pasted(CAT))
    assert not app.exception
    assert not app.error
    assert sides_on_show(app) == ("pasted text, huggingface", "GPT-2")
    assert app.selectbox[0].options == [
        "pasted text, huggingface",
        "GPT-2",
        "cl100k_base",
        "o200k_base",
    ]


def test_without_a_run_gpt2_stands_beside_itself_and_that_is_said() -> None:
    app = on_compare_page(opened())
    assert not app.exception
    assert sides_on_show(app) == ("GPT-2", "GPT-2")
    assert "Both sides are the same tokenizer" in app.info[0].value


def test_sides_change_places_and_keep_their_merges() -> None:
    app = on_compare_page(pasted(CAT))
    state_of(app).compare.merges = {("right", "gpt2"): 300}
    press(app, "Swap")
    assert sides_on_show(app) == ("GPT-2", "pasted text, huggingface")
    assert state_of(app).compare.merges["left", "gpt2"] == 300


def test_an_encoding_that_is_not_here_is_listed_and_tells_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PretrainedUnavailableError(name, "its file is not on this machine. Copy it.")

    app = on_compare_page(pasted(CAT))
    monkeypatch.setattr("bpeviz.ui.widgets.sides.load_pretrained", missing)
    app.selectbox[1].set_value("cl100k_base").run()
    assert not app.exception
    assert "Copy it" in app.error[0].value
    monkeypatch.undo()
    app.selectbox[1].set_value("gpt2").run()
    assert not app.error


def test_a_text_that_the_recipe_cannot_spell_is_explained() -> None:
    first = opened()
    first.text_area(key="pasted").set_value(CAT)
    labelled(first.selectbox, "Recipe").set_value("course")
    app = typed(on_compare_page(press(first, "Train and watch")), "the zoo")
    assert "The base vocabulary has no symbol for 'z'" in first_error(app)


def test_an_empty_text_is_invited() -> None:
    app = typed(on_compare_page(pasted(CAT)), "")
    assert not app.exception
    assert "Type or paste a text above" in app.info[0].value


def test_a_text_too_long_to_type_is_said_once() -> None:
    app = typed(on_compare_page(pasted(CAT)), "word " * 200_001)
    assert len(app.error) == 1
    assert "up to 1\\,000\\,000 can be compared" in app.error[0].value


def test_a_text_typed_is_there_again_after_another_source() -> None:
    app = typed(on_compare_page(pasted(CAT)), "This is some text")
    app.button_group[0].set_value("Sample").run()
    assert "lighthouse" in app.caption[0].value
    app.button_group[0].set_value("Type").run()
    assert app.text_area(key="compare_typed").value == "This is some text"


def test_the_run_s_step_is_that_of_the_left_side() -> None:
    app = on_compare_page(pasted(CAT))
    state = state_of(app)
    take_over(state, Rivals(left=4, right=1_000, locked=True, serial=1))
    assert state.merges.step == 4
    assert state.compare.merges["right", "gpt2"] == 1_000
    assert state.compare.locked


def test_the_ids_of_both_sides_are_those_of_as_many_merges() -> None:
    app = typed(on_compare_page(pasted(CAT)), "This is some text")
    state = state_of(app)
    assert state.run is not None
    mine = state.run.tokenizer.after(2).encode("This is some text")
    text = NamedText("typed text", "This is some text")
    for key, merges, ids in (
        (f"run-{state.merges.shown}", 2, " ".join(map(str, mine))),
        ("gpt2", 50_000, "1212 318 617 2420"),
    ):
        (code,) = drawn(_ids, state, side=get_side(state, key), merges=merges, text=text).code
        assert code.value == ids
    assert load_pretrained("gpt2").decode([1212, 318, 617, 2420]) == "This is some text"


def test_what_else_there_is_follows_once_the_text_is_on_the_screen() -> None:
    app = on_compare_page(pasted(CAT))
    assert not app.tabs
    compare = state_of(app).compare
    take_over(state_of(app), Rivals(left=5, right=50_000, locked=False, serial=compare.serial))
    app.run()
    assert not app.exception
    assert {"Vocabularies", "Many texts", "Up to six", "Token ids"} <= {tab.label for tab in app.tabs}
    assert "Of the first 5 merges" in captions(app)
