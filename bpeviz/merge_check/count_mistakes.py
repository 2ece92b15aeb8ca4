"""Mistakes in counting: overlaps, and counts that are stale."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from bpeviz.merge_check.changes import Change
from bpeviz.merge_check.rules import Rules
from bpeviz.merge_check.tally import Counting

__all__ = ["count_mistakes", "deaf_at", "stale_since"]

#: After how many merges some trainers count again.
RECOUNTED = (*range(2, 21), 25, 32, 50, 64, 100)


def _counted(**how: object) -> Callable[[Rules], Rules]:
    return lambda of: replace(of, counting=Counting(**how))  # type: ignore[arg-type]


def count_mistakes() -> Iterator[Change]:
    """Yield the mistakes in counting that need no other place in the text."""
    yield Change(
        "overlaps",
        "replaced",
        "Yours counts “aaa” as one a + a, as it replaces it; the rule counts both overlapping pairs",
        rules=_counted(overlaps=False),
    )
    beside = {"left": "to the left of a merge", "right": "to the right of a merge"}
    yield Change(
        "stale",
        "losses",
        "Counts become stale: a merge takes other pairs away, and yours doesn't lower their counts",
        rules=_counted(losses="none"),
    )
    for side, where in beside.items():
        other = "right" if side == "left" else "left"
        yield Change(
            "stale",
            f"losses-{side}",
            f"Counts become stale: yours doesn't lower the count of the pair {where}",
            rules=_counted(losses=other),
        )
        yield Change(
            "stale",
            f"gains-{side}",
            f"Counts become stale: yours doesn't count the new pair {where}",
            rules=_counted(gains=other),
        )
    yield Change(
        "stale",
        "adds-words",
        "Counts are too high: yours adds all pairs of a changed word, and doesn't take the old ones away",
        rules=_counted(adds_words=True),
    )
    yield stale_since(0)
    for every in RECOUNTED:
        yield Change(
            "stale",
            f"every-{every}",
            "Counts become stale: yours counts again only after every ",
            f"{every:,} merges",
            _counted(every=every),
        )


def stale_since(merges: int) -> Change:
    """Return the change of a trainer whose counts stay as they are after so many merges."""
    if not merges:
        what = "Counts are stale from the start: yours counts once, before merge 1"
        return Change("stale", "since-0", what, rules=_counted(frozen_after=0))
    return Change(
        "stale",
        f"since-{merges}",
        "Counts are stale, because yours counts no more after merge ",
        f"{merges:,}",
        _counted(frozen_after=merges),
    )


def deaf_at(merge: int) -> Change:
    """Return the change of a trainer that doesn't lower the counts at one merge, from 1."""
    return Change(
        "stale",
        f"losses-at-{merge}",
        "Counts are stale since merge ",
        f"{merge:,}, at which yours doesn't lower them",
        _counted(deaf_at=merge),
    )
