"""What processes that work for a server owe it and each other: they wait for their turn, and step back."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["TELL_EVERY_SECONDS", "Slots", "cores", "step_back"]

#: How often whoever waits is told so.
TELL_EVERY_SECONDS = 0.1
#: How much a process steps back for the server where both want the same core; 19 is the most.
_NICENESS = 5


class Slots(threading.BoundedSemaphore):
    """How many of a kind work at the same time, for all who ask; the others wait."""

    @contextmanager
    def hold(self, on_wait: Callable[[], object]) -> Iterator[None]:
        """Have a place as long as the block goes on.

        Until one is free, ``on_wait`` is called several times a second; what it raises ends the wait.
        """
        while not self.acquire(timeout=TELL_EVERY_SECONDS):
            on_wait()
        try:
            yield
        finally:
            self.release()


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not everywhere
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def step_back() -> None:
    """Leave the cores to the server, and be what the kernel ends where memory runs out; of this process."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(_NICENESS)
    with suppress(OSError):  # on Linux alone
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
