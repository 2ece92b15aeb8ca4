"""The time that the machine takes from all programs is measured, and subtracted from a wait."""

import os
import signal
import time

import pytest

from tests.faults.lost_time import Lost, lost_within
from tests.faults.measure import Reporter


@pytest.mark.parametrize(
    ("began", "ended", "expected"),
    [(0.0, 1.0, 0.0), (0.0, 4.0, 0.5), (2.9, 4.0, 0.1), (2.0, 2.2, 0.2), (3.5, 4.0, 0.0)],
    ids=["before", "around", "at its end", "in it", "after"],
)
def test_a_wait_counts_the_lost_time_within_it(began: float, ended: float, expected: float) -> None:
    assert lost_within([Lost(0.5, 2.0, 3.0)], began, ended) == pytest.approx(expected)


def test_a_stop_of_half_a_second_is_reported_as_lost() -> None:
    lost: list[Lost] = []
    reporter = Reporter("tests.faults.lost_time", take=lambda *numbers: lost.append(Lost(*numbers)))
    time.sleep(3)  # until it knows what is usual
    try:
        began = time.monotonic()
        os.kill(reporter.process_id, signal.SIGSTOP)
        time.sleep(0.5)
        os.kill(reporter.process_id, signal.SIGCONT)
        time.sleep(0.5)
    finally:
        reporter.stop()
    assert lost_within(lost, began, began + 1.0) >= 0.4
