"""The progress of a training: one line, redrawn on a terminal; nothing elsewhere.

1,200 of 5,000 merges, 3 s left
"""

import time
from collections.abc import Callable
from types import TracebackType
from typing import BinaryIO, Self

from bpeviz.words import duration

__all__ = ["Progress"]

SECONDS_BETWEEN = 0.1


class Progress:
    """A line on ``stream`` during a context; it disappears at the end, even after an error."""

    def __init__(self, stream: BinaryIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream if stream.isatty() else None
        self._clock = clock
        self._width = 0
        self._start = self._due = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._width:
            self.say("")
            self._draw("\r")

    def say(self, line: str) -> None:
        """Draw ``line`` now instead of the one before; the time to the next drawing starts here."""
        self._draw(f"\r{line.ljust(self._width)}")
        self._width = len(line)
        self._start = self._clock()
        self._due = self._start + SECONDS_BETWEEN

    def report(self, done: int, total: int | None) -> None:
        """Draw how many merges are made, and the time left if the number of merges is known."""
        if self._stream is None or (now := self._clock()) < self._due:
            return
        line = f"{done:,} merges"
        if total is not None:
            left = (now - self._start) * (total - done) / max(1, done)
            line = f"{done:,} of {total:,} merges, {duration(left)} left"
        self._draw(f"\r{line.ljust(self._width)}")
        self._width = len(line)
        self._due = now + SECONDS_BETWEEN

    def _draw(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text.encode())
            self._stream.flush()
