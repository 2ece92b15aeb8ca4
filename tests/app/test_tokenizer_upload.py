"""The upload field for tokenizer files, without a browser: what it asks and what it reads."""

import warnings

from streamlit.testing.v1 import AppTest

from bpeviz.ui.pages.compare.tokenizer_upload import tokenizer_upload
from bpeviz.ui.session.session import Session
from tests.support.app_test import drawn, first_error
from tests.support.tokenizer_files import as_file, ranks, tiny


def brought(files: dict[str, bytes]) -> tuple[AppTest, Session]:
    state = Session()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        app = drawn(tokenizer_upload, state, state=state)
        app.file_uploader[0].set_value([(name, data, "text/plain") for name, data in files.items()]).run()
    assert not app.exception
    return app, state


def splits(state: Session) -> list[str]:
    return [state.tokenizers.open(key).split.name for key in state.tokenizers.files]


def test_the_split_pattern_of_ranks_is_asked_for_where_the_name_says_none() -> None:
    app, state = brought(ranks({b"ab": 256}, "mine.tiktoken"))
    (field,) = app.selectbox
    assert (field.label, field.value) == ("Split pattern", None)
    assert splits(state) == []
    field.select("rustbpe").run()
    assert not app.exception
    assert splits(state) == ["rustbpe"]


def test_what_says_its_split_pattern_asks_for_none() -> None:
    for files, split in ((ranks(name="o200k_base.tiktoken"), "o200k"), (as_file(tiny()), "gpt2")):
        app, state = brought(files)
        assert not app.selectbox
        assert splits(state) == [split]


def test_what_is_no_tokenizer_says_why() -> None:
    app, state = brought({"x.tiktoken": b"Call me Ishmael."})
    assert not app.selectbox
    assert "not a tokenizer file" in first_error(app)
    assert splits(state) == []


def test_a_refused_file_is_named_letter_by_letter_and_changes_nothing() -> None:
    app, state = brought({"<b>x</b>.json": b'{"model": {"type": "Syllables"}}'})
    assert "<b>x</b>.json" in first_error(app)
    assert "Syllables" in first_error(app)
    assert "<" not in app.error[0].value.replace("\\<", "")
    assert state.tokenizers.picked == {}
    assert splits(state) == []


def test_after_a_file_the_field_is_empty_for_the_next_one() -> None:
    app, state = brought(as_file(tiny()))
    assert not app.file_uploader[0].value
    app.file_uploader[0].set_value([("b.json", *as_file(tiny()).values(), "text/plain")]).run()
    app.file_uploader[0].set_value([("o200k.tiktoken", *ranks().values(), "text/plain")]).run()
    assert not app.exception
    assert [each.name for each in state.tokenizers.files.values()] == ["tokenizer.json", "o200k.tiktoken"]
    assert state.tokenizers.picked["left"] == list(state.tokenizers.files)[-1]
