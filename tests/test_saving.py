"""Work is kept as it changes and comes back at its address: flows of the app, each session a new one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.errors import StorageError
from bpeviz.ui import saving
from bpeviz.ui.state import Session
from bpeviz.ui.work_document import read_document
from bpeviz.work_store import WorkStore

APP = str(Path(__file__).parents[1] / "app.py")
CAT = "the cat in the hat and the cat on the mat. " * 3


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("BPEVIZ_DATA", str(tmp_path))
    yield tmp_path
    saving._open.cache_clear()


def opened(**parameters: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [b for b in app.button if b.label == label]
    button.click().run()
    assert not app.exception
    return app


def trained(text: str = CAT) -> AppTest:
    app = opened()
    app.text_area(key="pasted").set_value(text)
    return press(app, "Train and watch")


def state_of(app: AppTest) -> Session:
    state: Session = app.session_state["session"]
    return state


def address(app: AppTest) -> str:
    value = app.query_params.get("work", "")
    return value if isinstance(value, str) else value[0]


def go_to(app: AppTest, step: int) -> None:
    state_of(app).step = step
    app.run()


def notices(app: AppTest) -> str:
    return " ".join(info.value.replace("\\", "") for info in [*app.info, *app.warning])


def test_a_page_on_which_nothing_was_done_keeps_nothing() -> None:
    app = opened()
    assert address(app) == ""
    assert saving.store().recent(5) == []


def test_a_text_that_is_only_typed_comes_back() -> None:
    app = opened()
    app.text_area(key="pasted").set_value("typed").run()
    again = opened(work=address(app))
    assert again.text_area(key="pasted").value == "typed"
    assert address(again) == address(app)


def test_a_run_comes_back_at_its_step_by_a_server_that_knows_nothing() -> None:
    app = trained()
    go_to(app, 7)
    saving._open.cache_clear()
    again = opened(work=address(app))
    assert state_of(again).step == 7
    assert [r.steps for r in state_of(again).runs] == [r.steps for r in state_of(app).runs]
    assert state_of(again).work.stored == state_of(app).work.stored
    assert notices(again) == ""


def test_what_comes_back_is_kept_on_at_the_same_address() -> None:
    app = trained()
    again = opened(work=address(app))
    go_to(again, 3)
    assert state_of(opened(work=address(app))).step == 3
    assert len(saving.store().recent(5)) == 1


def test_two_tabs_at_one_address_do_not_overwrite_each_other() -> None:
    first = trained()
    second = opened(work=address(first))
    go_to(first, 4)
    go_to(second, 9)
    assert address(second) != address(first)
    assert "changed elsewhere" in notices(second.run())
    assert state_of(opened(work=address(first))).step == 4
    assert state_of(opened(work=address(second))).step == 9


@pytest.mark.parametrize("work_id", ["", "x", "../../etc/passwd", "A" * 22, "<img src=x>" * 3, "a" * 5_000])
def test_an_address_of_nothing_says_so_and_begins_anew(work_id: str) -> None:
    app = opened(work=work_id)
    assert "nothing is kept at this address" in notices(app)
    app.text_area(key="pasted").set_value(CAT)
    press(app, "Train and watch")
    assert len(address(app)) == 22
    assert address(app) != work_id


def test_a_copy_at_this_step_is_opened_by_its_link_and_becomes_ones_own_when_changed() -> None:
    app = trained()
    go_to(app, 5)
    copy_id = saving_copy(app)
    go_to(app, 11)
    copy = opened(work=copy_id)
    assert state_of(copy).step == 5
    assert "This is a copy" in notices(copy)
    assert address(copy) == copy_id
    go_to(copy, 2)
    assert address(copy) not in (copy_id, address(app))
    assert state_of(opened(work=copy_id)).step == 5
    assert state_of(opened(work=address(app))).step == 11
    assert state_of(opened(work=address(copy))).step == 2


def saving_copy(app: AppTest) -> str:
    """What the button of the menu does, outside of a page."""
    return saving.save_copy(state_of(app))


def test_a_link_of_settings_trains_a_sample_and_becomes_work() -> None:
    app = opened(sample="DNA repeats", recipe="minbpe", merges="40", fewest="3", step="12")
    state = state_of(app)
    assert state.run is not None
    assert (state.run.recipe.name, len(state.run.steps), state.step) == ("minbpe", 40, 12)
    assert state.settings.min_frequency == 3
    assert (state.source, state.sample) == ("Sample", "DNA repeats")
    assert len(address(app)) == 22
    assert "sample" not in app.query_params


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
        ({"sample": "Python standard library", "megabytes": "9"}, "megabytes are 1, 2, 4 or 8"),
    ],
)
def test_absurd_settings_in_a_link_are_said(parameters: dict[str, str], says: str) -> None:
    app = opened(**parameters)
    assert says in notices(app)
    assert state_of(app).run is None


def test_a_bad_pattern_in_a_link_is_said_and_the_form_is_there() -> None:
    app = opened(sample="German", split="custom", pattern="(a+)+(")
    assert "could not be trained again" in notices(app)
    assert "does not compile" in notices(app)
    assert state_of(app).run is None


def test_where_nothing_can_be_kept_all_else_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "file"
    file.write_text("in the place of the directory")
    monkeypatch.setenv("BPEVIZ_DATA", str(file))
    app = trained()
    app.run()
    assert state_of(app).run is not None
    assert "Not saved: " in notices(app)
    assert "BPEVIZ_DATA" in notices(app)
    assert file.read_text() == "in the place of the directory"
    state_of(app).work.retry_at = 0.0
    monkeypatch.setenv("BPEVIZ_DATA", str(folder / "there"))
    app.run().run()
    assert "Not saved" not in notices(app)
    assert state_of(opened(work=address(app))).run is not None


def test_a_disk_that_is_full_for_a_while_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    app = trained()
    save = WorkStore.save

    def full(self: WorkStore, *_: object, **__: object) -> None:
        raise StorageError(str(self.path), "full")

    monkeypatch.setattr(WorkStore, "save", full)
    go_to(app, 8)
    assert "the disk is full" in notices(app.run())
    assert state_of(opened(work=address(app))).step == 0
    monkeypatch.setattr(WorkStore, "save", save)
    state_of(app).work.retry_at = 0.0
    app.run()
    assert state_of(opened(work=address(app))).step == 8


def test_a_corrupt_file_is_put_aside_and_a_new_one_begun(folder: Path) -> None:
    app = trained()
    saving.store().close()
    saving._open.cache_clear()
    damaged = b"no database at all" * 1_000
    (folder / "bpeviz.sqlite3").write_bytes(damaged)
    for log in folder.glob("bpeviz.sqlite3-*"):
        log.unlink()
    again = opened(work=address(app))
    assert "nothing is kept at this address" in notices(again)
    (aside,) = folder.glob("bpeviz.sqlite3.corrupt-*")
    assert aside.read_bytes() == damaged
    assert saving.set_aside() == aside


def test_what_is_deleted_is_gone_and_the_page_stays() -> None:
    app = trained()
    work_id = address(app)
    saving.store().delete(work_id)
    app.run()
    assert state_of(app).run is not None
    assert "nothing is kept" in notices(opened(work=work_id))


def test_saved_work_that_holds_nonsense_is_said() -> None:
    work_id = "A" * 22
    saving.store().save(work_id, "title", '{"version": 1, "step": "x"}', {})
    assert "This is no work that can be opened here" in notices(opened(work=work_id))


def test_work_of_a_newer_bpeviz_is_left_alone() -> None:
    work_id = "A" * 22
    saving.store().save(work_id, "title", '{"version": 2, "what": "ever"}', {})
    app = opened(work=work_id)
    assert "a newer bpeviz made it" in notices(app)
    app.text_area(key="pasted").set_value(CAT)
    press(app, "Train and watch")
    saved = saving.store().load(work_id)
    assert saved is not None
    assert saved.state == '{"version": 2, "what": "ever"}'


def test_a_run_that_cannot_be_trained_again_leaves_what_is_saved_as_it_was() -> None:
    app = trained()
    work_id = address(app)
    before = saving.store().load(work_id)
    assert before is not None
    odd = before.state.replace('"recipe":"huggingface"', '"recipe":"of-the-past"')
    texts = {digest: (lambda data=data: data) for digest, data in before.texts.items()}
    saving.store().save(work_id, before.title, odd, texts)
    again = opened(work=work_id)
    assert "1 of 1 runs could not be trained again" in notices(again)
    again.text_area(key="pasted").set_value("something else").run()
    assert address(again) != work_id
    after = saving.store().load(work_id)
    assert after is not None
    assert after.state == odd
    assert read_document(odd, after.texts).runs[0].settings.recipe == "of-the-past"
