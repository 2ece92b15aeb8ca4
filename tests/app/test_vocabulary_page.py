"""The vocabulary page without a browser: its table, search, filters, state and sentences."""

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.dataframe_util import convert_pandas_df_to_arrow_bytes
from streamlit.testing.v1 import AppTest

from bpeviz import Tokenizer, load_pretrained
from bpeviz.analysis.vocabulary import token_uses, vocabulary_table
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.formats.reading import read_tokenizer
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import read_sample
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.text.token_text import hex_bytes
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import UploadedTokenizer
from bpeviz.ui.vocabulary.page import vocabulary_page
from bpeviz.ui.vocabulary.rows import (
    BYTES_IN_A_CELL,
    CHARACTERS_IN_A_CELL,
    _fitting,
    rows,
)
from bpeviz.ui.vocabulary.state import VocabularyState
from tests.support.app_test import CAT, biography, captions, drawn, first_error, plain, shown_run, with_run
from tests.support.tokenizer_files import as_file, tiny
from tests.support.trained import run_of


def opened(state: Session) -> AppTest:
    return drawn(vocabulary_page, state)


def listed(app: AppTest) -> pd.DataFrame:
    table: pd.DataFrame = app.dataframe[0].value
    return table


def caption(app: AppTest) -> str:
    return plain(app.caption[0].value)


def test_without_a_run_gpt2_is_listed_with_uses_in_the_english_sample() -> None:
    app = opened(Session())
    table = listed(app)
    assert sorted(table["id"]) == list(range(50_257))
    uses = token_uses(load_pretrained(), read_sample("English prose"))
    assert table["uses"].tolist() == uses[table["id"]].tolist()
    assert caption(app) == (
        "50,257 tokens: 50,000 made by merges, 256 base symbols, 1 special. "
        "Uses are counted in English prose, 6,344 bytes, encoded with all merges."
    )
    app.text_input(key="vocabulary_search").set_value("␣weather").run()
    assert caption(app).startswith("1 of 50,257 tokens: 1 made by merges.")
    assert app.code[0].value == "20 77 65 61 74 68 65 72"
    assert plain(app.caption[1].value).startswith("Id 6193, 8 bytes, merge 5,938 of ids 356 and 1032.")
    app.text_input(key="vocabulary_search").set_value("0xE381").run()
    found = [i for i, token in load_pretrained().vocabulary.items() if b"\xe3\x81" in token]
    assert listed(app)["id"].tolist() == found
    app.button_group(key="vocabulary_filters").set_value(["Not UTF-8"]).run()
    broken = [i for i in found if "\ufffd" in load_pretrained().token_bytes(i).decode("utf-8", "replace")]
    assert listed(app)["id"].tolist() == broken


def test_with_a_run_its_tokens_are_listed_with_uses_in_its_corpus() -> None:
    state = with_run(num_merges=10)
    state.pages.of(VocabularyState).sort = "id"
    app = opened(state)
    tokenizer = shown_run(state).tokenizer
    expected = vocabulary_table(tokenizer)
    table = listed(app)
    assert table["token"].tolist() == expected["text"].tolist()
    assert table["merge"].dropna().tolist() == list(range(1, 11))  # numbered as on the first page
    assert table["id"].tolist() == list(tokenizer.vocabulary)
    assert table["bytes"].tolist() == [hex_bytes(token) for token in tokenizer.vocabulary.values()]
    assert table["uses"].tolist() == token_uses(tokenizer, CAT).tolist()
    assert table["uses"].sum() == len(tokenizer.encode(CAT))
    assert "Uses are counted in cats, 129 bytes" in caption(app)


def test_search_leaves_what_was_asked_for_and_one_token_is_shown_closely() -> None:
    app = opened(with_run(num_merges=10))
    app.text_input(key="vocabulary_search").set_value("␣the").run()
    assert listed(app)["token"].tolist() == ["␣the"]
    (bytes_,) = (code.value for code in app.code)
    assert bytes_ == "20 74 68 65"
    assert biography(app)["word"] == "␣the"
    assert [len(part["symbols"]) for part in biography(app)["growths"][0]["parts"]] == [4]
    assert caption(app).startswith("1 of 266 tokens: 1 made by merges.")
    app.text_input(key="vocabulary_search").set_value("nothing like it").run()
    assert not app.dataframe
    assert "No token matches" in app.info[0].value


