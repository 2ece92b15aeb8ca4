"""The time that a shared machine takes from all its programs, as a process: python -m tests.faults.lost_time

It sleeps and computes for a moment, again and again, and waits for no other program. A round that takes much
longer than usual shows that the whole machine stood still. It prints the seconds lost, and when the round
began and ended.
"""

import itertools
import statistics
import time
from dataclasses import dataclass

__all__ = ["Lost", "lost_within"]

SLEEP_SECONDS = 0.01
COMPUTES = 10_000
#: Rounds that say what is usual.
FIRST_ROUNDS = 100
#: A round that takes so much longer than usual has lost time; less is the scheduler's everyday.
LOST_SECONDS = 0.03


@dataclass(frozen=True)
class Lost:
    """A round that lost time: the ``seconds`` lost, and when it ``began`` and ``ended``, in seconds of
    time.monotonic()."""

    seconds: float
    began: float
    ended: float


def lost_within(lost: list[Lost], began: float, ended: float) -> float:
    """The seconds lost between two moments."""
    return sum(max(0.0, min(each.seconds, min(each.ended, ended) - max(each.began, began))) for each in lost)


def main() -> None:
    usual = statistics.median(_round()[1] for _ in range(FIRST_ROUNDS))
    while True:
        began, seconds = _round()
        if seconds > usual + LOST_SECONDS:
            print(f"{seconds - usual:.4f} {began:.4f} {began + seconds:.4f}", flush=True)


def _round() -> tuple[float, float]:
    """When a round began, and its seconds."""
    began = time.monotonic()
    time.sleep(SLEEP_SECONDS)
    for _ in itertools.repeat(None, COMPUTES):
        pass
    return began, time.monotonic() - began


if __name__ == "__main__":
    main()
