"""What is packed of a word's growth, and which word the page shows; tests/browser looks at the trees."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import load_pretrained
from bpeviz.browser.encoding import MOST_SYMBOLS, grown, pack_growth
from bpeviz.sessions.page_fields import Text
from bpeviz.ui.encode.page import encode_page
from bpeviz.ui.encode.state import EncodeState
from bpeviz.ui.encode.word_variants import variants_of, word_variants
from bpeviz.ui.kit.parts import picked_word
from bpeviz.ui.session.session import Session
from tests.support.app_test import CAT, biography, drawn, labelled, shown_run, with_run


def opened(state: Session) -> AppTest:
    return drawn(encode_page, state)


def test_hotel_of_gpt2_is_packed_with_its_merges() -> None:
    packed = pack_growth(" hotel", [grown("GPT-2", load_pretrained("gpt2"), " hotel")])
    assert packed["word"] == "␣hotel"
    (growth,) = packed["growths"]
    assert (growth["title"], growth["merges"], growth["long"]) == ("GPT-2", 50_000, False)
    (part,) = growth["parts"]
    made = [growth["tokens"][str(step[1])][2] for step in part["steps"]]
    assert made[-1] == "␣hotel"
    assert len(made) == len(part["symbols"]) - 1


def test_a_word_that_gpt2_cuts_has_two_parts() -> None:
    (growth,) = pack_growth("that's", [grown("GPT-2", load_pretrained("gpt2"), "that's")])["growths"]
    assert [len(part["symbols"]) for part in growth["parts"]] == [4, 2]


@pytest.mark.parametrize(("length", "long"), [(MOST_SYMBOLS, False), (MOST_SYMBOLS + 1, True)])
def test_a_long_word_is_not_sent(length: int, long: bool) -> None:
    word = "x" * length
    (growth,) = pack_growth(word, [grown("GPT-2", load_pretrained("gpt2"), word)])["growths"]
    assert (growth["long"], growth["parts"] == [], growth["tokens"] == {}) == (long, long, long)


def test_the_longest_word_of_several_tokens_grows_first_and_alone_in_gpt2() -> None:
    app = drawn(encode_page, None)
    assert biography(app)["word"] == "␣unhappily"
    assert [growth["title"] for growth in biography(app)["growths"]] == ["GPT-2"]


def test_any_other_tokenizer_s_tree_stands_beside_and_is_remembered() -> None:
    state = with_run(num_merges=12)
    app = drawn(encode_page, state)
    labelled(app.selectbox, "Merge tree beside").set_value("o200k_base").run()
    assert [growth["title"] for growth in biography(app)["growths"]] == ["cats", "o200k_base"]
    assert state.pages.of(EncodeState).saved.beside == "o200k_base"


def test_the_cases_of_the_word_are_cards_with_their_tokens() -> None:
    assert variants_of("  DNA") == ["dna", " dna", "Dna", " Dna", "DNA", " DNA"]
    assert variants_of("灯台") == ["灯台", " 灯台"]
    assert variants_of(" \n") == []
    gpt2 = load_pretrained("gpt2")
    app = drawn(word_variants, tokenizer=gpt2, word=" The")
    (cards,) = [json.loads(c.proto.json) for c in app.get("bidi_component")]
    assert [each["ids"] for each in cards["variants"]] == [gpt2.encode(each) for each in variants_of(" The")]
    assert [each["text"] for each in cards["variants"][:2]] == ["the", "␣the"]
    assert cards["tokens"][str(gpt2.encode(" The")[0])][2] == "␣The"


def test_a_word_of_a_run_grows_beside_gpt2() -> None:
    state = with_run(num_merges=12)
    app = opened(state)
    own, gpt2 = biography(app)["growths"]
    assert (own["title"], own["merges"]) == (shown_run(state).name, 12)
    assert (gpt2["title"], gpt2["merges"]) == ("GPT-2", 50_000)


def test_a_picked_word_stays_until_the_text_has_another_there() -> None:
    state = with_run(CAT, num_merges=12)
    encode = state.pages.of(EncodeState)
    encode.saved.text = Text("the hat, the cat")
    encode.word = (4, " cat")
    assert biography(opened(state))["word"] == "␣cat"
    encode.saved.text = Text("the hat, the unhappily")
    assert biography(opened(state))["word"] == "␣unhappily"
    assert encode.word == (4, " unhappily")


@pytest.mark.parametrize("word", [-1, 3, 1.5, "1", None, True, [1], {"a": 1}])
def test_a_word_that_is_none_of_the_text_is_not_taken(word: object) -> None:
    assert picked_word({"word": word}, 3) is None
    assert picked_word(None, 3) is None
    assert picked_word({"word": 2}, 3) == 2