def test_kinds_add_up_and_properties_take_away() -> None:
    app = opened(with_run(num_merges=10))
    filters = app.get("button_group")[0]
    options = [option.content for option in filters.proto.options]
    assert options[:4] == ["Base 256", "Merged 10", "Special 0", "Not UTF-8 128"]
    state: Session = app.session_state["session"]
    state.pages.of(VocabularyState).filters = ("Merged", "Special")
    assert len(listed(opened(state))) == 10
    state.pages.of(VocabularyState).filters = ("Base", "Merged", "Not UTF-8")
    assert len(listed(opened(state))) == 128
    state.pages.of(VocabularyState).filters = ("Merged", "Never used in the corpus")
    table = listed(opened(state))
    assert (table["uses"] == 0).all()
    assert (table["kind"] == "merged").all()


def test_rows_are_sorted_by_length_and_by_use() -> None:
    app = opened(with_run(num_merges=10))
    kinds = listed(app)["kind"].tolist()
    assert kinds == ["merged"] * 10 + ["base"] * 256  # what training made comes first
    assert listed(app)["uses"][:10].is_monotonic_decreasing
    app.selectbox(key="vocabulary_sort").set_value("length").run()
    assert listed(app)["length"].is_monotonic_decreasing
    app.selectbox(key="vocabulary_sort").set_value("uses").run()
    assert listed(app)["uses"].is_monotonic_decreasing
    assert listed(app)["uses"].iloc[0] > 3


def test_what_was_chosen_outlives_a_visit_elsewhere() -> None:
    app = opened(with_run(num_merges=10))
    app.text_input(key="vocabulary_search").set_value("at").run()
    app.selectbox(key="vocabulary_sort").set_value("uses").run()
    later = opened(app.session_state["session"])
    assert later.text_input(key="vocabulary_search").value == "at"
    assert listed(later)["token"].tolist() == listed(app)["token"].tolist()


def test_a_row_that_is_picked_is_shown_until_another_tokenizer_is() -> None:
    state = with_run(num_merges=10)
    run = shown_run(state)
    state.pages.of(VocabularyState).picked = f"run-{run.number}", (256,)
    app = opened(state)
    assert list(biography(app)["growths"][0]["tokens"])[-1] == "256"
    assert plain(app.caption[1].value).startswith("Id 256, 2 bytes, merge 1 of ids")
    state.tokenizers.picked["vocabulary"] = "gpt2"
    app = opened(state)
    assert not app.code
    assert "Pick a row" in captions(app)


def test_a_picked_token_is_shown_only_while_its_row_is_listed() -> None:
    state = with_run(num_merges=10)
    state.pages.of(VocabularyState).picked = f"run-{shown_run(state).number}", (256,)
    state.pages.of(VocabularyState).filters = ("Base",)
    app = opened(state)
    assert not app.code
    assert "Pick a row" in captions(app)
    app.button_group(key="vocabulary_filters").set_value(["Merged"]).run()
    assert list(biography(app)["growths"][0]["tokens"])[-1] == "256"


@pytest.mark.parametrize(("picked", "ids"), [([1], (9,)), ([], ()), ([2], ()), ([1, 0, 1], (7, 9))])
def test_picking_a_row_notes_the_id_in_it(
    monkeypatch: pytest.MonkeyPatch, picked: list[int], ids: tuple[int, ...]
) -> None:
    state, drawn = Session(), dict[str, Any]()
    chosen = vocabulary_table(doubling(1)).assign(uses=0).iloc[[7, 9]]
    monkeypatch.setattr("streamlit.dataframe", lambda _, **given: drawn.update(given))
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr("bpeviz.ui.vocabulary.rows.session", lambda: state)
    rows(state, Side("gpt2", "GPT-2", doubling(1)), chosen)
    st.session_state[drawn["key"]] = {"selection": {"rows": picked}}
    drawn["on_select"]()
    assert state.pages.of(VocabularyState).picked == ("gpt2", ids)


