"""A session is saved as it changes and comes back at its address: flows of the app."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.errors import StorageError
from bpeviz.limits import Limits, limits
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import fork_request, run_request
from bpeviz.runs.samples import first_run, read_sample
from bpeviz.sessions.document_json import read_document
from bpeviz.sessions.open_notes import OpenNotes
from bpeviz.sessions.page_fields import Text
from bpeviz.sessions.store import SessionStore
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.compare.comparer import Rivals, take_over
from bpeviz.ui.compare.page import compare_page
from bpeviz.ui.encode.page import encode_page
from bpeviz.ui.encode.state import EncodeState
from bpeviz.ui.kit.compared_text import UploadedText
from bpeviz.ui.kit.pick_side import picked_side
from bpeviz.ui.learn.page import learn_page, tour_page
from bpeviz.ui.recipes.page import recipes_page
from bpeviz.ui.recipes.state import RecipesFields, RecipesState
from bpeviz.ui.server.visitors import visitor
from bpeviz.ui.session import opening, saving
from bpeviz.ui.session.describe import describe, title_of
from bpeviz.ui.session.opening import read_session_file, write_session_file
from bpeviz.ui.session.saving_state import Digests
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.settings_link import write_settings_link
from bpeviz.ui.session_menu import MENU
from bpeviz.ui.vocabulary.page import vocabulary_page
from bpeviz.ui.watch.page import watch_page
from tests.support.app_test import (
    CAT,
    address_of,
    compare_of,
    drawn,
    given,
    opened,
    pasted,
    plain,
    press,
    state_of,
)
from tests.support.trained import run_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("BPEVIZ_DATA", str(tmp_path))
    yield tmp_path
    saving._open.cache_clear()


def go_to(app: AppTest, step: int) -> None:
    state_of(app).step = step
    app.run()


def notices(app: AppTest) -> str:
    return " ".join(info.value.replace("\\", "") for info in [*app.info, *app.warning])


def test_a_page_on_which_nothing_was_done_keeps_nothing() -> None:
    app = opened()
    assert address_of(app) == ""
    assert saving.store().recent(5) == []


PAGES = [compare_page, encode_page, vocabulary_page, recipes_page, learn_page, tour_page, watch_page]


def drawn_and_saved(page: Callable[[], None], state: Session) -> AppTest:
    """A page in a session that begins with it, or with what the state has."""

    def draw(page: Callable[[], None]) -> None:
        page()
        saving.save_session(session())

    saving.begin_unsaved(state)
    return drawn(draw, state, page=page)


@pytest.mark.parametrize("opened_with", [None, first_run()], ids=["opened directly", "after the sample"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_at_which_a_person_only_looks_saves_nothing(
    page: Callable[[], None], opened_with: Run | None
) -> None:
    state = Session()
    if opened_with is not None:
        state.open_with(opened_with, 3)
    drawn_and_saved(page, state).run()
    assert state.saving.saved_id == ""
    assert saving.store().recent(5) == []


def test_the_first_report_of_both_sides_is_no_change_and_a_moved_side_is() -> None:
    state = Session()
    app = drawn_and_saved(compare_page, state)
    ends = 50_000, 199_998
    take_over(state, ends, Rivals(*ends, locked=False, serial=compare_of(state).serial))
    app.run()
    assert saving.store().recent(5) == []
    take_over(state, ends, Rivals(7, ends[1], locked=False, serial=compare_of(state).serial))
    app.run()
    (saved,) = saving.store().recent(5)
    assert saved.title == "No text yet"
    take_over(state, ends, Rivals(*ends, locked=False, serial=compare_of(state).serial))
    assert compare_of(state).saved.merges_by_side == {("left", "gpt2"): ends[0]}


def recipes_of(state: Session) -> RecipesFields:
    return state.pages.of(RecipesState).saved


@pytest.mark.parametrize(
    ("change", "title"),
    [
        (lambda state: setattr(state.form, "typed", "the  cat"), "“the cat”, your text, not trained yet"),
        (
            lambda state: setattr(state.pages.of(EncodeState).saved, "text", Text("unhappily")),
            "“unhappily”, text to encode, not trained yet",
        ),
        (
            lambda state: setattr(compare_of(state).saved.text, "typed", Text("é")),
            "“é”, typed text, not trained yet",
        ),
        (
            lambda state: setattr(recipes_of(state).text, "uploaded", UploadedText("a.txt", Text("low"))),
            "“low”, a.txt, not trained yet",
        ),
        (
            lambda state: setattr(compare_of(state).saved.text, "source", "Sample"),
            "English prose, not trained yet",
        ),
        (lambda state: setattr(state.pages.of(EncodeState).saved, "special", True), "No text yet"),
    ],
)
def test_a_session_is_named_by_its_text(change: Callable[[Session], None], title: str) -> None:
    change(state := Session())
    assert title_of(state, describe(state, Digests())[0]) == title


def test_the_menu_lists_sessions_first_each_with_its_text_and_its_age(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pasted()
    old = saving.store().recent(5)[0]
    used_at = datetime.now(UTC) - timedelta(seconds=190)
    listed = [replace(old, used_at=used_at), replace(old, title="No text yet", saved_id="A" * 22)]
    monkeypatch.setattr(SessionStore, "recent", lambda *_: listed)
    app = opened()
    app.session_state[MENU] = True
    app.run()
    titles = [each.value for each in app.text_input if each.key and "session_name" in each.key]
    assert titles[0].startswith("“the cat in the hat")
    assert titles[0].endswith("pasted text, huggingface, 17 merges")
    assert titles[1] == "No text yet"
    ages = [text for each in app.caption if " kB" in (text := plain(each.value)) and " · " in text]
    assert [text.partition(" · ")[0] for text in ages] == ["3 minutes ago", "just now"]
    order = [plain(each.value) for each in app.main if hasattr(each, "value") and isinstance(each.value, str)]
    assert order.index("**Recent sessions**") < order.index("**File**")
    rules = next(text for text in order if text.startswith("**Saved automatically"))
    assert order.index("**Recent sessions**") < order.index(rules)


def test_a_text_that_is_only_typed_comes_back() -> None:
    app = opened()
    typed(app, "typed")
    again = opened(session=address_of(app))
    assert state_of(again).form.typed == "typed"
    assert address_of(again) == address_of(app)


def test_a_run_comes_back_at_its_step_by_a_server_that_knows_nothing() -> None:
    app = pasted()
    go_to(app, 7)
    saving._open.cache_clear()
    again = opened(session=address_of(app))
    assert state_of(again).step == 7
    assert [r.steps for r in state_of(again).runs] == [r.steps for r in state_of(app).runs]
    assert state_of(again).saving.stored == state_of(app).saving.stored
    assert notices(again) == ""


def another_server(folder: Path, saved_id: str) -> AbstractContextManager[None]:
    """Another server that works on a session, and never comes to the end of it."""
    working = OpenNotes(folder / "open").noted(saved_id)
    working.__enter__()
    return working


def test_a_session_on_which_a_server_ended_opens_only_when_asked_to(folder: Path) -> None:
    app = pasted()
    _ended = another_server(folder, address_of(app))
    again = opened(session=address_of(app))
    assert "The server stopped while it worked on this session." in notices(again)
    assert state_of(again).runs == []
    press(again, "Open it")
    assert [r.steps for r in state_of(again).runs] == [r.steps for r in state_of(app).runs]
    assert notices(again) == ""
    assert list((folder / "open").iterdir()) == []
    assert notices(opened(session=address_of(app))) == ""


def test_a_session_on_which_a_server_ended_can_be_left_for_a_new_one(folder: Path) -> None:
    app = pasted()
    _ended = another_server(folder, address_of(app))
    again = press(opened(session=address_of(app)), "Start a new session")
    assert address_of(again) == ""
    assert "The server stopped" not in notices(again)
    assert "The server stopped" in notices(opened(session=address_of(app)))


def test_while_a_page_is_drawn_there_is_a_note_and_then_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = pasted()
    seen: list[bool] = []
    other = OpenNotes(folder / "open")
    monkeypatch.setattr(
        "bpeviz.ui.page.restore_session",
        lambda state: seen.append(other.left(address_of(app))),
    )
    go_to(app, 3)
    assert seen == [True]
    assert not other.left(address_of(app))


def test_what_comes_back_is_kept_on_at_the_same_address() -> None:
    app = pasted()
    again = opened(session=address_of(app))
    go_to(again, 3)
    assert state_of(opened(session=address_of(app))).step == 3
    assert len(saving.store().recent(5)) == 1


def test_two_tabs_at_one_address_do_not_overwrite_each_other() -> None:
    first = pasted()
    second = opened(session=address_of(first))
    go_to(first, 4)
    go_to(second, 9)
    assert address_of(second) != address_of(first)
    assert "changed in another tab" in notices(second.run())
    assert state_of(opened(session=address_of(first))).step == 4
    assert state_of(opened(session=address_of(second))).step == 9


def left(state: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Save a session at the end of a script whose browser is gone."""
    with monkeypatch.context() as gone:
        gone.setattr(opening, "session_connected", lambda: lambda: False)
        gone.setattr(saving.st, "query_params", Address())
        saving.save_session(state)


