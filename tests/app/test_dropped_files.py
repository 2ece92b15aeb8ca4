"""Files dropped on pages other than the main one, without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.limits import limits
from bpeviz.ui.compare.page import compare_page
from bpeviz.ui.encode.page import encode_page
from bpeviz.ui.kit.pick_side import picked_side
from bpeviz.ui.learn.page import learn_page
from bpeviz.ui.recipes.page import recipes_page
from bpeviz.ui.vocabulary.page import vocabulary_page
from tests.support.app_test import compare_of, drawn, state_of
from tests.support.paths import ROOT

TEXT = (ROOT / "sample_texts" / "english-prose.txt").read_bytes()
CODES = b"#version: 0.2\nl o\nlo w</w>\n"
PAGES = {
    "compare": compare_page,
    "recipes": recipes_page,
    "encode": encode_page,
    "learn": learn_page,
    "vocabulary": vocabulary_page,
}


def drop(page: str, name: str, data: bytes) -> AppTest:
    app = drawn(PAGES[page])
    app.file_uploader(key=f"dropped_on_{page}-0").set_value([(name, data, "text/plain")]).run()
    assert not app.exception
    return app


def problem(app: AppTest) -> str:
    return state_of(app).problem


def test_a_text_dropped_on_encode_is_encoded_and_the_field_is_empty_for_the_next() -> None:
    app = drop("encode", "x.txt", b"the cat in the hat")
    assert app.text_area(key="encode_text").value == "the cat in the hat"
    app.file_uploader(key="dropped_on_encode-1").set_value([("y.txt", b"a dog", "text/plain")]).run()
    assert app.text_area(key="encode_text").value == "a dog"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"ab\xff", "x.txt is not UTF-8"),
        (b"a" * (limits().max_counted_bytes + 1), "x.txt has "),
    ],
)
def test_a_file_that_encode_cannot_use_is_named_and_the_text_stays(data: bytes, says: str) -> None:
    app = drop("encode", "x.txt", data)
    assert says in problem(app)
    assert "lighthouse" in (app.text_area(key="encode_text").value or "")


def test_a_text_dropped_on_compare_is_compared_on_and_the_next_one_replaces_it() -> None:
    app = drop("compare", "x.txt", TEXT)
    fields = compare_of(state_of(app)).saved.text
    assert (fields.source, fields.uploaded and fields.uploaded.text.text) == ("Upload", TEXT.decode())
    app.file_uploader(key="dropped_on_compare-1").set_value([("y.txt", b"a dog", "text/plain")]).run()
    assert not app.exception
    assert fields.uploaded is not None
    assert (fields.source, fields.uploaded.text.text) == ("Upload", "a dog")


def test_a_tokenizer_dropped_on_vocabulary_is_picked() -> None:
    state = state_of(drop("vocabulary", "codes.txt", CODES))
    (key,) = state.tokenizers.files
    assert state.tokenizers.picked["vocabulary"] == key


def test_a_tokenizer_dropped_on_compare_is_a_row_and_both_sides_stay() -> None:
    before = drawn(PAGES["compare"])
    sides = [picked_side(state_of(before), slot) for slot in ("left", "right")]
    state = state_of(drop("compare", "codes.txt", CODES))
    assert [picked_side(state, slot) for slot in ("left", "right")] == sides
    assert compare_of(state).saved.others == tuple(state.tokenizers.files)


def test_a_text_over_the_detail_dropped_on_encode_is_counted() -> None:
    app = drop("encode", "x.txt", b"a " * limits().max_encoded_characters)
    assert problem(app) == ""
    assert any("tokens**" in each.value for each in app.markdown)


def test_a_text_dropped_on_vocabulary_is_refused_in_a_sentence() -> None:
    app = drop("vocabulary", "x.txt", TEXT)
    assert problem(app) == "This page takes tokenizer files. Drop a text on Watch, Encode or Compare."
    assert not state_of(app).tokenizers.files


@pytest.mark.parametrize("page", ["recipes", "learn"])
def test_a_page_that_takes_no_files_says_so(page: str) -> None:
    app = drawn(PAGES[page])
    assert [text.value for text in app.text if "takes no files" in text.value] == [
        "This page takes no files. Drop texts on Watch, Encode or Compare."
    ]
