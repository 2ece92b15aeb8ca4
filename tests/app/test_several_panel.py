"""The comparison of up to six tokenizers without a browser: its table, chart, line and fields."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import load_pretrained, tokenizer_metrics, train_tokenizer
from bpeviz.browser.aligned_rows import pack_rows
from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES
from bpeviz.ui.compare import several_panel as panel
from bpeviz.ui.kit.tokenizer_sources import get_side
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import UploadedTokenizer
from tests.support.app_test import (
    CAT,
    captions,
    compare_of,
    drawn,
    labelled,
    shown_run,
    state_of,
    with_run,
)

PRETRAINED = ["GPT-2", "cl100k_base", "o200k_base"]
MARKUP = "<b>x</b> %{x} `a` [l](http://e.example) :red[r]"


def several(
    state: Session | None = None, text: str = CAT, sides: Sequence[str] = (), **fields: Any
) -> AppTest:
    """The panel with these sides; without any, with a run of the session, GPT-2 and the other known ones."""
    state = state or with_run(CAT)
    for name, value in fields.items():
        setattr(compare_of(state).saved.several, name, value)
    keys = sides or (f"run-{shown_run(state).number}", "gpt2", "cl100k_base", "o200k_base")
    loaded = [get_side(state, key) for key in keys]
    return drawn(panel.several_panel, state, sides=loaded, text=NamedText("a text", text))


def table(app: AppTest) -> pd.DataFrame:
    return app.dataframe[0].value


def chart(app: AppTest) -> dict[str, Any]:
    (drawn_chart,) = app.get("plotly_chart")
    return json.loads(drawn_chart.proto.spec)


def rows(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the component is given, from now on."""
    given: list[dict[str, Any]] = []
    monkeypatch.setattr(panel, "mount_rows", lambda data, key: given.append(data))
    return given


def test_both_sides_and_the_pretrained_ones_are_measured_on_the_page_s_text() -> None:
    app = several()
    tokenizers = [
        shown_run(state_of(app)).tokenizer,
        *map(load_pretrained, ("gpt2", "cl100k_base", "o200k_base")),
    ]
    metrics = [tokenizer_metrics([CAT], tokenizer) for tokenizer in tokenizers]
    shown = table(app)
    assert shown["tokenizer"].tolist() == ["huggingface", *PRETRAINED]
    for name in (
        "tokens",
        "bytes_per_token",
        "tokens_per_word",
        "share_of_whole_words",
        "share_of_vocabulary",
    ):
        assert shown[name].tolist() == [each.figures(metrics[0])[name] for each in metrics]
    assert shown["renyi_efficiency"].tolist() == [each.renyi_efficiency for each in metrics]
    assert shown["normalized_length"].tolist() == [each.normalized_length(metrics[0]) for each in metrics]
    assert not app.get("plotly_chart")


def test_lengths_are_measured_against_the_one_that_is_picked() -> None:
    app = several(text="a mat, 灯台")
    labelled(app.selectbox, "Compare with").set_value("o200k_base").run()
    tokens = table(app)["tokens"]
    assert table(app)["normalized_length"].tolist() == [count / tokens[3] for count in tokens]
    assert compare_of(state_of(app)).saved.several.baseline == "o200k_base"
    assert "tokens relative to <bdi>o200k_base</bdi>" in "".join(each.proto.body for each in app.get("html"))


def test_it_says_where_to_add_tokenizers_until_there_are_six() -> None:
    said = "“Add a tokenizer” above compares up to 6."
    assert said in captions(several())
    state = with_run(CAT)
    for number in range(6):
        state.tokenizers.add(UploadedTokenizer(f"{number}.json"), train_tokenizer(CAT, num_merges=5))
    app = several(state, sides=tuple(state.tokenizers.files))
    assert table(app)["tokenizer"].tolist() == [f"{number}.json" for number in range(6)]
    assert said not in captions(app)


def test_tokenizers_with_one_name_are_numbered() -> None:
    state = with_run(CAT)
    for number in range(2):
        uploaded = UploadedTokenizer("same")
        state.tokenizers.files[f"file-{number}"] = uploaded
        state.tokenizers.opened[f"file-{number}"] = train_tokenizer(CAT, num_merges=5)
    app = several(state, sides=tuple(state.tokenizers.files))
    assert table(app)["tokenizer"].tolist() == ["same", "same (2)"]


def test_the_parallel_sample_has_a_row_in_the_chart_for_every_language() -> None:
    app = several(source="Parallel sample", sides=("o200k_base", "gpt2"), baseline="gpt2")
    figure = chart(app)
    assert [len(marks["x"]) for marks in figure["data"]] == [len(LANGUAGES)] * 2
    o200k, gpt2 = (load_pretrained(name) for name in ("o200k_base", "gpt2"))
    for place, code in enumerate(LANGUAGES):
        tokens = [sum(map(len, t.encode_batch(parallel_sentences(code)))) for t in (o200k, gpt2)]
        assert figure["data"][0]["x"][place] == tokens[0] / tokens[1]
        assert figure["data"][1]["x"][place] == 1
        assert figure["data"][0]["customdata"][place][2] == tokens[0]
    assert "The same 12 sentences in 36 languages and 17 scripts." in captions(app)


