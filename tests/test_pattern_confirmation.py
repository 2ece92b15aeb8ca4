"""Split patterns from elsewhere are shown, and run only after a click."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.ui import saving
from bpeviz.ui.state import Session
from bpeviz.ui.work_file import read_work_file, write_work_file

APP = str(Path(__file__).parents[1] / "app.py")
CAT = "the cat in the hat and the cat on the mat. " * 3
#: Markdown and HTML where it is not shown letter by letter.
PATTERN = r"\w+|\W+|<b>\*\*|:red[x]|`"
RUN, LEAVE = "Run it", "Start with an empty page"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("BPEVIZ_DATA", str(tmp_path))
    yield tmp_path
    saving._open.cache_clear()


@contextmanager
def untouched() -> Iterator[None]:
    """Nothing compiles or runs a custom pattern as long as the block goes on."""

    def touch(*_: object) -> None:
        raise AssertionError("a pattern was touched")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("compile_pattern", "check_pattern", "find_ends", "ends_of_matches"):
            patch.setattr(f"bpeviz.split_patterns.{name}", touch)
        yield


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


def state_of(app: AppTest) -> Session:
    state: Session = app.session_state["session"]
    return state


def address_of(app: AppTest) -> str:
    value = app.query_params["work"]
    return value if isinstance(value, str) else value[0]


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def trained(pattern: str = PATTERN) -> AppTest:
    app = opened(sample="DNA repeats", split="custom", pattern=pattern, merges="20")
    return press(app, RUN)


def waits(app: AppTest) -> bool:
    """Whether the patterns are shown as code, with the two buttons and nothing of a run."""
    shown = [code.value for code in app.code] == [PATTERN]
    return shown and {RUN, LEAVE} <= set(labels(app)) and state_of(app).run is None


def test_a_pattern_in_a_link_runs_only_after_a_click() -> None:
    with untouched():
        app = opened(sample="DNA repeats", split="custom", pattern=PATTERN, merges="20")
        assert waits(app)
        assert waits(app.run())
    app = press(app, RUN)
    run = state_of(app).run
    assert run is not None
    assert (run.split.regex, len(run.steps)) == (PATTERN, 20)
    assert RUN not in labels(app)


def test_a_pattern_of_saved_work_runs_only_after_a_click() -> None:
    before = trained()
    address = address_of(before)
    copy = saving.save_copy(state_of(before))
    from_file = saving.save_coming(read_work_file(write_work_file(state_of(before))), "file")
    with untouched():
        for work in (address, copy, from_file):
            assert waits(opened(work=work))
    app = press(opened(work=address), RUN)
    run, old = state_of(app).run, state_of(before).run
    assert run is not None
    assert old is not None
    assert run.steps == old.steps


def test_an_empty_page_leaves_saved_work_where_it_is() -> None:
    before = trained()
    address = address_of(before)
    saved = saving.store().load(address)
    app = press(opened(work=address), LEAVE)
    assert state_of(app).run is None
    assert "work" not in app.query_params
    app.text_area(key="pasted").set_value(CAT)
    press(app, "Train and watch")
    assert saving.store().load(address) == saved
    assert waits(opened(work=address))


def test_work_without_a_pattern_comes_back_without_a_question() -> None:
    app = opened()
    app.text_area(key="pasted").set_value(CAT)
    app = press(app, "Train and watch")
    again = opened(work=address_of(app))
    assert state_of(again).run is not None
    assert RUN not in labels(again)
    linked = opened(sample="DNA repeats", split="gpt2", pattern=PATTERN, merges="20")
    assert state_of(linked).run is not None


def test_a_pattern_that_was_confirmed_and_fails_is_said() -> None:
    app = press(opened(sample="German", split="custom", pattern="(" * 20 + "a" + ")+" * 20), RUN)
    assert "does not compile in the memory" in " ".join(info.value.replace("\\", "") for info in app.info)
    assert state_of(app).run is None
