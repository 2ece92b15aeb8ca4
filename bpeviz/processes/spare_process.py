"""A process that is started before anybody needs it, because a new Python takes a quarter of a second."""

import atexit
import threading
from collections.abc import Sequence
from contextlib import suppress

from bpeviz.processes.child_process import Child, end, start

__all__ = ["SpareProcess"]

#: How long after ``prepare_soon`` the process starts: by then, the page has shown what the last one made.
LATER_SECONDS = 2.0


class SpareProcess:
    """At most one process that waits for a request. Whoever takes it must end it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ready: tuple[tuple[str, ...], Child] | None = None
        self._kept = False
        atexit.register(self._end)

    def keep(self, command: Sequence[str]) -> None:
        """Start a process of this command, unless one is ready. From now on, ``prepare_soon`` replaces it."""
        self._kept = True
        with self._lock, suppress(OSError):  # without a spare one, the next request starts its own
            if self._ready is None:
                self._ready = tuple(command), start(command)

    def take(self, command: Sequence[str]) -> Child | None:
        """Return the process if it runs this command and is still there, or None."""
        with self._lock:
            if self._ready is None or self._ready[0] != tuple(command):
                return None
            (_, child), self._ready = self._ready, None
        if child.poll() is None:
            return child
        end(child)
        return None

    def prepare_soon(self, command: Sequence[str]) -> None:
        """Start another process a little later, if one was kept before."""
        if self._kept:
            later = threading.Timer(LATER_SECONDS, self.keep, (command,))
            later.daemon = True
            later.start()

    def _end(self) -> None:
        """End the process at the end of this one."""
        with self._lock:
            if self._ready is not None:
                end(self._ready[1])
            self._ready = None
