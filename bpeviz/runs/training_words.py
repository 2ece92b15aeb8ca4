"""The progress of a training as a progress bar shows it: a share from 0 to 1, and words.

Splitting the text into pre-tokens, 3 s so far
Merge 1,200 of 5,000, about 12 s left
"""

import time
from collections.abc import Callable, Mapping

from bpeviz.runs.time_left import TimeLeft
from bpeviz.training.text_training import Phase, TrainingProgress
from bpeviz.words import duration

__all__ = ["LAID_OUT_FROM", "Progress", "TrainingWords"]

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
                share += (LAID_OUT_FROM - share) * min(1.0, now.made / now.asked)
                words = self._merging(now)
            case _:
                words += self._so_far(now.phase)
        self._on_progress(share, words)

    def _merging(self, now: TrainingProgress) -> str:
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
