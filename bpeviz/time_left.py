"""How long a training still takes: estimated from its pace lately, and said in words."""

import time
from collections import deque
from collections.abc import Callable

__all__ = ["TimeLeft", "duration"]

#: How many seconds the pace is measured over, and from how many on it says something.
OVER_SECONDS = 5.0
FROM_SECONDS = 1.0


class TimeLeft:
    """Seconds left of something that is counted, at the pace of the last few seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()

    def estimate(self, done: int, total: int) -> float | None:
        """Note that ``done`` of ``total`` are done now, and give the seconds left; None while the pace is not
        known, which takes a second, and while nothing moves."""
        now = self._clock()
        self._seen.append((now, done))
        while len(self._seen) > 1 and now - self._seen[1][0] >= OVER_SECONDS:
            self._seen.popleft()
        since, first = self._seen[0]
        if now - since < FROM_SECONDS or done == first:
            return None
        return (total - done) * (now - since) / (done - first)


def duration(seconds: float) -> str:
    """``12 s``, ``3 min 5 s``, ``1 h 2 min``."""
    minutes, whole = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60:,} h {minutes % 60} min"
    return f"{minutes} min {whole} s" if minutes else f"{whole} s"