def test_a_corpus_that_the_tokenizer_cannot_spell_is_said_and_the_rest_is_there() -> None:
    state = with_run(recipe="course", num_merges=2)
    first = shown_run(state)
    state.show(run_of(NamedText("dogs *x*", "dogs dig " * 3), TrainingSettings()))
    state.tokenizers.picked["vocabulary"] = f"run-{first.number}"
    app = opened(state)
    assert app.error[0].value.startswith("Can\\'t count uses in dogs \\*x\\*\\.")
    assert listed(app)["uses"].isna().all()
    assert not any("Never used" in o.content for o in app.get("button_group")[0].proto.options)


def test_tokens_that_look_like_markup_are_shown_letter_by_letter() -> None:
    app = opened(with_run("**b** <i>**b** <i>**b** <i>" * 4, num_merges=12, split="none"))
    app.text_input(key="vocabulary_search").set_value("**b**␣<i>").run()
    state: Session = app.session_state["session"]
    table = listed(app)
    state.pages.of(VocabularyState).picked = f"run-{shown_run(state).number}", (int(table["id"].iloc[0]),)
    app.run()
    assert not app.exception
    (title,) = [m.value for m in app.markdown if m.value.startswith("**")]
    assert "<" not in title.replace("\\<", "")
    assert "*" not in title[2:-2].replace("\\*", "")


def test_a_long_table_shows_its_first_rows_and_search_finds_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bpeviz.ui.vocabulary.rows.limits", lambda: replace(limits(), max_table_rows=100))
    app = opened(Session())
    assert len(listed(app)) == 100
    assert "The table shows the first 100 rows in this order. Search finds the others." in captions(app)
    assert caption(app).startswith("50,257 tokens: ")
    last = load_pretrained().n_vocab - 1
    app.text_input(key="vocabulary_search").set_value(str(last)).run()
    assert listed(app)["id"].tolist() == [last]
    assert "The table shows" not in captions(app)