def test_a_page_that_a_reload_ends_saves_nothing_after_the_new_one_has_opened_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = pasted()
    state_of(old).step = 3
    left(state_of(old), monkeypatch)  # nobody has opened it yet
    new = opened(session=address_of(old))
    assert state_of(new).step == 3
    state_of(old).step = 5  # as if a training ended
    left(state_of(old), monkeypatch)
    go_to(new, 9)
    assert address_of(new) == address_of(old)
    assert notices(new) == ""
    assert len(saving.store().recent(5)) == 1
    assert state_of(opened(session=address_of(old))).step == 9


class Address(dict[str, str]):
    """The page's address for threads that are no scripts."""

    def to_dict(self) -> dict[str, str]:
        return dict(self)

    def from_dict(self, values: dict[str, str]) -> None:
        self.clear()
        self.update(values)


@pytest.mark.full
def test_a_script_that_begins_while_the_last_one_saves_goes_on_with_the_same_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Streamlit starts the next script of a session at a click, whatever the one before still does."""
    state = state_of(pasted())
    first_saved, second_begun = threading.Event(), threading.Event()
    write = saving._write

    def slowly(*arguments: Any) -> None:
        write(*arguments)
        if not first_saved.is_set():
            first_saved.set()
            second_begun.wait(0.3)

    monkeypatch.setattr(saving, "_write", slowly)
    monkeypatch.setattr(saving.st, "query_params", Address())
    saved_id, state.step = state.saving.saved_id, 3
    first = threading.Thread(target=saving.save_session, args=(state,))
    first.start()
    assert first_saved.wait(10)
    state.step = 5
    saving.save_session(state)
    second_begun.set()
    first.join()
    assert (state.saving.saved_id, state.saving.notice) == (saved_id, "")
    assert state_of(opened(session=saved_id)).step == 5


@pytest.mark.parametrize("saved_id", ["", "x", "../../etc/passwd", "A" * 22, "<img src=x>" * 3, "a" * 5_000])
def test_an_address_of_nothing_says_so_and_starts_a_new_session(saved_id: str) -> None:
    app = opened(session=saved_id)
    assert "no session has this address" in notices(app)
    given(app, NamedText("pasted text", CAT))
    assert len(address_of(app)) == 22
    assert address_of(app) != saved_id


def test_a_copy_at_this_step_is_opened_by_its_link_and_becomes_ones_own_when_changed() -> None:
    app = pasted()
    go_to(app, 5)
    copy_id = saving_copy(app)
    go_to(app, 11)
    copy = opened(session=copy_id)
    assert state_of(copy).step == 5
    assert "This is a copy" in notices(copy)
    assert address_of(copy) == copy_id
    go_to(copy, 2)
    assert address_of(copy) == copy_id  # to look at it is no change
    rename(copy, "mine")
    assert address_of(copy) not in (copy_id, address_of(app))
    assert state_of(opened(session=copy_id)).step == 5
    assert state_of(opened(session=address_of(app))).step == 11
    assert state_of(opened(session=address_of(copy))).step == 2


def typed(app: AppTest, text: str) -> None:
    """Type into the field of the menu, which is a component: AppTest has none."""
    state_of(app).form.typed = text
    app.run()


def rename(app: AppTest, name: str) -> None:
    """Change something: the name of the shown run."""
    state = state_of(app)
    assert state.run is not None
    state.rename(state.run.number, name)
    app.run()


def saving_copy(app: AppTest) -> str:
    """What the button of the menu does, outside of a page."""
    return saving.save_copy(state_of(app))


def test_a_link_of_settings_trains_a_sample_and_is_saved_once_something_changes() -> None:
    app = opened(sample="DNA repeats", recipe="minbpe", merges="40", fewest="3", step="12")
    state = state_of(app)
    assert state.run is not None
    assert (state.run.recipe.name, len(state.run.steps), state.step) == ("minbpe", 40, 12)
    assert state.form.settings.min_frequency == 3
    go_to(app, 14)
    assert address_of(app) == ""
    assert app.query_params["sample"] == "DNA repeats"
    rename(app, "mine")
    assert len(address_of(app)) == 22
    assert "sample" not in app.query_params


def test_a_link_of_settings_gives_the_same_run_again() -> None:
    settings = TrainingSettings(
        "cs336", num_merges=90, vocab_size=300, special_tokens=("<s>", "é &[]"), max_token_length=4
    )
    state = Session()
    state.show(run_of(NamedText("DNA repeats", read_sample("DNA repeats")), settings))
    assert state.run is not None
    link = write_settings_link(state, state.run)
    assert link is not None
    again = state_of(opened(**dict(parse_qsl(link)))).run
    assert again is not None
    assert (again.settings, again.steps) == (settings, state.run.steps)
    assert again.result.vocab_size == 300


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"sample": "nonesuch"}, "no sample called 'nonesuch'"),
        ({"sample": "German", "merges": "999999999999"}, "merges is a whole number"),
        ({"sample": "German", "merges": "999999"}, "merges go from 1 to 20,000"),
        ({"sample": "German", "merges": "-1"}, "merges is a whole number"),
        ({"sample": "German", "merges": "²"}, "merges is a whole number"),
        ({"sample": "German", "recipe": "<script>"}, "no recipe called '<script>'"),
        ({"sample": "German", "split": "x"}, "no split pattern called"),
        ({"sample": "German", "size": "-5"}, "size is a whole number"),
        ({"sample": "German", "size": "99999999"}, "vocabulary size goes from 1 to 1,000,000"),
        ({"sample": "German", "size": "7"}, "ask for at least 256"),
        ({"sample": "German", "longest": "x"}, "longest is a whole number"),
        ({"sample": "German", "special": "<s>"}, 'special is a list of up to 64 texts, such as ["<s>"]'),
        ({"sample": "German", "special": '["' + "x" * 201 + '"]'}, "special is a list of up to 64 texts"),
        ({"sample": "German", "special": '[""]'}, "Special tokens must be different from each other"),
        ({"sample": "Python standard library", "megabytes": "9"}, "megabytes are 1, 2, 4 or 8"),
    ],
)
def test_absurd_settings_in_a_link_are_said(parameters: dict[str, str], says: str) -> None:
    app = opened(**parameters)
    assert says in notices(app)
    assert state_of(app).run is first_run()


def test_a_run_by_a_custom_pattern_comes_back() -> None:
    app = opened(sample="DNA repeats", split="custom", pattern=r"\w+|\W+", merges="20")
    run = state_of(app).run
    assert run is not None
    assert (run.split.regex, len(run.steps)) == (r"\w+|\W+", 20)
    state_of(app).rename(run.number, "mine")
    again = state_of(opened(session=address_of(app.run()))).run
    assert again is not None
    assert again.steps == run.steps


def test_a_bad_pattern_in_a_link_is_said_and_the_sample_is_there() -> None:
    app = opened(sample="German", split="custom", pattern="(a+)+(")
    assert "couldn't be trained again" in notices(app)
    assert "does not compile" in notices(app)
    assert state_of(app).run is first_run()


def test_where_nothing_can_be_kept_all_else_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "file"
    file.write_text("in the place of the directory")
    monkeypatch.setenv("BPEVIZ_DATA", str(file))
    app = pasted()
    app.run()
    assert state_of(app).run is not None
    assert "Not saved: " in notices(app)
    assert "BPEVIZ_DATA" in notices(app)
    assert file.read_text() == "in the place of the directory"
    state_of(app).saving.retry_at = 0.0
    monkeypatch.setenv("BPEVIZ_DATA", str(folder / "there"))
    app.run().run()
    assert "Not saved" not in notices(app)
    assert state_of(opened(session=address_of(app))).run is not None


def test_a_visitor_of_a_hosted_server_learns_no_path(
    monkeypatch: pytest.MonkeyPatch, folder: Path, hosted: Limits, caplog: pytest.LogCaptureFixture
) -> None:
    (file := folder / "file").write_text("in the place of the directory")
    monkeypatch.setenv("BPEVIZ_DATA", str(file))
    saving._open.cache_clear()
    app = pasted().run()
    assert "Not saved: This server can't save sessions." in notices(app)
    assert str(folder) not in notices(app)
    assert str(file) in caplog.text


def test_a_disk_that_is_full_for_a_while_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    app = pasted()
    save = SessionStore.save

    def full(self: SessionStore, *_: object, **__: object) -> None:
        raise StorageError(str(self.path), "full")

    monkeypatch.setattr(SessionStore, "save", full)
    go_to(app, 8)
    assert "the disk is full" in notices(app.run())
    assert state_of(opened(session=address_of(app))).step == 0
    monkeypatch.setattr(SessionStore, "save", save)
    state_of(app).saving.retry_at = 0.0
    app.run()
    assert state_of(opened(session=address_of(app))).step == 8


def test_a_corrupt_file_is_put_aside_and_a_new_one_begun(folder: Path) -> None:
    app = pasted()
    saving._open.cache_clear()
    damaged = b"no database at all" * 1_000
    (folder / "bpeviz.sqlite3").write_bytes(damaged)
    for log in folder.glob("bpeviz.sqlite3-*"):
        log.unlink()
    again = opened(session=address_of(app))
    assert "no session has this address" in notices(again)
    assert "file of saved sessions was damaged" in notices(again)
    (aside,) = folder.glob("bpeviz.sqlite3.corrupt-*")
    assert aside.read_bytes() == damaged
    assert saving.set_aside() == aside


def test_what_is_deleted_is_gone_and_the_page_stays() -> None:
    app = pasted()
    saved_id = address_of(app)
    saving.store().delete(saved_id)
    app.run()
    assert state_of(app).run is not None
    assert "This session can't be opened" in notices(opened(session=saved_id))


def test_a_saved_session_that_holds_nonsense_is_said() -> None:
    saved_id = "A" * 22
    saving.store().save(saved_id, "title", '{"version": 4, "step": "x"}', {})
    assert "This session can't be opened" in notices(opened(session=saved_id))


def test_a_session_of_a_newer_bpeviz_is_left_alone() -> None:
    saved_id = "A" * 22
    saving.store().save(saved_id, "title", '{"version": 99, "what": "ever"}', {})
    app = opened(session=saved_id)
    assert "a newer bpeviz made it" in notices(app)
    given(app, NamedText("pasted text", CAT))
    saved = saving.store().load(saved_id)
    assert saved is not None
    assert saved.document == '{"version": 99, "what": "ever"}'


def test_a_run_that_cannot_be_trained_again_leaves_what_is_saved_as_it_was() -> None:
    app = pasted()
    saved_id = address_of(app)
    before = saving.store().load(saved_id)
    assert before is not None
    odd = before.document.replace('"recipe":"huggingface"', '"recipe":"of-the-past"')
    texts = {digest: (lambda data=data: data) for digest, data in before.texts.items()}
    saving.store().save(saved_id, before.title, odd, texts)
    again = opened(session=saved_id)
    assert "1 of 1 runs couldn't be trained again" in notices(again)
    typed(again, "something else")
    assert address_of(again) != saved_id
    after = saving.store().load(saved_id)
    assert after is not None
    assert after.document == odd
    assert read_document(odd, after.texts).runs[0].settings.recipe == "of-the-past"


@pytest.fixture
def hosted(hosted: Limits) -> Limits:
    """With saved sessions as on a public server, too."""
    saving._open.cache_clear()
    return hosted


def test_a_deleted_session_is_restored_by_its_address() -> None:
    app = pasted()
    saved_id = address_of(app)
    saving.store().delete(saved_id)
    again = press(opened(session=saved_id), "Restore it")
    run = state_of(again).run
    assert run is not None
    assert run.corpus.text == CAT
    assert address_of(again) == saved_id


def with_menu(app: AppTest) -> AppTest:
    """The same page with the session menu open."""
    app.session_state[MENU] = True
    return app.run()


def test_deleting_the_session_on_the_page_can_be_undone_there() -> None:
    app = pasted()
    saved_id = address_of(app)
    press(with_menu(app), "Delete this session")
    assert notices(app) == "Deleted."
    assert "This session can't be opened" in notices(opened(session=saved_id))
    press(app, "Undo")
    assert address_of(app) == saved_id
    go_to(app, 6)
    assert state_of(opened(session=saved_id)).step == 6


def test_each_session_has_a_name_that_people_can_edit() -> None:
    other, app = address_of(pasted("low lower lowest")), pasted()
    for saved_id, name in ((other, "theirs"), (address_of(app), "<b>mine</b>")):
        with_menu(app).text_input(key=f"session_name-{saved_id}").set_value(name).run()
    go_to(app, 3)
    listed = {each.saved_id: each.title for each in saving.store().recent(9)}
    assert listed == {other: "theirs", address_of(app): "<b>mine</b>"}
    again = with_menu(opened(session=address_of(app)))
    fields = {each.key: each.value for each in again.text_input if each.key and "session_name" in each.key}
    assert fields == {f"session_name-{address_of(app)}": "<b>mine</b>", f"session_name-{other}": "theirs"}
    again.text_input(key=f"session_name-{other}").set_value("  ").run()
    assert saving.store().title(other).startswith("“low lower lowest")


def test_deleting_another_session_can_be_undone_and_opens_nothing() -> None:
    saved_id = address_of(pasted())
    app = with_menu(opened())
    app.button(key=f"delete-{saved_id}").click().run()
    assert "This session can't be opened" in notices(opened(session=saved_id))
    press(app, "Undo")
    assert notices(app) == "Restored."
    assert (state_of(app).run, address_of(app)) == (first_run(), "")
    assert state_of(opened(session=saved_id)).run is not None


def many_runs(count: int, text: str = CAT) -> bytes:
    """A file of a session with so many runs."""
    state = Session()
    run = state_of(pasted()).run
    assert run is not None
    state.runs = [
        type(run)(**{**vars(run), "number": n, "corpus": NamedText(f"text {n}", f"{n} {text}")})
        for n in range(1, count + 1)
    ]
    state.shown, state.beside = 2, None
    state.tokenizers.picked = {"left": "run-2", "right": "run-1"}
    return write_session_file(state)


def test_a_file_restores_no_more_runs_than_a_server_keeps(hosted: Limits) -> None:
    saved_id = saving.save_uploaded(read_session_file(many_runs(30)), "file")
    before = saving.store().load(saved_id)
    app = opened(session=saved_id)
    assert len(state_of(app).runs) == limits().kept_runs == 4
    assert [run.corpus.name for run in state_of(app).runs] == ["text 2", "text 28", "text 29", "text 30"]
    shown = state_of(app).run
    assert shown is not None
    assert shown.corpus.name == "text 2"
    sides = [picked_side(state_of(app), slot) for slot in ("left", "right")]
    assert sides == [f"run-{shown.number}", "gpt2"]
    assert "26 of 30 runs are left out" in notices(app)
    rename(app, "mine")
    assert saving.store().load(saved_id) == before
    assert address_of(app) != saved_id


def test_texts_above_the_limits_of_a_server_are_left_out(hosted: Limits) -> None:
    state = Session()
    recipes_of(state).text.uploaded = UploadedText("a file", Text("y " * 1_500_000))
    compare_of(state).saved.text.typed = Text("z" * 3_000_000)
    state.pages.of(EncodeState).saved.text = Text("short")
    app = opened(session=saving.save_uploaded(read_session_file(write_session_file(state)), "file"))
    restored = state_of(app)
    assert (recipes_of(restored).text.uploaded, compare_of(restored).saved.text.typed) == (None, None)
    assert restored.pages.of(EncodeState).saved.text == Text("short")
    assert "A text over 2 MB is left out" in notices(app)


def test_texts_together_are_limited_too(hosted: Limits) -> None:
    app = opened(session=saving.save_uploaded(read_session_file(many_runs(4, "ab " * 640_000)), "file"))
    total = sum(run.corpus.byte_total for run in state_of(app).runs)
    assert total <= limits().kept_bytes
    assert "left out" not in notices(app)


def test_a_document_that_cannot_be_read_again_is_not_saved() -> None:
    app = pasted()
    saved_id = address_of(app)
    state_of(app).step = -1
    app.run().run()
    assert "Not saved: " in notices(app)
    state_of(app).step = 3
    app.run().run()
    assert "Not saved: " not in notices(app)
    assert state_of(opened(session=saved_id)).step == 3


def interrupted(app: AppTest) -> str:
    """The address of the session while a training that was asked for is not done."""
    app.run()
    saved = saving.store().load(address_of(app))
    assert saved is not None
    assert '"training":{' in saved.document
    return address_of(app)


def waiting(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on no training of this session is begun again."""
    monkeypatch.setattr("bpeviz.ui.restoring._train_interrupted_run", lambda state: None)


