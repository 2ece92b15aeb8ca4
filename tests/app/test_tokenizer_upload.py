"""The upload field for tokenizer files, without a browser: what it asks and what it reads."""

import warnings

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.ui.compare.add_tokenizer import add_row, split_by, tokenizer_upload
from bpeviz.ui.kit.pick_side import picked_side
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import UploadedTokenizer
from tests.support.app_test import compare_of, drawn, first_error, plain, with_run
from tests.support.tokenizer_files import as_file, minbpe_model, ranks, tiny


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
    assert compare_of(state).saved.others == tuple(state.tokenizers.files)


def upload(app: AppTest, name: str, files: dict[str, bytes]) -> None:
    app.file_uploader[0].set_value([(name, *files.values(), "text/plain")]).run()
    assert not app.exception


@pytest.mark.parametrize("runs", [0, 1])
def test_a_tokenizer_is_added_as_a_row_and_both_sides_stay(runs: int) -> None:
    state = with_run() if runs else Session()
    sides = [picked_side(state, slot) for slot in ("left", "right")]
    app = drawn(tokenizer_upload, state, state=state)
    upload(app, "a.json", as_file(tiny()))
    assert [picked_side(state, slot) for slot in ("left", "right")] == sides
    assert compare_of(state).saved.others == ("file-1",)
    upload(app, "b.json", as_file(tiny()))  # the same tokenizer again
    assert compare_of(state).saved.others == ("file-1",)


def test_the_same_ranks_with_another_split_pattern_stay_in_their_row() -> None:
    app, state = brought(ranks({b"ab": 256}, "mine.tiktoken"))
    app.selectbox[0].select("rustbpe").run()
    app.file_uploader[0].set_value([("mine.tiktoken", *ranks({b"ab": 256}).values(), "text/plain")]).run()
    app.selectbox(key="brought_split").select("gpt2").run()
    assert not app.exception
    assert splits(state) == ["gpt2"]
    assert compare_of(state).saved.others == tuple(state.tokenizers.files)
    split_by(state, compare_of(state).saved.others[0], "o200k")
    assert splits(state) == ["o200k"]
    assert compare_of(state).saved.others == tuple(state.tokenizers.files)


def six_compared() -> tuple[AppTest, Session]:
    """A page that compares both sides and four uploaded tokenizers."""
    state = Session()
    for number in range(98, 102):
        uploaded = UploadedTokenizer.of(minbpe_model(f"97 {number}"), None, f"n{number}")
        add_row(state, uploaded, uploaded.read())
    assert compare_of(state).saved.others == ("file-1", "file-2", "file-3", "file-4")
    return drawn(tokenizer_upload, state, state=state), state


@pytest.mark.parametrize(
    ("old", "places"),
    [
        ("gpt2", ("file-5", "o200k_base", "file-1", "file-2", "file-3", "file-4")),
        ("o200k_base", ("gpt2", "file-5", "file-1", "file-2", "file-3", "file-4")),
        ("file-3", ("gpt2", "o200k_base", "file-1", "file-2", "file-5", "file-4")),
    ],
)
def test_with_six_the_page_asks_which_one_makes_room(old: str, places: tuple[str, ...]) -> None:
    app, state = six_compared()
    upload(app, "seventh.json", as_file(tiny()))
    assert "Which one does seventh.json replace?" in plain(app.warning[0].value)
    assert len(state.tokenizers.files) == 4  # nothing has changed
    assert app.button(key="replace").disabled
    app.selectbox(key="replaced").select(old).run()
    app.button(key="replace").click().run()
    assert not app.exception
    assert not app.warning
    assert (
        picked_side(state, "left"),
        picked_side(state, "right"),
        *compare_of(state).saved.others,
    ) == places


def test_the_seventh_can_be_left_out_and_a_removed_row_makes_room_for_it() -> None:
    app, state = six_compared()
    upload(app, "seventh.json", as_file(tiny()))
    app.button(key="leave_out").click().run()
    assert not app.warning
    assert len(state.tokenizers.files) == len(compare_of(state).saved.others) == 4
    upload(app, "seventh.json", as_file(tiny()))
    compare_of(state).saved.others = compare_of(state).saved.others[1:]
    app.run()
    assert not app.warning
    assert compare_of(state).saved.others == ("file-2", "file-3", "file-4", "file-5")


def test_a_new_upload_replaces_the_oldest_that_is_not_compared() -> None:
    _, state = six_compared()
    compare_of(state).saved.others = ("file-1", "file-4")
    for number in (102, 103, 104):
        uploaded = UploadedTokenizer.of(minbpe_model(f"97 {number}"), None, f"n{number}")
        add_row(state, uploaded, uploaded.read())
        compare_of(state).saved.others = compare_of(state).saved.others[:2]
    assert list(state.tokenizers.files) == ["file-1", "file-3", "file-4", "file-5", "file-6", "file-7"]
