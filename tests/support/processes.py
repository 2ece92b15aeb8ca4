"""Processes that a test starts: which of them still run, and an error that cancels their work."""

import time
from contextlib import suppress
from pathlib import Path

__all__ = ["CancelledError", "all_end", "in_session", "started_by", "still_run"]


class CancelledError(BaseException):
    """Raised to cancel a training. Like Streamlit's own, it is not an Exception."""


def in_session(leader: int) -> list[int]:
    """The processes of a session that run."""
    return [pid for pid, (_, session) in _running().items() if session == leader]


def started_by(parent: int) -> list[int]:
    """The processes that one started, and those that these started, while they run."""
    running = _running()
    found = [parent]
    for each in found:
        found += [pid for pid, (parent, _) in running.items() if parent == each]
    return found[1:]


def still_run(processes: list[int], seconds: float = 30) -> list[int]:
    """Which of them don't end within so many seconds."""
    until = time.monotonic() + seconds
    while (left := [pid for pid in processes if pid in _running()]) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def _running() -> dict[int, tuple[int, int]]:
    """The parent and the session of each process that runs; read from /proc."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended since
            state, parent, _, session, *_ = stat.read_text("ascii", "replace").rpartition(")")[2].split()
            if state not in "ZX":
                found[int(stat.parent.name)] = int(parent), int(session)
    return found


def all_end(leader: int, seconds: float = 30) -> bool:
    """Whether all processes of a session end within so many seconds."""
    until = time.monotonic() + seconds
    while in_session(leader) and time.monotonic() < until:
        time.sleep(0.02)
    return not in_session(leader)
