"""The time left of a training, estimated from its recent pace, and durations in words."""

import math
import time
from collections import deque
from collections.abc import Callable

__all__ = ["TimeLeft"]

#: How many seconds of progress to measure the pace over, and the fewest that give one.
OVER_SECONDS = 5.0
FROM_SECONDS = 1.0


class TimeLeft:
    """Estimates the seconds left of counted work from the pace of the last few seconds.

    Merges of an unsplit text quicken, as later ones touch fewer places (in 1 MB of sources, the first touches
    185,162 and the hundredth 1,137). So if the pace grows, it is taken to be a power of the number done.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()

    def estimate(self, done: int, total: int) -> float | None:
        """Note that ``done`` of ``total`` are done now; returns the seconds left, or None in the first second
        and while nothing moves."""
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
        # from the mean, which is the pace of the middle, to that of now
        pace *= math.pow(2 * done / (first + done), growth)
        # the integral of (n / done) ** -growth / pace, for n from done to total
        further, flat = math.log(total / done), 1 - growth
        return done / pace * (math.expm1(flat * further) / flat if flat else further)

    def _growth(self) -> float:
        """Return the power, from 0 to 1, of the number done with which the pace grows: compares the pace of
        both halves of the time. It is 0 if either half is too short to tell."""
        (since, first), (now, done) = self._seen[0], self._seen[-1]
        middle, half = next(seen for seen in self._seen if seen[0] >= (since + now) / 2)
        if not first < half < done or now - middle < FROM_SECONDS / 4:
            return 0.0
        quickened = (done - half) / (now - middle) / ((half - first) / (middle - since))
        further = (half + done) / (first + half)
        # at least 1: if the halves differ little in the number done, other work on the machine matters more
        return min(1.0, max(0.0, math.log(quickened) / max(1.0, math.log(further))))
