"""The first change after a lost connection: the server was restarted, and the first message of the browser
already has what the person changed meanwhile. Streamlit calls no on_change for it; it is saved anyway."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import train_tokenizer
from bpeviz.ui.compare.page import compare_page
from bpeviz.ui.encode.page import encode_page
from bpeviz.ui.encode.state import EncodeState
from bpeviz.ui.recipes.page import recipes_page
from bpeviz.ui.recipes.state import RecipesState
from bpeviz.ui.session.describe import describe
from bpeviz.ui.session.put_back import put_back
from bpeviz.ui.session.saving_state import Digests
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.tokenizers import UploadedTokenizer
from bpeviz.ui.watch.page import watch_page
from tests.support.app_test import CAT, compare_of, drawn, labelled, plain, with_run

Change = Callable[[AppTest], Any]


def restarted(page: Callable[[], None], before: AppTest) -> Session:
    """The session of a new server whose first message is that of the page ``before``, fields and all."""
    state = before.session_state["session"]
    document, texts = describe(state, Digests())
    new = Session()
    runs = {run.number: run for run in state.runs}
    put_back(new, document, texts, [runs[run.number] for run in document.runs], {})
    new.tokenizers.files, new.tokenizers.opened = state.tokenizers.files, state.tokenizers.opened
    drawn(page, new, before)
    return new


def text(key: str, value: str) -> Change:
    return lambda app: next(
        field for field in (*app.text_area, *app.text_input) if field.key and field.key.startswith(key)
    ).set_value(value)


def choice(label: str, value: Any) -> Change:
    return lambda app: labelled(app.selectbox, label).set_value(value)


def typed_text(state: Session) -> None:
    compare_of(state).saved.text.source = "Type"


def checks_page() -> None:
    session().pages.of(RecipesState).checks = True
    recipes_page()


def two_runs(state: Session) -> None:
    for run in with_run("low lower lowest " * 9).runs:
        state.show(run)


def of_encode(name: str) -> Callable[[Session], Any]:
    def read(state: Session) -> Any:
        value = getattr(state.pages.of(EncodeState).saved, name)
        return getattr(value, "text", value)

    return read


CASES = {
    "text to encode": (encode_page, None, text("encode_text", "hats"), of_encode("text"), "hats"),
    "ids to decode": (encode_page, None, text("encode_ids", "72 73"), of_encode("ids"), "72 73"),
    "part of the text": (encode_page, None, text("encode_part", "keep"), of_encode("part"), "keep"),
    "typed text to compare": (
        compare_page,
        typed_text,
        text("compare_typed", "a new text"),
        lambda state: compare_of(state).saved.text.typed.text,
        "a new text",
    ),
    "source of the text": (
        compare_page,
        None,
        choice("Text", ("Sample", "German")),
        lambda state: compare_of(state).saved.text.sample,
        "German",
    ),
    "right side": (
        compare_page,
        None,
        choice("Right (R)", "o200k_base"),
        lambda state: state.tokenizers.picked["right"],
        "o200k_base",
    ),
    "rows": (
        compare_page,
        None,
        lambda app: labelled(app.multiselect, "Add another").set_value(["cl100k_base"]),
        lambda state: compare_of(state).saved.others,
        ("cl100k_base",),
    ),
    "name of a file": (
        compare_page,
        lambda state: state.tokenizers.add(UploadedTokenizer("a.json"), train_tokenizer(CAT, num_merges=3)),
        text("uploaded_name-file-1", "mine"),
        lambda state: state.tokenizers.files["file-1"].name,
        "mine",
    ),
    "name of a run": (
        watch_page,
        two_runs,
        text("name-", "another name"),
        lambda state: state.run.name,
        "another name",
    ),
    "split pattern": (
        watch_page,
        None,
        choice("Split pattern", "o200k"),
        lambda state: state.form.settings.split,
        "o200k",
    ),
    "line by line": (
        watch_page,
        None,
        lambda app: labelled(app.checkbox, "Line by line").check(),
        lambda state: state.form.settings.by_line,
        True,
    ),
    "merges": (
        watch_page,
        lambda state: state.restore_settings(),
        lambda app: labelled(app.number_input, "Merges").set_value(7),
        lambda state: state.form.settings.num_merges,
        7,
    ),
    "merges to check": (
        checks_page,
        None,
        text("check_merges", "t h"),
        lambda state: state.pages.of(RecipesState).check.merges.text,
        "t h",
    ),
    "merges of the recipes": (
        recipes_page,
        None,
        lambda app: labelled(app.number_input, "Merges").set_value(40),
        lambda state: state.pages.of(RecipesState).saved.num_merges,
        40,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_person_changed_while_the_server_was_away_is_saved(name: str) -> None:
    page, prepare, change, read, value = CASES[name]
    state = with_run()
    if prepare is not None:
        prepare(state)
    before = drawn(page, state)
    change(before)
    new = restarted(page, before)
    assert read(new) == value
    document, texts = describe(new, Digests())
    again = Session()
    put_back(again, document, texts, new.runs, {})
    again.tokenizers.files = new.tokenizers.files
    assert read(again) == value


def test_ids_that_a_person_wrote_before_are_followed_by_those_they_write_next() -> None:
    before = drawn(encode_page, with_run())
    text("encode_ids", "72 73")(before)
    before.run()
    text("encode_ids", "72 73 74")(before)
    assert of_encode("ids")(restarted(encode_page, before)) == "72 73 74"


def test_a_tokenizer_that_cannot_be_renamed_so_keeps_its_name() -> None:
    state = with_run()
    state.tokenizers.add(UploadedTokenizer("a.json"), train_tokenizer(CAT, num_merges=3))
    before = drawn(compare_page, state)
    text("uploaded_name-file-1", "  ")(before)
    assert plain(restarted(compare_page, before).tokenizers.files["file-1"].name) == "a.json"
