"""How long a training still takes: estimated from its pace lately, and said in words."""

import math
import time
from collections import deque
from collections.abc import Callable

__all__ = ["TimeLeft", "duration"]

#: How many seconds the pace is measured over, and from how many on it says something.
OVER_SECONDS = 5.0
FROM_SECONDS = 1.0


class TimeLeft:
    """Seconds left of something that is counted, at the pace of the last few seconds.

    Where it has quickened within these, it is taken to go on so: merges of an unsplit text touch fewer
    places the later they come (in 1 MB of sources the first 185,162 and the hundredth 1,137). The pace then
    grows as a power of how much is done, by at most the first.
    """

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
        growth, pace = self._growth(), (done - first) / (now - since)
        if growth == 0:
            return (total - done) / pace
        # the pace of the seconds as a whole was that of their middle
        return _at_growing_pace(done, total, pace * (2 * done / (first + done)) ** growth, growth)

    def _growth(self) -> float:
        """The power of what is done by which the pace grows, from 0 to 1: from one half of the seconds to the
        other. Where there is too little in either to tell, 0."""
        (since, first), (now, done) = self._seen[0], self._seen[-1]
        middle, half = next(seen for seen in self._seen if seen[0] >= (since + now) / 2)
        if not first < half < done or now - middle < FROM_SECONDS / 4:
            return 0.0
        quickened = (done - half) / (now - middle) / ((half - first) / (middle - since))
        further = (half + done) / (first + half)
        # halves that lie near each other tell more of the machine's other work than of ours
        return min(1.0, max(0.0, math.log(quickened) / max(1.0, math.log(further))))


def _at_growing_pace(done: int, total: int, pace: float, growth: float) -> float:
    """Seconds from ``done`` to ``total`` where the pace is ``pace`` now and grows: the integral of
    (n / done) ** -growth / pace."""
    further, flat = math.log(total / done), 1 - growth
    return done / pace * (math.expm1(flat * further) / flat if flat else further)


def duration(seconds: float) -> str:
    """``12 s``, ``3 min 5 s``, ``1 h 2 min``."""
    minutes, whole = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60:,} h {minutes % 60} min"
    return f"{minutes} min {whole} s" if minutes else f"{whole} s"
