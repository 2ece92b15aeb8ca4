"""The panels of the compare page without a browser: their sentences, charts and tables."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import Corpus, Trainer, load_pretrained
from bpeviz.core.gap_ranks import is_token_end
from bpeviz.runs.samples import read_sample
from bpeviz.ui.compare.overlap_panel import overlap_panel
from bpeviz.ui.compare.statistics_panel import statistics_panel
from bpeviz.ui.kit.tokenizer_sources import Side
from tests.support.app_test import captions, drawn, plain


def trained(text: str, num_merges: int, recipe: str = "huggingface", name: str = "mine") -> Side:
    trainer = Trainer(Corpus.from_text(text), recipe, num_merges=num_merges)
    list(trainer.steps())
    return Side("run-1", name, trainer.tokenizer())


def gpt2(name: str = "gpt2") -> Side:
    return Side("gpt2", name, load_pretrained())


def overlap(num_merges: int = 60, name: str = "mine <b>*x*") -> AppTest:
    mine = trained(read_sample("English prose"), 60, name=name)
    given = {"left": mine, "left_merges": num_merges, "right": gpt2(), "right_merges": 50_000}
    return drawn(overlap_panel, **given)


def statistics(text: str, second: str = "gpt2") -> AppTest:
    mine, other = trained("the cat in the hat", 3), gpt2(second)
    left, right = (is_token_end(s.tokenizer.gap_ranks(text), s.num_merges) for s in (mine, other))
    return drawn(statistics_panel, text=text, left=mine, left_counts=left, right=other, right_counts=right)


def chart(app: AppTest, place: int = 0) -> dict[str, Any]:
    spec: dict[str, Any] = json.loads(app.get("plotly_chart")[place].proto.spec)
    return spec


# --- overlap ---------------------------------------------------------------------------------------------


def test_the_overlap_is_told_in_numbers_a_sentence_and_names() -> None:
    app = overlap()
    both, only_left, only_right = (int(m.value.replace(",", "")) for m in app.metric)
    assert both + only_right == 50_000
    assert both + only_left == 60
    (sentence,) = [plain(m.value) for m in app.markdown if m.value.startswith("Of the first")]
    names = ":blue-badge[L]\u00a0mine <b>*x*, :orange-badge[R]\u00a0gpt2"
    assert sentence == f"Of the first 60 merges of {names} made {both} too ({both / 60:.0%})."
    named = chart(app)["data"][1]
    assert len(named["x"]) == 12
    assert any(named["text"])
    assert len(chart(app, 1)["data"]) == 1


def test_the_name_of_a_side_is_shown_letter_by_letter() -> None:
    app = overlap()
    assert app.metric[1].label == "Only :blue-badge[L]\u00a0mine \\<b\\>\\*x\\*"
    assert "&lt;b&gt;" in chart(app)["layout"]["xaxis"]["title"]["text"]


def test_the_most_displaced_come_with_the_factor_and_who_was_earlier() -> None:
    (table,) = overlap(name="mine").dataframe
    rows = table.value
    assert rows["times"].is_monotonic_decreasing
    assert set(rows["earlier"]) <= {"L", "R", ""}
    first = rows.iloc[0]
    assert first["times"] == pytest.approx(first["right"] / first["left"], abs=0.1)
    assert first["earlier"] == "L"


def test_without_a_merge_there_is_nothing_to_compare() -> None:
    app = overlap(num_merges=0)
    assert app.info[0].value == "No token is in both. Move the sliders to more merges."
    assert not app.get("plotly_chart")
    assert [metric.value for metric in app.metric] == ["0", "0", "50,000"]


# --- statistics ------------------------------------------------------------------------------------------


def test_the_text_s_cost_is_told_for_both_sides() -> None:
    text = "the cat\nthe hat in the house\n"  # its letters are a byte each
    app = statistics(text=text)
    tokens = [int(m.value) for m in app.metric if m.label == "Tokens"]
    assert tokens[1] == 9
    for name in ("Bytes per token", "Characters per token"):
        assert [m.value for m in app.metric if m.label == name] == [f"{len(text) / n:.2f}" for n in tokens]
    scripts, lines = (table.value for table in app.dataframe)
    assert scripts["script"].tolist() == ["Latin", "Common"]
    assert [scripts["left"].sum(), scripts["right"].sum()] == tokens
    assert lines["line"].tolist() == [2, 1]  # where the two differ most
    assert lines["text"].tolist() == ["the␣hat␣in␣the␣house", "the␣cat"]
    assert (lines["left"] - lines["right"]).tolist() == lines["difference"].tolist()


def test_of_many_lines_those_that_differ_most_are_listed() -> None:
    app = statistics(text="the\n" * 1_200 + "lighthouse\n")
    lines = app.dataframe[1].value
    assert len(lines) == 1_000
    assert lines["line"].iloc[0] == 1_201
    assert "The first 1,000 of 1,201." in captions(app)


def test_an_empty_text_costs_nothing() -> None:
    app = statistics(text="")
    assert [metric.value for metric in app.metric] == ["0", "0.00", "0.00"] * 2
