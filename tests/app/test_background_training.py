"""A training in the background: done, failed, cancelled, or abandoned by its visitor."""

import threading
import time
from collections.abc import Callable

import pytest

from bpeviz.errors import CorpusError
from bpeviz.runs.training_words import Progress
from bpeviz.ui import page as shell_page
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.training import GONE_AFTER_SECONDS, BackgroundTraining, session_connected
from tests.support.app_test import labelled, opened, state_of

pytestmark = pytest.mark.full


class Work:
    """A training that makes one step and report at a time, until the test ends it."""

    def __init__(self) -> None:
        self.turn, self.told = threading.Semaphore(0), threading.Semaphore(0)
        self.last = threading.Event()
        self.ended = threading.Event()

    def __call__(self, on_progress: Progress) -> str:
        try:
            made = 0
            while not self.last.is_set():
                assert self.turn.acquire(timeout=10)
                made += 1
                on_progress(made / 10, f"Merge {made}")
                self.told.release()
            return "a run"
        finally:
            self.ended.set()

    def step(self) -> None:
        self.turn.release()
        assert self.told.acquire(timeout=10)


def wait_until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + 10
    while not true() and time.monotonic() < ends:
        time.sleep(0.005)
    assert true()


def begun(work: Callable[[Progress], str], **settings) -> tuple[BackgroundTraining, list[str]]:
    taken: list[str] = []
    settings.setdefault("connected", lambda: True)
    return BackgroundTraining(work, taken.append, **settings), taken


def test_what_was_made_is_handed_over_when_asked_for() -> None:
    work = Work()
    training, taken = begun(work)
    assert (training.share, training.words, training.done) == (0.0, "Starting", False)
    work.step()
    assert (training.share, training.words, training.done) == (0.1, "Merge 1", False)
    with pytest.raises(LookupError):
        training.deliver()
    work.last.set()
    work.turn.release()
    wait_until(lambda: training.done)
    assert taken == []
    training.deliver()
    assert taken == ["a run"]


@pytest.mark.parametrize("error", [CorpusError("no text"), ZeroDivisionError()])
def test_what_goes_wrong_is_raised_by_whoever_asks(error: Exception) -> None:
    def fail(_: Progress) -> str:
        raise error

    training, taken = begun(fail)
    wait_until(lambda: training.done)
    with pytest.raises(type(error)):
        training.deliver()
    assert taken == []


def test_a_cancelled_one_ends_at_its_next_report_and_hands_nothing_over() -> None:
    work = Work()
    training, taken = begun(work)
    work.step()
    training.cancel()
    work.turn.release()
    assert work.ended.wait(10)
    wait_until(lambda: training.done)
    training.deliver()
    assert taken == []


def test_it_ends_when_its_session_is_gone_for_good_but_not_for_a_moment() -> None:
    work = Work()
    now, here = 0.0, True
    training, taken = begun(work, connected=lambda: here, clock=lambda: now)
    work.step()
    here, now = False, GONE_AFTER_SECONDS - 1
    work.step()
    here, now = True, GONE_AFTER_SECONDS + 1
    work.step()
    here, now = False, 2 * GONE_AFTER_SECONDS
    work.step()
    now = 3 * GONE_AFTER_SECONDS
    work.turn.release()
    assert work.ended.wait(10)
    wait_until(lambda: training.done)
    training.deliver()
    assert taken == []


def test_without_a_server_nobody_is_gone() -> None:
    assert session_connected()()


def test_one_that_begins_after_the_bar_was_drawn_gets_its_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened()
    work = Work()
    training, _ = begun(work)
    work.step()
    save = shell_page.save_session

    def begin_and_save(state: Session) -> None:  # as the run before does, ending in another thread
        if state.training.job is None and not training.done:
            state.training.start(training)
        save(state)

    monkeypatch.setattr(shell_page, "save_session", begin_and_save)
    app.run()
    assert not app.exception
    labelled(app.button, "Cancel")
    work.last.set()
    work.turn.release()
    wait_until(lambda: training.done)
    app.run()
    assert not app.exception
    assert "Cancel" not in [button.label for button in app.button]
    assert state_of(app).training.job is None
