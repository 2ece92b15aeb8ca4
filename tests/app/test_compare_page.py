"""Flows through the compare page without a browser. tests/browser proves what the component draws."""

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import load_pretrained, train_tokenizer
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.known_models import KNOWN_MODELS
from bpeviz.formats.llms_from_scratch import NOTEBOOK_PATTERNS
from bpeviz.formats.writing import write_tokenizer
from bpeviz.runs.run import NamedText
from bpeviz.sessions.page_fields import Text
from bpeviz.ui.compare.comparer import Rivals, merges_of, take_over
from bpeviz.ui.compare.page import _ids, compare_page
from bpeviz.ui.kit.tokenizer_sources import get_side
from tests.support.app_test import (
    CAT,
    compare_of,
    drawn,
    first_error,
    labelled,
    on_compare_page,
    pasted,
    plain,
    press,
    shown_run,
    state_of,
    typed,
    with_run,
)

#: The merges of two tokenizers that no slider of these tests is at.
ENDS = 60_000, 60_000


def sides_on_show(app: AppTest) -> tuple[str, str]:
    """The names of both sides in the component's data."""
    packed = compare_of(state_of(app)).packed
    assert packed is not None
    return packed[0][1][1], packed[0][2][1]  # type: ignore[index]


def test_the_shown_run_stands_beside_gpt2_on_its_own_corpus() -> None:
    app = on_compare_page(pasted(CAT))
    assert not app.exception
    assert not app.error
    assert sides_on_show(app) == ("pasted text", "GPT-2")
    assert app.selectbox[0].options == [
        "pasted text",
        "GPT-2",
        "cl100k_base",
        "o200k_base",
        *(f"{name} · from the Hub" for name in KNOWN_MODELS),
    ]


def test_without_a_run_gpt2_is_compared_with_o200k() -> None:
    app = drawn(compare_page)
    assert not app.exception
    assert sides_on_show(app) == ("GPT-2", "o200k_base")
    assert not app.info


def test_the_same_tokenizer_on_both_sides_is_said() -> None:
    app = drawn(compare_page)
    app.selectbox[1].set_value("gpt2").run()
    assert not app.exception
    assert sides_on_show(app) == ("GPT-2", "GPT-2")
    assert "Both sides are the same tokenizer. Pick another" in app.info[0].value


def test_a_run_begins_at_its_last_merge_against_all_of_gpt2() -> None:
    app = on_compare_page(pasted(CAT))
    state = state_of(app)
    run = state.run
    assert run is not None
    assert not compare_of(state).saved.locked
    assert merges_of(compare_of(state).saved, "left", get_side(state, f"run-{run.number}")) == len(run.steps)
    assert merges_of(compare_of(state).saved, "right", get_side(state, "gpt2")) == 50_000


def test_with_the_tick_another_tokenizer_begins_at_an_equal_vocabulary_size() -> None:
    app = on_compare_page(pasted(CAT))
    state = state_of(app)
    run = state.run
    assert run is not None
    run_key, merges = f"run-{run.number}", len(run.steps)
    # wherever the sliders were
    take_over(state, ENDS, Rivals(left=4, right=3, locked=True, serial=1))
    app.selectbox[1].set_value("o200k_base").run()
    assert compare_of(state).saved.merges_by_side["left", run_key] == merges
    assert (
        compare_of(state).saved.merges_by_side["right", "o200k_base"] == merges - 2
    )  # its special tokens count
    # without the tick each keeps its place
    take_over(state, ENDS, Rivals(left=4, right=3, locked=False, serial=1))
    app.selectbox[1].set_value("gpt2").run()
    assert compare_of(state).saved.merges_by_side["left", run_key] == 4
    assert compare_of(state).saved.merges_by_side["right", "gpt2"] == 3
    app.selectbox[1].set_value("cl100k_base").run()
    assert merges_of(compare_of(state).saved, "right", get_side(state, "cl100k_base")) == 100_000