@pytest.mark.parametrize("token", ["a", "a" * 300, "é" * 300, "🙂" * 300])
def test_the_table_fits_into_a_message_however_long_its_tokens_are(
    monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setattr(st, "get_option", lambda name: 0.2)
    tokens = [f"{number:04d}{token}" for number in range(5_000)]
    table = pd.DataFrame({"text": tokens, "length": [len(each.encode()) for each in tokens]})
    shown = _fitting(table, 5_000)
    assert 150 < len(shown) < 5_000
    assert shown["text"].tolist() == tokens[: len(shown)]
    cells = shown.assign(
        text=shown["text"].str.slice(stop=CHARACTERS_IN_A_CELL),
        bytes=[hex_bytes(each.encode(), limit=BYTES_IN_A_CELL) for each in shown["text"]],
    )
    assert len(convert_pandas_df_to_arrow_bytes(cells)) + 80 * len(cells) < 200_000


def with_file(tokenizer: Tokenizer) -> Session:
    """A session with an uploaded tokenizer on show."""
    state = Session()
    state.tokenizers.picked["vocabulary"] = state.tokenizers.add(UploadedTokenizer("brought"), tokenizer)
    return state


def doubling(times: int, first_id: int = 256) -> Tokenizer:
    """Merges that make tokens of 2, 4, 8 … times "a"."""
    halves = [97, *range(first_id, first_id + times - 1)]
    merges = [((half, half), first_id + i) for i, half in enumerate(halves)]
    return Tokenizer(ByteVocabulary(bytes(range(256))), merges, split=SPLIT_PATTERNS["none"])


def test_a_high_id_is_listed_like_any_other_and_costs_no_more() -> None:
    app = opened(with_file(doubling(3, first_id=2**31)))
    app.text_input(key="vocabulary_search").set_value(str(2**31 + 1)).run()
    (row,) = listed(app).to_dict("records")
    assert (row["id"], row["token"], row["merge"], row["uses"]) == (2**31 + 1, "aaaa", 2, 0)
    assert app.session_state["session_cache"].byte_total < 1_000_000


def test_a_token_of_megabytes_is_shown_at_its_ends() -> None:
    state = with_file(doubling(24))
    state.pages.of(VocabularyState).sort = "length"
    state.pages.of(VocabularyState).picked = "file-1", (256 + 23,)
    app = opened(state)
    first = listed(app).iloc[0]
    assert (first["length"], first["token"]) == (2**24, "a" * 19 + "…" + "a" * 19)
    sent = [
        first["bytes"],
        *(code.value for code in app.code),
        *(m.value for m in app.markdown),
        *(c.value for c in app.caption),
    ]
    assert max(map(len, sent)) < 50_000
    assert any("61 61 … 61" in code.value for code in app.code)


def test_more_than_can_be_downloaded_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(limits(), max_download_bytes=1_000)
    monkeypatch.setattr("bpeviz.ui.vocabulary.rows.limits", lambda: few)
    app = opened(with_file(doubling(10)))
    assert not app.get("download_button")
    size = 256 + 2**11 - 2
    assert f"These tokens have {size:,} bytes, too many to save. The limit is 1,000." in captions(app)
    app.text_input(key="vocabulary_search").set_value("b").run()
    assert len(app.get("download_button")) == 2


def test_far_too_long_a_search_is_said_before_any_work_and_stays_in_its_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = opened(with_run(num_merges=10))
    monkeypatch.setattr("bpeviz.ui.vocabulary.rows.search", lambda *_: pytest.fail("it was searched for"))
    app.text_input(key="vocabulary_search").set_value("0x" + " " * 2_000_000 + "z").run()
    assert not app.exception
    assert first_error(app) == (
        "What to search for has 2,000,003 characters, 1,999,003 more than the 1,000 that this field takes. "
        "Shorten it."
    )
    assert len(app.text_input(key="vocabulary_search").value) == 2_000_003
    state: Session = app.session_state["session"]
    assert state.pages.of(VocabularyState).search == ""


def test_two_sessions_share_nothing_that_was_computed() -> None:
    tokenizer = doubling(3)
    one, two = (opened(with_file(tokenizer)).session_state["session_cache"] for _ in range(2))
    assert one.byte_total == two.byte_total > 0
    assert [*one._entries] == [*two._entries]
    for key in one._entries:
        assert one._entries[key][0] is not two._entries[key][0]


def test_the_rows_on_show_are_described_until_a_token_is_picked() -> None:
    app = opened(with_run("The cat sat. the cat sat. The cat. " * 3, num_merges=20))
    whole = described(app)
    assert whole == [
        "Words with a leading space: 4; without: 6; both ways: 4.",
        "Words in several cases: 1, such as The, the",
    ]
    app.text_input(key="vocabulary_search").set_value("at").run()
    assert described(app) == [
        "Words with a leading space: 2; without: 3; both ways: 2.",
        "Words in several cases: none.",
    ]
    app.text_input(key="vocabulary_search").set_value("␣sat").run()
    assert described(app) == []  # one token, with its tree


def described(app: AppTest) -> list[str]:
    """The sentences about the structure of the tokens on show."""
    return [plain(m.value).replace("*", "") for m in app.markdown if m.value.startswith("**Words")]


def test_a_token_that_no_merge_makes_is_told_in_words() -> None:
    changes: dict[Any, Any] = {
        ("model", "vocab"): {"a": 0, "b": 1, "ab": 2, "bab": 3},
        ("model", "merges"): ["a b"],
        ("model", "ignore_merges"): True,
        ("added_tokens",): [],
    }
    state = with_file(read_tokenizer(as_file(tiny(changes))))
    state.pages.of(VocabularyState).search = "3"
    told = plain(opened(state).caption[1].value)
    assert told.startswith("Id 3, 3 bytes, only a whole pre-token becomes it.")
