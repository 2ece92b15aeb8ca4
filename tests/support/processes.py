"""Processes that a test starts: which of them still run, and an error that cancels their work."""

import time
from contextlib import suppress
from pathlib import Path

__all__ = ["CancelledError", "all_end", "in_session"]


class CancelledError(BaseException):
    """Raised to cancel a training. Like Streamlit's own, it is not an Exception."""


def in_session(leader: int) -> list[int]:
    """The processes of a session that run; read from /proc."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended since
            state, _, _, session, *_ = stat.read_text("ascii", "replace").rpartition(")")[2].split()
            if int(session) == leader and state not in "ZX":
                found.append(int(stat.parent.name))
    return found


def all_end(leader: int, seconds: float = 30) -> bool:
    """Whether all processes of a session end within so many seconds."""
    until = time.monotonic() + seconds
    while in_session(leader) and time.monotonic() < until:
        time.sleep(0.02)
    return not in_session(leader)
