"""The panels of the compare page without a browser: their sentences, charts and tables."""

import io
import json
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import Corpus, Trainer, load_pretrained
from bpeviz.core.gap_ranks import is_token_end, token_total
from bpeviz.limits import limits
from bpeviz.runs.language_cost import dearest_language
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES, read_sample
from bpeviz.ui.compare import batch_panel, changes_panel
from bpeviz.ui.compare.overlap_panel import overlap_panel
from bpeviz.ui.compare.statistics_panel import statistics_panel
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.session.session import Session
from tests.support.app_test import captions, compare_of, drawn, labelled, plain


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


def batch(state: Session | None = None, recipe: str = "huggingface", num_merges: int = 3) -> AppTest:
    mine = trained("the cat in the hat", 3, recipe)
    given = {"left": mine, "left_merges": num_merges, "right": gpt2(), "right_merges": 50_000}
    return drawn(batch_panel.batch_panel, state, **given)


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


# --- batch -----------------------------------------------------------------------------------------------


def test_all_samples_are_a_row_and_two_bars_each_but_not_the_megabyte() -> None:
    app = batch()
    (table,) = app.dataframe
    assert table.value["text"].tolist() == [name for name in SAMPLES if name != "Python standard library"]
    gpt2 = load_pretrained()
    assert table.value["right"].tolist() == [
        token_total(gpt2.gap_ranks(read_sample(name)), 50_000) for name in table.value["text"]
    ]
    assert [len(bars["x"]) for bars in chart(app)["data"]] == [12, 12]
    (sentence,) = [m.value for m in app.markdown if "gpt2" in m.value]
    names = ":orange-badge[R]\u00a0gpt2"
    said = dearest_language([NamedText(name, read_sample(name)) for name in SAMPLES], gpt2, 50_000)
    assert plain(sentence) == f"{names}: {said}"
    assert said.startswith("Hindi costs most of these languages: ")


def test_the_cut_is_at_the_merges_given() -> None:
    (with_3,), (with_0,) = batch().dataframe, batch(num_merges=0).dataframe
    assert with_0.value["left"].tolist() == with_0.value["bytes"].tolist()
    assert (with_3.value["left"] < with_0.value["left"]).any()
    assert with_3.value["right"].tolist() == with_0.value["right"].tolist()


def with_words(app: AppTest) -> AppTest:
    """The same panel with the list of words."""
    labelled(app.toggle, "List the words that change").set_value(True).run()
    assert not app.exception
    return app


def test_the_words_that_change_add_up_to_the_tokens_of_the_texts() -> None:
    app = with_words(batch())
    texts, words = (table.value for table in app.dataframe)
    a, b = texts["left"].sum(), texts["right"].sum()
    assert f"{b:,} tokens instead of {a:,}" in captions(app)
    assert (words["change"] == words["right"] - words["left"]).all()
    sizes = words["change"].abs().tolist()
    assert sizes == sorted(sizes, reverse=True)
    assert len(words) == 1_000


def test_the_words_change_with_the_merges_and_those_of_large_texts_are_left_to_the_shell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_0 = with_words(batch(num_merges=0)).dataframe[1].value
    assert (with_0["left"] >= with_0["times"]).all()
    monkeypatch.setattr(changes_panel, "MOST_BYTES", 10)
    app = with_words(batch())
    assert len(app.dataframe) == 1
    assert "bpeviz compare with --changes" in captions(app)


def test_a_rerun_encodes_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = batch()
    gpt2 = load_pretrained()
    monkeypatch.setattr(gpt2, "gap_ranks", lambda text: pytest.fail("encoded again"))
    app.run()
    assert not app.exception


def test_a_text_that_a_side_cannot_spell_has_a_row_that_says_so() -> None:
    table = batch(recipe="course").dataframe[0].value
    japanese = table[table["text"] == "Japanese"].iloc[0]
    assert pd.isna(japanese["left"])
    assert japanese["right"] == 2472
    assert japanese["note"].startswith("mine: The base vocabulary has no symbol for")


def test_the_choice_outlives_a_visit_elsewhere() -> None:
    state = Session()
    compare_of(state).batch.with_library = True
    app = batch(state)
    assert len(app.dataframe[0].value) == 13


class File(io.BytesIO):
    """A file as the upload field gives it."""

    def __init__(self, name: str, data: bytes) -> None:
        super().__init__(data)
        self.name, self.size = name, len(data)


def test_a_file_that_cannot_be_read_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_panel, "limits", lambda: replace(limits(), max_text_bytes=12))
    files = [File("a.txt", b"the cat"), File("b.txt", b"\xff"), File("c.txt", b"123456"), File("d.txt", b"x")]
    texts, refused = batch_panel._read(files)
    assert [(text.name, text.text) for text in texts] == [("a.txt", "the cat"), ("d.txt", "x")]
    assert [why.split(" ")[0] for why in refused] == ["b.txt", "c.txt"]
    assert refused[1].startswith("c.txt wasn't added. Up to 50 files and ")
    assert "offset 0" in refused[0]


def test_uploaded_texts_stay_while_the_page_is_left() -> None:
    state = Session()
    compare_of(state).batch.source = "Upload files"
    compare_of(state).batch.uploaded, compare_of(state).batch.refused = batch_panel._read(
        [File("*a*.txt", b"the cat"), File("b.txt", b"\xff")]
    )
    app = batch(state)
    assert app.dataframe[0].value["text"].tolist() == ["*a*.txt"]
    assert app.error[0].value.startswith("b\\.txt is not UTF\\-8")
    assert not [m for m in app.markdown if "costs" in m.value and "times" in m.value]
