"""What processes that work for a server share with it: the machine's cores, at a low priority."""

import os
from contextlib import suppress
from pathlib import Path

__all__ = ["TELL_EVERY_SECONDS", "cores", "step_back"]

#: How often a waiting caller is called back.
TELL_EVERY_SECONDS = 0.1
#: How far a process lowers its priority for the server; 19 is the most.
_NICENESS = 5


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