def test_a_session_of_an_older_version_that_compared_nothing_begins_with_all_merges() -> None:
    state = with_run(CAT)
    compare_of(state).saved.locked = True
    app = drawn(compare_page, state)
    assert not app.exception
    assert not compare_of(state).saved.locked
    assert merges_of(compare_of(state).saved, "right", get_side(state, "gpt2")) == 50_000


def test_with_the_tick_a_vocabulary_smaller_than_gpt2_s_bytes_is_set_against_no_merges() -> None:
    state = with_run("aab aab aab", recipe="subword-nmt", num_merges=2)
    key = f"run-{shown_run(state).number}"
    assert shown_run(state).tokenizer.vocab_sizes[-1] < 256
    compare_of(state).saved.locked = True
    compare_of(state).saved.set_merges("left", key, 1)
    assert not drawn(compare_page, state).exception
    assert compare_of(state).saved.merges_by_side == {("left", key): 2, ("right", "gpt2"): 0}


def test_more_rows_are_added_and_removed_and_are_never_those_of_a_side() -> None:
    app = on_compare_page(pasted(CAT))
    assert app.multiselect[0].options == ["cl100k_base", "o200k_base"]
    app.multiselect[0].set_value(["o200k_base", "cl100k_base"]).run()
    assert not app.exception
    packed = compare_of(state_of(app)).packed
    assert packed is not None
    assert [row[0] for row in packed[0][3:5]] == ["o200k_base", "cl100k_base"]  # type: ignore[index]
    app.selectbox[1].set_value("o200k_base").run()
    assert app.multiselect[0].options == ["GPT-2", "cl100k_base"]
    assert app.multiselect[0].value == ["cl100k_base"]
    app.multiselect[0].set_value([]).run()
    assert not app.exception
    assert compare_of(state_of(app)).saved.others == ()


def test_a_row_that_cannot_split_the_text_is_left_out_and_explained() -> None:
    state = with_run("the cat in the hat " * 3, split="custom", custom_pattern=r"[a-z]+|\s+", num_merges=5)
    state.tokenizers.picked = {"left": "gpt2", "right": "o200k_base"}
    compare_of(state).saved.text.source, compare_of(state).saved.text.typed = "Type", Text("a 灯*台")
    compare_of(state).saved.others = (f"run-{shown_run(state).number}", "cl100k_base")
    app = drawn(compare_page, state)
    assert not app.exception
    assert "3]\u00a0cats can't split this text" in plain(app.warning[0].value)
    assert compare_of(state).packed is not None
    assert compare_of(state).packed[0][3][0] == "cl100k_base"


def test_sides_change_places_and_keep_their_merges() -> None:
    app = on_compare_page(pasted(CAT))
    take_over(state_of(app), ENDS, Rivals(left=4, right=300, locked=True, serial=1))
    press(app, "Swap")
    assert sides_on_show(app) == ("GPT-2", "pasted text")
    assert compare_of(state_of(app)).saved.merges_by_side["left", "gpt2"] == 300


def test_an_encoding_that_is_not_here_is_listed_and_tells_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise TokenizerFileError(name, "its file is not on this machine. Copy it.")

    app = on_compare_page(pasted(CAT))
    monkeypatch.setattr("bpeviz.ui.kit.tokenizer_sources.load_pretrained", missing)
    app.selectbox[1].set_value("cl100k_base").run()
    assert not app.exception
    assert "Copy it" in app.error[0].value
    monkeypatch.undo()
    app.selectbox[1].set_value("gpt2").run()
    assert not app.error


def test_a_text_that_the_recipe_cannot_spell_is_explained() -> None:
    first = pasted(CAT)
    labelled(first.selectbox, "Recipe").set_value("course").run()
    app = typed(on_compare_page(first), "the zoo")
    assert "The base vocabulary has no symbol for 'z'" in first_error(app)