def test_a_training_that_was_asked_for_is_trained_again_by_who_opens_the_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = opened()
    state_of(app).training.wanted = run_request(NamedText("pasted text", CAT), TrainingSettings(num_merges=7))
    with monkeypatch.context() as patch:
        waiting(app, patch)
        saved_id = interrupted(app)
    again = opened(session=saved_id)
    run = state_of(again).run
    assert run is not None
    assert (run.corpus.text, len(run.steps)) == (CAT, 7)
    assert "Your training was interrupted and has started again." in notices(again)
    assert address_of(again) == saved_id
    saved = saving.store().load(saved_id)
    assert saved is not None
    assert '"training":null' in saved.document


def test_a_fork_that_was_asked_for_stands_beside_its_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = pasted()
    parent = state_of(app).run
    assert parent is not None
    row = parent.history.pair_counts(2).iloc[1]
    choice = Choice(2, (int(row["left"]), int(row["right"])))
    state_of(app).training.wanted = fork_request(parent, choice)
    with monkeypatch.context() as patch:
        waiting(app, patch)
        saved_id = interrupted(app)
    state = state_of(opened(session=saved_id))
    assert state.run is not None
    assert state.run_beside is not None
    assert state.run.choices == (choice,)
    assert state.run_beside.steps == parent.steps


