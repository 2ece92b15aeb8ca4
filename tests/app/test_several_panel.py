"""The comparison of up to six tokenizers without a browser: its table, chart, line and fields."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import Tokenizer, load_pretrained, tokenizer_metrics, train_tokenizer
from bpeviz.browser.aligned_rows import pack_rows
from bpeviz.limits import limits
from bpeviz.runs.language_cost import dearest_language
from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES, read_sample
from bpeviz.spreadsheet import plain_csv
from bpeviz.ui.compare import changes_panel, several_texts
from bpeviz.ui.compare import several_panel as panel
from bpeviz.ui.kit.tokenizer_sources import Side, get_side
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import UploadedTokenizer
from tests.support.app_test import (
    CAT,
    captions,
    compare_of,
    drawn,
    labelled,
    plain,
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
    loaded = [(side := get_side(state, key), side.num_merges) for key in keys]
    return drawn(panel.several_panel, state, sides=loaded, text=NamedText("a text", text))


def trained(text: str, num_merges: int, recipe: str = "huggingface") -> Side:
    return Side("run-1", "mine", train_tokenizer(text, recipe, num_merges=num_merges))


def on_samples(state: Session | None = None, recipe: str = "huggingface", num_merges: int = 3) -> AppTest:
    """The panel on all samples, with a tokenizer of three merges, of which so many are used, and GPT-2."""
    state = state or Session()
    compare_of(state).saved.several.source = "All samples"
    sides = [(trained("the cat in the hat", 3, recipe), num_merges), (gpt2(), 50_000)]
    return drawn(panel.several_panel, state, sides=sides, text=NamedText("a text", CAT))


def gpt2() -> Side:
    return Side("gpt2", "gpt2", load_pretrained())


def with_words(app: AppTest) -> AppTest:
    """The same panel with the list of words."""
    labelled(app.toggle, "List the words that change from L to R").set_value(True).run()
    assert not app.exception
    return app


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
    assert shown["tokenizer"].tolist() == ["cats", *PRETRAINED]
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
    labelled(app.selectbox, "Compare with").set_value(3).run()
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


def test_all_samples_are_a_row_each_but_not_the_megabyte() -> None:
    app = on_samples()
    metrics, texts = (each.value for each in app.dataframe)
    assert texts["text"].tolist() == [name for name in SAMPLES if name != "Python standard library"]
    samples = [read_sample(name) for name in texts["text"]]
    assert texts["bytes"].tolist() == [len(text.encode()) for text in samples]
    assert texts["characters"].tolist() == list(map(len, samples))
    tokens = [
        [len(tokenizer.encode(text)) for text in samples]
        for tokenizer in (trained("the cat in the hat", 3).tokenizer, load_pretrained())
    ]
    assert [texts["tokens 0"].tolist(), texts["tokens 1"].tolist()] == tokens
    assert metrics["tokens"].tolist() == list(map(sum, tokens))
    assert texts["ratio 1"].tolist() == [b / a for a, b in zip(*tokens, strict=True)]
    assert texts["per 100 1"].tolist() == [
        100 * count / len(text) for count, text in zip(tokens[1], samples, strict=True)
    ]
    assert [marks["x"][0] for marks in chart(app)["data"]] == [1, texts["ratio 1"][0]]


def test_the_language_that_costs_most_is_named_for_each() -> None:
    (sentence,) = [m.value for m in on_samples().markdown if m.value.startswith("gpt2")]
    said = dearest_language(
        [NamedText(name, read_sample(name)) for name in SAMPLES], gpt2().tokenizer, 50_000
    )
    assert plain(sentence) == f"gpt2: {said}"
    assert said.startswith("Hindi costs most of these languages: ")


def test_both_sides_use_as_many_merges_as_the_sliders_say() -> None:
    with_3, with_0 = on_samples().dataframe, on_samples(num_merges=0).dataframe
    metrics, texts = with_0[0].value, with_0[1].value
    assert texts["tokens 0"].tolist() == texts["bytes"].tolist()
    assert (with_3[1].value["tokens 0"] < texts["tokens 0"]).any()
    assert with_3[1].value["tokens 1"].tolist() == texts["tokens 1"].tolist()
    assert metrics["tokenizer"].tolist() == ["mine after 0 merges", "gpt2"]
    assert metrics["vocab_size"].tolist() == [with_3[0].value["vocab_size"][0] - 3, 50_257]


def test_a_tokenizer_on_both_sides_stands_there_once_for_each_number_of_merges() -> None:
    def names(left: int, right: int) -> list[str]:
        sides = [(gpt2(), left), (gpt2(), right)]
        app = drawn(panel.several_panel, Session(), sides=sides, text=NamedText("a text", CAT))
        return table(app)["tokenizer"].tolist()

    assert names(50_000, 50_000) == ["gpt2"]
    assert names(50_000, 9) == ["gpt2", "gpt2 after 9 merges"]


def test_the_words_that_change_add_up_to_the_tokens_of_the_texts() -> None:
    app = with_words(on_samples())
    _, texts, words = (each.value for each in app.dataframe)
    a, b = texts["tokens 0"].sum(), texts["tokens 1"].sum()
    assert f"{b:,} tokens instead of {a:,}" in captions(app)
    assert (words["change"] == words["right"] - words["left"]).all()
    sizes = words["change"].abs().tolist()
    assert sizes == sorted(sizes, reverse=True)
    assert len(words) == 1_000


def test_the_words_change_with_the_merges_and_those_of_large_texts_are_left_to_the_shell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_0 = with_words(on_samples(num_merges=0)).dataframe[2].value
    assert (with_0["left"] >= with_0["times"]).all()
    monkeypatch.setattr(changes_panel, "MOST_BYTES", 10)
    app = with_words(on_samples())
    assert len(app.dataframe) == 2
    assert "bpeviz compare with --changes" in captions(app)


def test_a_text_that_a_side_cannot_spell_has_a_row_that_says_so() -> None:
    texts = on_samples(recipe="course").dataframe[1].value
    japanese = texts[texts["text"] == "Japanese"].iloc[0]
    assert pd.isna(japanese["tokens 0"])
    assert japanese["tokens 1"] == 2472
    assert japanese["note"].startswith("mine: The base vocabulary has no symbol for")


def test_the_choice_outlives_a_visit_elsewhere() -> None:
    state = Session()
    compare_of(state).with_library = True
    assert len(on_samples(state).dataframe[1].value) == 13


class File(io.BytesIO):
    """A file as the upload field gives it."""

    def __init__(self, name: str, data: bytes) -> None:
        super().__init__(data)
        self.name, self.size = name, len(data)


def test_a_file_that_cannot_be_read_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(several_texts, "limits", lambda: replace(limits(), max_text_bytes=12))
    files = [File("a.txt", b"the cat"), File("b.txt", b"\xff"), File("c.txt", b"123456"), File("d.txt", b"x")]
    texts, refused = several_texts._read(files)
    assert [(text.name, text.text) for text in texts] == [("a.txt", "the cat"), ("d.txt", "x")]
    assert [why.split(" ")[0] for why in refused] == ["b.txt", "c.txt"]
    assert refused[1].startswith("c.txt wasn't added. Up to 50 files and ")
    assert "offset 0" in refused[0]


def test_uploaded_texts_stay_while_the_page_is_left() -> None:
    state = Session()
    compare = compare_of(state)
    compare.uploaded_texts, compare.refused_texts = several_texts._read(
        [File("*a*.txt", b"the cat"), File("b.txt", b"\xff")]
    )
    app = several(state, source="Your files", sides=("gpt2", "cl100k_base"))
    assert app.dataframe[1].value["text"].tolist() == ["*a*.txt"]
    assert not app.get("plotly_chart")
    assert app.error[0].value.startswith("b\\.txt is not UTF\\-8")
    assert not [m for m in app.markdown if "costs" in m.value and "times" in m.value]


def test_without_files_it_asks_for_them() -> None:
    app = several(Session(), source="Your files", sides=("gpt2", "cl100k_base"))
    assert app.info[0].value.startswith("Choose text files")
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
    labelled(app.selectbox, "Compare with").set_value(1).run()
    assert not app.exception


def test_fewer_merges_are_taken_once_and_not_again_in_a_rerun(monkeypatch: pytest.MonkeyPatch) -> None:
    after, taken = Tokenizer.after, list[int]()
    monkeypatch.setattr(Tokenizer, "after", lambda self, k: taken.append(k) or after(self, k))
    app = on_samples(num_merges=2)
    app.run()
    assert not app.exception
    assert taken == [2]


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
    written = plain_csv(table(app), "tokenizer", "note")
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