def test_a_pattern_that_misses_a_character_is_explained_with_a_pattern_that_does_not() -> None:
    state = with_run("the cat in the hat " * 3, split="custom", custom_pattern=r"[a-z]+|\s+", num_merges=5)
    compare_of(state).saved.text.source, compare_of(state).saved.text.typed = "Type", Text("a 灯*台")
    app = drawn(compare_page, state)
    assert not app.exception
    assert not app.error
    assert plain(app.warning[0].value).startswith(
        ":blue-badge[L]\u00a0cats can't split this text: its split pattern misses **灯**, character 3. "
    )
    assert app.code[0].value == r"[a-z]+|\s+|[\s\S]"
    repaired = with_run("the cat in the hat " * 3, split="custom", custom_pattern=app.code[0].value)
    compare_of(repaired).saved.text = compare_of(state).saved.text
    assert not drawn(compare_page, repaired).warning


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
    labelled(app.selectbox, "Text").set_value(("Sample", "German")).run()
    assert not app.text_area
    assert compare_of(state_of(app)).saved.text.sample == "German"
    labelled(app.selectbox, "Text").set_value(("Type", "")).run()
    assert app.text_area(key="compare_typed").value == "This is some text"


def test_the_places_of_the_sliders_are_kept_and_the_player_stays_at_its_step() -> None:
    app = on_compare_page(pasted(CAT))
    state = state_of(app)
    state.step = 2
    take_over(state, ENDS, Rivals(left=4, right=1_000, locked=True, serial=1))
    assert compare_of(state).saved.merges_by_side["left", f"run-{state.shown}"] == 4
    assert compare_of(state).saved.merges_by_side["right", "gpt2"] == 1_000
    assert state.step == 2
    assert compare_of(state).saved.locked


def test_the_ids_of_both_sides_are_those_of_as_many_merges() -> None:
    app = typed(on_compare_page(pasted(CAT)), "This is some text")
    state = state_of(app)
    assert state.run is not None
    mine = state.run.tokenizer.after(2).encode("This is some text")
    text = NamedText("typed text", "This is some text")
    for key, merges, ids in (
        (f"run-{state.shown}", 2, " ".join(map(str, mine))),
        ("gpt2", 50_000, "1212 318 617 2420"),
    ):
        (code,) = drawn(_ids, state, slot="left", side=get_side(state, key), merges=merges, text=text).code
        assert code.value == ids
    assert load_pretrained("gpt2").decode([1212, 318, 617, 2420]) == "This is some text"


def test_what_else_there_is_follows_once_the_text_is_on_the_screen() -> None:
    app = on_compare_page(pasted(CAT))
    assert not app.tabs
    compare = compare_of(state_of(app))
    take_over(state_of(app), ENDS, Rivals(left=5, right=50_000, locked=False, serial=compare.serial))
    app.run()
    assert not app.exception
    assert {"Vocabularies", "All tokenizers", "Token ids"} <= {tab.label for tab in app.tabs}
    assert any(m.value.startswith("Of the first 5 merges") for m in app.markdown)


def test_files_of_an_older_notebook_ask_for_its_encoder() -> None:
    app = on_compare_page(pasted(CAT))
    tokenizer = train_tokenizer(CAT, "llms-from-scratch-simple", num_merges=9)
    files = write_tokenizer(tokenizer, "llms-from-scratch")
    merges = files["bpe_merges.txt"].replace(b'"pre_tokens"', b'"unmarked"')
    given = [
        ("vocab.json", files["vocab.json"], "application/json"),
        ("bpe_merges.txt", merges, "text/plain"),
    ]
    app.file_uploader(key="brought").set_value(given).run()
    assert not app.exception
    assert not state_of(app).tokenizers.files
    asked = app.selectbox(key="brought_split")
    assert [option.partition(" ")[0] for option in asked.options] == list(NOTEBOOK_PATTERNS)
    asked.set_value("words-and-line-ends").run()
    assert not app.exception
    (tokenizer,) = state_of(app).tokenizers.opened.values()
    assert tokenizer.split == NOTEBOOK_PATTERNS["words-and-line-ends"]
    assert not tokenizer.cautions
    (key,) = state_of(app).tokenizers.files
    assert len(app.selectbox(key=f"brought_split-{key}").options) == len(NOTEBOOK_PATTERNS)
