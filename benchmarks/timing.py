"""How long something takes."""

import time
from collections.abc import Callable
from statistics import median

__all__ = ["median_seconds"]


def median_seconds(action: Callable[[], object], rounds: int) -> float:
    """Return the median of so many rounds, in seconds."""
    measured = []
    for _ in range(rounds):
        began = time.perf_counter()
        action()
        measured.append(time.perf_counter() - began)
    return median(measured)
