"""Rules for processes that work for a server: they wait for their turn, and run at a low priority."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["TELL_EVERY_SECONDS", "Slots", "cores", "step_back"]

#: How often a waiting caller is called back.
TELL_EVERY_SECONDS = 0.1
#: How far a process lowers its priority for the server; 19 is the most.
_NICENESS = 5


class Slots(threading.BoundedSemaphore):
    """Slots for work of one kind: so many run at the same time for all callers, the others wait."""

    @contextmanager
    def wait_for_slot(self, on_wait: Callable[[], object]) -> Iterator[None]:
        """Wait for a slot, and hold it during the block.

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
    if hasattr(os, "sched_getaffinity"):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def step_back() -> None:
    """Lower this process's priority, and let the kernel end it first if memory runs out."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(_NICENESS)
    with suppress(OSError):  # on Linux alone
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
