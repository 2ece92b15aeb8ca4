"""Slots limit how many processes run at once, and their priority is below the server's."""

import os
import subprocess
import sys

import pytest

from bpeviz.workers.sharing import Slots
from tests.support.paths import ROOT


def no_wait() -> None:
    raise AssertionError("there was a place")


def test_a_free_slot_is_taken_at_once_and_released():
    places = Slots(1)
    for _ in range(3):
        with places.hold(no_wait):
            assert not places.acquire(blocking=False)


def test_a_waiting_caller_is_called_back_until_a_slot_is_free():
    places, told = Slots(1), []
    places.acquire()

    def free_at_the_third():
        told.append(True)
        if len(told) == 3:
            places.release()

    with places.hold(free_at_the_third):
        assert len(told) == 3
    assert places.acquire(blocking=False)


def test_an_error_raised_while_waiting_ends_the_wait_and_takes_no_slot():
    places = Slots(1)
    places.acquire()

    def cancel():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), places.hold(cancel):
        raise AssertionError("there was no place")
    places.release()
    with pytest.raises(ValueError, match="released too many times"):
        places.release()


def test_an_error_in_the_work_gives_the_place_back():
    places = Slots(1)
    with pytest.raises(LookupError), places.hold(no_wait):
        raise LookupError
    assert places.acquire(blocking=False)


@pytest.mark.gate
def test_a_process_that_steps_back_comes_after_the_server():
    code = "import os; from bpeviz.workers.sharing import step_back as s; s(); print(os.nice(0))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(run.stdout) > os.nice(0)