def test_a_training_of_this_session_that_nothing_trains_any_more_is_begun_again() -> None:
    app = opened()
    state_of(app).training.wanted = run_request(NamedText("text", CAT), TrainingSettings(num_merges=7))
    app.run()
    run = state_of(app).run
    assert run is not None
    assert len(run.steps) == 7
    assert state_of(app).training.wanted is None
    assert "Your training was interrupted" in notices(app)


def test_a_copy_has_no_training_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    app = pasted()
    state_of(app).training.wanted = run_request(NamedText("text", CAT), TrainingSettings(num_merges=7))
    copy = state_of(opened(session=saving_copy(app)))
    assert len(copy.runs) == 1


def test_a_training_that_fails_is_wanted_no_more() -> None:
    app = opened()
    state_of(app).training.wanted = run_request(NamedText("text", "a"), TrainingSettings(vocab_size=9))
    app.run()
    assert state_of(app).training.wanted is None
    assert "vocab_size 9 is smaller" in plain(app.error[0].value)
    assert state_of(app).run is first_run()


def test_who_saves_is_told_apart_by_the_network_address(
    monkeypatch: pytest.MonkeyPatch, hosted: Limits
) -> None:
    def visitor_at(address: str | None) -> str:
        monkeypatch.setattr("bpeviz.ui.server.visitors._address", lambda: address)
        return visitor()

    assert visitor_at("192.0.2.1") != visitor_at("192.0.2.2")
    assert visitor_at("2001:db8::1") == visitor_at("2001:db8::ffff:2") != visitor_at("2001:db8:0:1::1")
    assert visitor_at(None) == visitor_at("<script>") == ""


