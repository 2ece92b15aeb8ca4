"""Slots limit how many processes run at once, and their priority is below the server's."""

import os
import subprocess
import sys

import pytest

from bpeviz.workers.sharing import Slots
from tests.support.paths import ROOT


def no_wait() -> None:
    raise AssertionError("there was a slot")


def test_a_free_slot_is_taken_at_once_and_released():
    slots = Slots(1)
    for _ in range(3):
        with slots.wait_for_slot(no_wait):
            assert not slots.acquire(blocking=False)


def test_a_waiting_caller_is_called_back_until_a_slot_is_free():
    slots, told = Slots(1), []
    slots.acquire()

    def free_at_the_third():
        told.append(True)
        if len(told) == 3:
            slots.release()

    with slots.wait_for_slot(free_at_the_third):
        assert len(told) == 3
    assert slots.acquire(blocking=False)


def test_an_error_raised_while_waiting_ends_the_wait_and_takes_no_slot():
    slots = Slots(1)
    slots.acquire()

    def cancel():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), slots.wait_for_slot(cancel):
        raise AssertionError("there was no slot")
    slots.release()
    with pytest.raises(ValueError, match="released too many times"):
        slots.release()


def test_an_error_in_the_work_gives_the_slot_back():
    slots = Slots(1)
    with pytest.raises(LookupError), slots.wait_for_slot(no_wait):
        raise LookupError
    assert slots.acquire(blocking=False)


@pytest.mark.gate
def test_a_process_that_steps_back_comes_after_the_server():
    code = "import os; from bpeviz.workers.sharing import step_back as s; s(); print(os.nice(0))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(run.stdout) > os.nice(0)