def test_many_texts_are_those_of_the_batch() -> None:
    app = several(source="Many texts", sides=("gpt2", "cl100k_base"))
    assert len(chart(app)["data"][0]["x"]) == len(SAMPLES) - 1
    next(group for group in app.button_group if group.key == "batch_source").set_value("Upload files").run()
    assert not app.exception
    assert not app.dataframe


def test_one_line_is_shown_as_each_cuts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given = rows(monkeypatch)
    app = several(source="Parallel sample", sides=("o200k_base", "gpt2"))
    labelled(app.selectbox, "Text of the line").set_value(list(LANGUAGES).index("ja")).run()
    app.number_input[0].set_value(3).run()
    line = parallel_sentences("ja")[2]
    assert given[-1]["text"] == line
    for row, name in zip(given[-1]["rows"], ("o200k_base", "gpt2"), strict=True):
        tokenizer = load_pretrained(name)
        assert bytes.fromhex("".join(token[0] for token in row["tokens"])) == line.encode()
        assert len(row["tokens"]) == len(tokenizer.encode(line))
    assert [row["name"] for row in given[-1]["rows"]] == ["o200k_base", "GPT-2"]
    assert (compare_of(state_of(app)).saved.several.part, compare_of(state_of(app)).saved.several.line) == (
        34,
        3,
    )


def test_a_long_line_is_cut_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    given = rows(monkeypatch)
    app = several(text="\n \nab" + "灯" * 300 + "\nthe cat", sides=("gpt2",))
    assert given[-1]["text"] == "ab" + "灯" * 198
    assert "Its first 200 characters." in captions(app)
    assert app.number_input[0].max == 2


@pytest.mark.parametrize("line", [0, 2, 10**15])
def test_a_line_that_is_not_there_is_another_one(line: int) -> None:
    app = several(line=line, part=line)
    assert app.number_input[0].value == 1


def test_a_text_without_a_line_has_none() -> None:
    app = several(text=" \n\n ")
    assert not app.number_input
    assert "This text has no line to show." in captions(app)


def test_a_tokenizer_that_cannot_spell_a_text_says_so_and_the_others_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = rows(monkeypatch)
    state = with_run(CAT)
    words = train_tokenizer(CAT, "course", num_merges=3)
    state.tokenizers.add(UploadedTokenizer("words"), words)
    app = several(state, "灯台", sides=("file-1", "gpt2"))
    shown = table(app)
    assert shown["note"][0].startswith("The base vocabulary has no symbol for '灯'")
    assert pd.isna(shown["tokens"][0])
    assert shown["normalized_length"].isna().all()  # the baseline has no tokens to compare with
    assert shown["tokens"][1] == len(load_pretrained("gpt2").encode("灯台"))
    assert [row["name"] for row in given[-1]["rows"]] == ["GPT-2"]
    assert "words can't encode this line" in captions(app).replace("\\", "")
    app = several(state, source="Parallel sample", sides=("file-1", "gpt2"))
    assert chart(app)["data"][0]["x"] == [None] * len(LANGUAGES)
    given.clear()
    app = several(state, "灯台", source="This text", sides=("file-1",))
    assert table(app).drop(columns=["tokenizer", "note"]).isna().all(axis=None)
    assert not given


def test_a_rerun_measures_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = several(source="Parallel sample")
    monkeypatch.setattr(panel, "tokenizer_metrics", lambda *_: pytest.fail("measured again"))
    app.run()
    assert not app.exception
    labelled(app.selectbox, "Compare with").set_value("gpt2").run()
    assert not app.exception


def test_names_reach_no_label_as_markup_and_no_cell_as_a_formula() -> None:
    state = with_run(CAT)
    state.tokenizers.add(UploadedTokenizer(MARKUP), train_tokenizer(CAT, num_merges=5))
    state.tokenizers.add(UploadedTokenizer("=1+1"), train_tokenizer(CAT, num_merges=5))
    app = several(state, sides=("file-1", "file-2"), source="Parallel sample")
    figure = json.dumps(chart(app))
    assert "&lt;b&gt;" in figure
    assert "<b>" not in figure
    assert "%{x} `a`" not in figure
    assert not any("[l](http" in caption.value for caption in app.caption)
    written = panel.plain_csv(table(app), "tokenizer", "note")
    assert [row[0] for row in csv.reader(io.StringIO(written))] == ["tokenizer", MARKUP, "'=1+1"]


def test_the_rows_of_the_component_are_bytes_and_names() -> None:
    gpt2 = load_pretrained("gpt2")
    aligned = panel.aligned_rows("a<b>", [gpt2])
    assert pack_rows("a<b>", ["<i>"], aligned) == {
        "text": "a<b>",
        "rows": [
            {
                "name": "<i>",
                "total": 4,
                "tokens": [["61", 1, False], ["3c", 1, False], ["62", 1, False], ["3e", 1, False]],
            }
        ],
    }
