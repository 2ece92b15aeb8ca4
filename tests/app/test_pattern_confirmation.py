"""The page shows split patterns from links and files, and runs them only after a click."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import first_run
from bpeviz.ui.session import saving
from bpeviz.ui.session.opening import read_session_file, write_session_file
from tests.support.app_test import CAT, address_of, given, opened, pasted, press, state_of

#: Markdown and HTML, unless it is shown letter by letter.
PATTERN = r"\w+|\W+|<b>\*\*|:red[x]|`"
RUN, LEAVE = "Run it", "Start a new session"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("BPEVIZ_DATA", str(tmp_path))
    yield tmp_path
    saving._open.cache_clear()


@contextmanager
def untouched() -> Iterator[None]:
    """Fail if anything compiles or runs a custom pattern in the block."""

    def touch(*_: object) -> None:
        raise AssertionError("a pattern was touched")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("compile_pattern", "check_pattern", "find_ends", "ends_of_matches"):
            patch.setattr(f"bpeviz.text.split_patterns.{name}", touch)
        yield


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def trained(pattern: str = PATTERN) -> AppTest:
    """A session with a run by a custom pattern, which is saved."""
    app = press(opened(sample="DNA repeats", split="custom", pattern=pattern, merges="20"), RUN)
    run = state_of(app).run
    assert run is not None
    state_of(app).rename(run.number, "mine")
    return app.run()


def waits(app: AppTest) -> bool:
    """Whether the page shows the pattern as code and the two buttons, and no run."""
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


def test_a_pattern_of_a_saved_session_runs_only_after_a_click() -> None:
    before = trained()
    address = address_of(before)
    copy = saving.save_copy(state_of(before))
    from_file = saving.save_uploaded(read_session_file(write_session_file(state_of(before))), "file")
    with untouched():
        for work in (address, copy, from_file):
            assert waits(opened(session=work))
    app = press(opened(session=address), RUN)
    run, old = state_of(app).run, state_of(before).run
    assert run is not None
    assert old is not None
    assert run.steps == old.steps


def test_an_empty_page_leaves_the_saved_session_where_it_is() -> None:
    before = trained()
    address = address_of(before)
    saved = saving.store().load(address)
    app = press(opened(session=address), LEAVE)
    assert state_of(app).run is first_run()
    assert "session" not in app.query_params
    given(app, NamedText("pasted text", CAT))
    assert saving.store().load(address) == saved
    assert waits(opened(session=address))


def test_a_session_without_a_pattern_comes_back_without_a_question() -> None:
    app = pasted()
    again = opened(session=address_of(app))
    assert state_of(again).run is not None
    assert RUN not in labels(again)
    linked = opened(sample="DNA repeats", split="gpt2", pattern=PATTERN, merges="20")
    assert state_of(linked).run is not None


def test_a_pattern_that_was_confirmed_and_fails_is_said() -> None:
    app = press(opened(sample="German", split="custom", pattern="(" * 20 + "a" + ")+" * 20), RUN)
    assert "does not compile in the memory" in " ".join(info.value.replace("\\", "") for info in app.info)
    assert state_of(app).run is first_run()
