"""The progress of a training as a progress bar shows it: a share from 0 to 1, and words.

Splitting the text into pre-tokens, 3 s so far
Merge 1,200 of 5,000, about 12 s left
"""

import math
import time
from collections import deque
from collections.abc import Callable, Mapping

from bpeviz.training.text_training import Phase, TrainingProgress
from bpeviz.words import duration

__all__ = ["LAID_OUT_FROM", "Progress", "TimeLeft", "TrainingWords"]

#: Called with a share from 0 to 1, and words; may raise to cancel.
Progress = Callable[[float, str], object]

#: The share at which each phase starts, and its words. Merging lasts until the text is laid out.
_PHASES: Mapping[Phase, tuple[float, str]] = {
    "waiting": (0.0, "Waiting for other trainings"),
    "starting": (0.0, "Starting"),
    "reading": (0.05, "Reading and splitting"),
    "splitting": (0.05, "Splitting the text into pre-tokens"),
    "counting": (0.2, "Counting pairs"),
    "merging": (0.25, "Merge"),
}
LAID_OUT_FROM = 0.85
#: The share at which all files are read, which takes longer than merging.
READ_AT = 0.6
#: After so many of an unknown number of merges, half of the time is taken to be gone.
UNKNOWN_MERGES = 10_000


class TrainingWords:
    """Puts the progress of one training into words for ``on_progress``."""

    def __init__(self, on_progress: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._on_progress = on_progress
        self._clock = clock
        self._phase: Phase | None = None
        self._since = 0.0
        self._time_left, self._reading_left = TimeLeft(clock), TimeLeft(clock)
        self._read = 0.0

    def tell(self, now: TrainingProgress) -> None:
        """Report progress. Raises what ``on_progress`` raises."""
        share, words = _PHASES[now.phase]
        share = max(share, self._read)
        match now.phase:
            case "reading":
                first, done = _PHASES["reading"][0], min(1.0, now.made / max(1, now.asked))
                share = self._read = first + (READ_AT - first) * done
                words = self._reading(now)
            case "merging":
                # how many merges of a start occur in the text is known only at the end
                done = now.made / now.asked if now.asked else now.made / (now.made + UNKNOWN_MERGES)
                share += (LAID_OUT_FROM - share) * min(1.0, done)
                words = self._merging(now)
            case _:
                words += self._so_far(now.phase)
        self._on_progress(share, words)

    def _merging(self, now: TrainingProgress) -> str:
        if not now.asked:
            return f"Merge {now.made:,}"
        left = self._time_left.estimate(now.made, now.asked)
        words = f"Merge {now.made:,} of {now.asked:,}"
        return words if left is None else f"{words}, about {duration(left)} left"

    def _reading(self, now: TrainingProgress) -> str:
        left = self._reading_left.estimate(now.made, now.asked)
        words = f"Reading {now.made / 1e6:,.0f} of {now.asked / 1e6:,.0f} MB"
        return words if left is None else f"{words}, about {duration(left)} left"

    def _so_far(self, phase: Phase) -> str:
        """How long a phase has taken; empty in its first second. How much is left is unknown."""
        if phase != self._phase:
            self._phase, self._since = phase, self._clock()
        gone = int(self._clock() - self._since)
        return f", {gone} s so far" if gone else ""


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