def test_many_sessions_of_one_visitor_remove_nothing_of_others(
    hosted: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BPEVIZ_SAVED_MEGABYTES", "4")
    limits.cache_clear()
    saving._open.cache_clear()
    address = "192.0.2.1"
    monkeypatch.setattr("bpeviz.ui.server.visitors._address", lambda: address)
    mine = pasted()
    address = "192.0.2.2"
    bulk = Session()
    for n in range(20):
        compare_of(bulk).saved.text.typed = Text(f"{n} " * 100_000)
        saving.save_copy(bulk)
    assert state_of(opened(session=address_of(mine))).run is not None
    assert saving.store().byte_total() < 2_000_000


def crafted(app: AppTest, change: Callable[[Any], object]) -> AppTest:
    """The session of a page, opened again with something changed in its document."""
    saved = saving.store().load(address_of(app))
    assert saved is not None
    document = json.loads(saved.document)
    change(document)
    texts = {digest: (lambda data=data: data) for digest, data in saved.texts.items()}
    saved_id = "B" * 21 + "A"
    saving.store().save(saved_id, "crafted", json.dumps(document), texts)
    return opened(session=saved_id)


def number(document: Any, place: int = 0) -> int:
    found: int = document["runs"][place]["number"]
    return found


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["pages"].update(encode={"fields": {"num_merges": {number(d): 4000, 7: 1}}}),
        lambda d: d.update(sides={"left": "run-" + "9" * 150}),
        lambda d: d.update(sides={"left": f"run-{number(d)}", "right": "run-7", "encode": "run-x"}),
        lambda d: d["pages"].update(watch={"fields": {"pair": [1_000_000, 5]}}),
        lambda d: d["pages"].update(watch={"fields": {"race_length": 0}}),
        lambda d: d.update(step=2**53),
        lambda d: d.update(shown=60),
        lambda d: d.update(beside=number(d)),
        lambda d: d["pages"].update(
            compare={"fields": {"merges": [["left", f"run-{number(d)}", 2**53], ["right", "gpt2", 0]]}}
        ),
    ],
    ids=range(9),
)
def test_a_crafted_document_draws_every_page(change: Callable[[Any], object]) -> None:
    app = crafted(pasted(), change)
    assert state_of(app).run is not None
    assert not app.error
    for page in (draw_compare, draw_encode):
        other = AppTest.from_function(page, default_timeout=60)
        other.session_state["session"] = state_of(app)
        assert not other.run().exception
    assert state_of(opened(session=address_of(app))).run is not None


def two_runs() -> AppTest:
    """A session with two runs on different texts, from a file."""
    return opened(session=saving.save_uploaded(read_session_file(many_runs(2)), "file"))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(training={"parent": number(d)}),  # of a run without choices, so it is no fork
        lambda d: d.update(training={"parent": 60}),
        lambda d: d.update(beside=number(d)),  # of another text
    ],
    ids=range(3),
)
def test_crafted_runs_that_do_not_belong_together_draw_the_page(change: Callable[[Any], object]) -> None:
    app = crafted(two_runs(), change)
    state = state_of(app)
    assert state.run is not None
    assert state.run_beside is None
    assert len(state.runs) == 2
    assert not app.run().exception


def draw_compare() -> None:
    from bpeviz.ui.compare.page import compare_page

    compare_page()


def draw_encode() -> None:
    from bpeviz.ui.encode.page import encode_page

    encode_page()
