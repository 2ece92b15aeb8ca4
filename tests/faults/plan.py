"""How much the attacks try: every content at 1 kB, and at 1 MB and more a few that differ for each input.

BPEVIZ_FAULTS_LARGE is how many contents each input gets at each large size; "all" takes hours rather than
minutes.
"""

import os
from collections.abc import Iterator, Sequence

__all__ = ["LARGE", "SMALL", "rotated", "sizes_and_names"]

SMALL = 1_000
LARGE = 1_000_000
_EACH = os.environ.get("BPEVIZ_FAULTS_LARGE", "2")


def rotated(names: Sequence[str], number: int) -> list[str]:
    """The contents that the input with this number gets at a large size."""
    if _EACH == "all":
        return list(names)
    each = int(_EACH)
    return [names[(number * each + i) % len(names)] for i in range(min(each, len(names)))]


def sizes_and_names(names: Sequence[str], number: int, largest: int) -> Iterator[tuple[int, str]]:
    """What an input is given, in order."""
    yield from ((SMALL, name) for name in names)
    yield from ((LARGE, name) for name in rotated(names, number))
    yield from ((largest, name) for name in rotated(names, number + 1))
