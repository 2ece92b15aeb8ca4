"""Dropping tokens on the vocabulary page, without a browser."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import load_pretrained
from bpeviz.formats.isolated import trim_in_worker
from bpeviz.formats.reading import read_tokenizer
from bpeviz.limits import Limits
from bpeviz.runs.samples import read_sample
from bpeviz.sessions.page_fields import Text, read_page, write_page
from bpeviz.ui.kit.tokenizer_files import tokenizer_download
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import UploadedTokenizer
from bpeviz.ui.vocabulary.page import vocabulary_page
from bpeviz.ui.vocabulary.state import DROP, Drops, VocabularyFields, VocabularyState
from tests.support.app_test import drawn, plain, shown_run, with_run
from tests.support.tokenizer_files import as_file, tiny

GPT2 = "gpt2"
NOTHING = Drops()


def opened(state: Session) -> AppTest:
    state.pages.of(VocabularyState).panel = DROP
    return drawn(vocabulary_page, state)


def of_gpt2(drops: Drops = NOTHING, search: str = "␣the") -> Session:
    """A session that shows GPT-2 without a run, and the token ␣the, which a search finds with others."""
    state = Session()
    state.tokenizers.picked["vocabulary"] = GPT2
    fields = state.pages.of(VocabularyState)
    fields.saved.drops[GPT2] = drops
    fields.search = search
    fields.picked = GPT2, (262,)
    return state


def fields_of(app: AppTest) -> VocabularyState:
    state: Session = app.session_state["session"]
    return state.pages.of(VocabularyState)


def said(app: AppTest) -> str:
    return "\n".join(plain(each.value) for each in app.markdown).replace("*", "")


def press(app: AppTest, key: str) -> None:
    app.button(key=key).click().run()


def test_50_tokens_go_with_the_of_gpt2_and_the_text_says_what_it_costs():
    app = opened(of_gpt2())
    assert "Nothing is dropped" in plain(app.caption[-1].value)
    press(app, "drop_picked")
    gpt2, text = load_pretrained("gpt2"), read_sample("English prose")
    before, after = (len(each.encode(text)) for each in (gpt2, gpt2.without([" the"])))
    assert "1 token dropped, 49 fall with them. 50,207 of 50,257 are left." in said(app)
    assert (
        f"English prose: {before:,} tokens before, {after:,} after, {(after - before) / before:+.1%}"
        in said(app)
    )
    listed = app.dataframe[-1].value
    assert len(listed) == 50
    assert listed["why"].tolist() == ["falls"] * 49 + ["dropped"]
    assert fields_of(app).saved.drops[GPT2].also == (262,)


def test_undo_takes_back_each_change_and_clear_all():
    app = opened(of_gpt2())
    press(app, "drop_picked")
    app.checkbox[0].set_value(True).run()
    assert fields_of(app).saved.drops[GPT2] == Drops(unused=True, also=(262,))
    press(app, "drop_undo")
    assert fields_of(app).saved.drops[GPT2] == Drops(also=(262,))
    assert app.checkbox[0].value is False
    press(app, "drop_undo")
    assert fields_of(app).saved.drops == {}
    press(app, "drop_picked")
    press(app, "drop_clear")
    assert fields_of(app).saved.drops == {}
    assert "Nothing is dropped" in plain(app.caption[-1].value)


def test_what_the_text_never_needs_costs_it_nothing_and_a_token_can_be_an_exception():
    app = opened(of_gpt2(Drops(unused=True), "␣zoo"))
    assert "0 fall with them" in said(app)
    assert "+0.0%" in said(app)
    app.text_input(key="vocabulary_search").set_value("␣zones").run()
    press(app, "drop_keep")
    token = load_pretrained("gpt2").token_to_id(" zones")
    assert fields_of(app).saved.drops[GPT2] == Drops(unused=True, kept=(token,))


def test_rules_are_met_together_and_ids_close_up_or_not():
    app = opened(of_gpt2())
    app.number_input[0].set_value(20).run()
    next(each for each in app.selectbox if "Script" in each.label).set_value("Latin").run()
    drops = fields_of(app).saved.drops[GPT2]
    assert drops == Drops(longer_than=20, script="Latin")
    listed = app.dataframe[-1].value["token"]
    assert len(listed) > 3
    app.button_group(key=f"drop_ids-{GPT2}-0").set_value("holes").run()
    assert fields_of(app).saved.drops[GPT2].ids == "holes"


def test_ticked_rows_are_dropped_and_kept_together():
    gpt2 = load_pretrained("gpt2")
    weather, climate, end = (gpt2.token_to_id(each) for each in (" weather", " climate", "<|endoftext|>"))
    state = of_gpt2(search="")
    state.pages.of(VocabularyState).picked = GPT2, (weather, climate, end)
    app = opened(state)
    assert "Drop 2 tokens" in [plain(each.label) for each in app.button]
    press(app, "drop_picked")
    fields = fields_of(app)
    assert fields.saved.drops[GPT2].also == (weather, climate)  # as in the table
    fields.picked = GPT2, (weather, gpt2.token_to_id(" rain"))
    app.run()
    labels = [plain(each.label) for each in app.button]
    assert any(each.startswith("Drop") and "rain" in each for each in labels)
    assert any(each.startswith("Keep") and "weather" in each for each in labels)
    press(app, "drop_keep")
    assert fields_of(app).saved.drops[GPT2].also == (climate,)
    fields_of(app).picked = GPT2, (gpt2.token_to_id("a"), end)
    app.run()
    assert "2 tokens stay" in "\n".join(plain(each.value) for each in app.caption)


def test_while_dropping_the_table_has_rows_that_can_all_be_ticked():
    app = opened(of_gpt2(search=""))
    assert "The table shows the first 1,000 rows" in "\n".join(each.value for each in app.caption)
    proto = app.dataframe[0].proto
    assert list(proto.selection_mode) == [proto.SelectionMode.MULTI_ROW]


def test_all_rows_on_show_are_dropped_at_once():
    app = opened(of_gpt2(search="␣weather"))
    app.text_input(key="vocabulary_search").set_value("weather").run()
    press(app, "drop_rows")
    gpt2 = load_pretrained("gpt2")
    assert {i for i, token in gpt2.vocabulary.items() if b"weather" in token.lower()} >= set(
        fields_of(app).saved.drops[GPT2].also
    )
    assert len(fields_of(app).saved.drops[GPT2].also) > 1


def test_a_second_text_has_its_own_cost():
    state = of_gpt2(Drops(also=(262,)))
    app = opened(state)
    app.text_area(key="drop_second_text").set_value("in the hat, the cat").run()
    assert "The second text: 6 tokens before, 8 after, +33.3%" in said(app)
    assert fields_of(app).saved.second_text == Text("in the hat, the cat")


def test_base_symbols_and_special_tokens_have_no_button():
    app = opened(of_gpt2(search="<|endoftext|>"))
    assert "can’t be dropped" in "\n".join(plain(each.value) for each in app.caption)
    assert not [each for each in app.button if each.key == "drop_picked"]


def test_a_tokenizer_without_merges_says_so():
    state = with_run(num_merges=0)
    state.pages.of(VocabularyState).saved.drops[str(shown_run(state).number)] = Drops(longer_than=0)
    assert "This tokenizer has no merges" in opened(state).error[0].value


def test_a_limit_is_for_tokens_one_by_one(monkeypatch):
    monkeypatch.setattr("bpeviz.ui.vocabulary.drop_buttons.limits", lambda: Limits(max_ticked_tokens=1))
    app = opened(of_gpt2())
    press(app, "drop_picked")
    app.text_input(key="vocabulary_search").set_value("␣weather").run()
    press(app, "drop_picked")
    assert fields_of(app).saved.drops[GPT2].also == (262,)
    assert "1 token at most" in app.toast[0].value


@pytest.mark.parametrize("ids", [(97, 50256, 10**9), (262,)])
def test_a_saved_session_may_name_any_ids(ids):
    app = opened(of_gpt2(Drops(also=ids)))
    assert not app.exception
    assert ("1 token dropped" in said(app)) == (262 in ids)


def test_what_is_dropped_is_saved_with_the_session():
    fields = VocabularyFields({GPT2: Drops(True, 3, "Han", (1, 2), (3,), "holes")}, Text("later"))
    texts = {}

    def digest_of(text):
        texts["0" * 64] = text
        return "0" * 64

    assert read_page(write_page(fields, digest_of), VocabularyFields, texts) == fields


def test_a_persons_file_is_saved_with_all_else_as_it_was():
    files = as_file(tiny())
    state = Session()
    key = state.tokenizers.add(UploadedTokenizer.of(files, None), read_tokenizer(files))
    state.tokenizers.picked["vocabulary"] = key
    state.pages.of(VocabularyState).saved.drops[key] = Drops(also=(4,))
    assert not opened(state).exception
    (data,) = trim_in_worker(files, (4,), ids="closed", split=None).values()
    left = json.loads(data)
    assert left["model"]["vocab"] == {"<|end|>": 0, "a": 1, "b": 2, "Ġ": 3}
    assert left["pre_tokenizer"] == tiny()["pre_tokenizer"]


def test_two_files_of_a_format_are_a_zip():
    left = load_pretrained("gpt2").without([" the"])
    assert tokenizer_download(left, "gpt2")[:2] == b"PK"
    assert json.loads(tokenizer_download(left, "huggingface"))["version"] == "1.0"


def test_what_was_dropped_from_a_removed_file_is_not_dropped_from_the_next():
    state, files = Session(), as_file(tiny())
    tokenizers, fields = state.tokenizers, state.pages.of(VocabularyState)
    key = tokenizers.add(UploadedTokenizer.of(files, None), read_tokenizer(files))
    fields.drop(key, Drops(also=(4,)))
    tokenizers.remove(key)
    other = as_file(tiny(), "other.json")
    assert (
        fields.drops_of(tokenizers.add(UploadedTokenizer.of(other, None), read_tokenizer(other))) == NOTHING
    )
