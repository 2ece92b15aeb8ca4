"""The most frequent pairs after every number of merges.

An *interval* is a stretch of steps in which one pair keeps its count. All intervals have one order: by
count, and among equals by the tie rule. At any step the top pairs are the first intervals there. To find them
for all steps, halve the steps again and again: intervals that last through a whole part and come early leave
no room there for later ones, so few are left when the parts are short.

What is kept are changes: which places of the list before fall out, and which pairs come in at which places.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpeviz.core.pair_stretches import PairStretches
from bpeviz.core.token_chain import Pair

__all__ = ["MOST_PLACES", "CountIntervals", "TieKeys", "TopPairs", "count_intervals", "find_top_pairs"]

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
#: The keys by which lexsort orders pairs of equal count, given their left ids, right ids and first gaps.
TieKeys = Callable[[Ints, Ints, Ints], tuple[Ints, ...]]

#: A place in a list is one byte, and so is how many pairs change.
MOST_PLACES = 255
#: Parts of so many steps are not halved.
SHORT = 16


@dataclass(frozen=True, eq=False)
class TopPairs:
    """The top pairs after 0, 1, … all merges, as changes from step to step.

    At step k, the next ``num_dropped[k]`` of ``dropped`` are the places that fall out of the list before,
    ascending. Then the next ``num_added[k]`` pairs come in, at their ``places`` in the new list, ascending.
    """

    num_dropped: Bytes
    dropped: Bytes
    num_added: Bytes
    places: Bytes
    lefts: npt.NDArray[np.int32]
    rights: npt.NDArray[np.int32]
    counts: Ints

    def at(self, k: int) -> list[tuple[Pair, int]]:
        """Return the top pairs after ``k`` merges with their counts, in the order in which the recipe
        chooses."""
        rows: list[tuple[Pair, int]] = []
        dropped, added = np.cumsum(np.r_[0, self.num_dropped]), np.cumsum(np.r_[0, self.num_added])
        for step in range(k + 1):
            for place in self.dropped[dropped[step] : dropped[step + 1]][::-1].tolist():
                del rows[place]
            for i in range(added[step], added[step + 1]):
                pair = int(self.lefts[i]), int(self.rights[i])
                rows.insert(int(self.places[i]), (pair, int(self.counts[i])))
        return rows


@dataclass(frozen=True, eq=False)
class _Intervals:
    """Pairs with the count that they have from ``first`` merges until before ``end`` merges. ``order`` is the
    place of each interval among all, by count and tie rule."""

    lefts: Ints
    rights: Ints
    counts: Ints
    first: Ints
    end: Ints
    order: Ints


def find_top_pairs(stretches: PairStretches, num_merges: int, most: int, tie_keys: TieKeys) -> TopPairs:
    """Return the ``most`` frequent pairs after every number of merges, at most ``MOST_PLACES``."""
    intervals = _intervals(stretches, tie_keys)
    table = np.full((num_merges + 1, min(most, MOST_PLACES)), -1, np.int64)
    _fill(table, intervals, np.arange(len(intervals.first)), 0, num_merges + 1)
    return _changes(table, intervals)


@dataclass(frozen=True, eq=False)
class CountIntervals:
    """The intervals of all pairs, by pair and step: the ``number`` of the pair in ``pairs``, its count, and
    the steps from ``first`` until before ``end`` at which it has that count. ``numbers`` are the pairs of the
    stretches."""

    pairs: Ints
    numbers: Ints
    number: Ints
    counts: Ints
    first: Ints
    end: Ints


def count_intervals(stretches: PairStretches) -> CountIntervals:
    """Return the intervals of all pairs: a pair's count rises when a stretch begins and falls when one
    ends."""
    pairs, numbers = np.unique(stretches.pairs, return_inverse=True)
    number, step = np.r_[numbers, numbers], np.r_[stretches.first, stretches.end]
    change = np.r_[stretches.weights, -stretches.weights]
    by_step = np.lexsort((step, number))
    number, step, counts = number[by_step], step[by_step], np.cumsum(change[by_step])
    last = np.append(np.diff(number) | np.diff(step), 1)[: len(number)] != 0
    number, step, counts = number[last], step[last], counts[last]
    here = np.flatnonzero(counts)
    return CountIntervals(pairs, numbers, number[here], counts[here], step[here], step[here + 1])


def _intervals(stretches: PairStretches, tie_keys: TieKeys) -> _Intervals:
    """Return the intervals of all pairs in their order."""
    found = count_intervals(stretches)
    pairs = found.pairs[found.number]
    lefts, rights = pairs >> 32, pairs & 0xFFFFFFFF
    gaps = _first_gaps(stretches, found.numbers, found.number, found.first)
    order = np.empty(len(pairs), np.int64)
    order[np.lexsort((*tie_keys(lefts, rights, gaps), -found.counts))] = np.arange(len(pairs))
    return _Intervals(lefts, rights, found.counts, found.first, found.end, order)


def _first_gaps(stretches: PairStretches, numbers: Ints, number: Ints, step: Ints) -> Ints:
    """Return the first gap at which the pair ``number`` is after ``step`` merges, for each two; ``numbers``
    are the pairs of the stretches.

    Most pairs begin at all their places in one merge. Of these, a gap is the first from the end of the last
    stretch at any gap before it.
    """
    span = int(stretches.end.max(initial=0)) + 1
    latest_first = np.lexsort((stretches.gaps, -stretches.end, numbers))
    pair = numbers[latest_first]
    key = pair * span - stretches.end[latest_first]
    size = int(stretches.gaps.max(initial=0)) + 1
    least = np.minimum.accumulate(stretches.gaps[latest_first] - pair * size) + pair * size
    gaps: Ints = least[np.searchsorted(key, number * span - step) - 1]
    began = np.zeros(numbers.max(initial=-1) + 1, np.int64)
    np.maximum.at(began, numbers, stretches.first)
    for i in np.flatnonzero(began[number] > step).tolist():
        mine = latest_first[np.searchsorted(pair, number[i]) : np.searchsorted(pair, number[i] + 1)]
        there = (stretches.first[mine] <= step[i]) & (step[i] < stretches.end[mine])
        gaps[i] = stretches.gaps[mine[there]].min()
    return gaps


def _fill(table: Ints, intervals: _Intervals, among: Ints, start: int, stop: int) -> None:
    """Write the top intervals of the steps from ``start`` to before ``stop``, all of which are ``among``
    these."""
    most = table.shape[1]
    order = intervals.order[among]
    through = order[(intervals.first[among] <= start) & (intervals.end[among] >= stop)]
    if len(through) > most:
        kept = order <= np.partition(through, most - 1)[most - 1]
        among, order = among[kept], order[kept]
    if stop - start <= SHORT:
        among = among[np.argsort(order)]
        for step in range(start, stop):
            top = among[(intervals.first[among] <= step) & (step < intervals.end[among])][:most]
            table[step, : len(top)] = top
        return
    middle = (start + stop) // 2
    _fill(table, intervals, among[intervals.first[among] < middle], start, middle)
    _fill(table, intervals, among[intervals.end[among] > middle], middle, stop)


def _changes(table: Ints, intervals: _Intervals) -> TopPairs:
    """Return the changes from each row of intervals to the next. Intervals that are in both keep their
    order."""
    steps = len(table)
    step, place = np.nonzero(table >= 0)
    interval = table[step, place]
    entries = interval * (steps + 1) + step
    order = np.argsort(entries)
    apart = np.diff(entries[order]) != 1
    added, dropped = np.ones((2, len(entries)), bool)
    added[order[1:]], dropped[order[:-1]] = apart, apart
    dropped[step == steps - 1] = False
    came = interval[added]
    return TopPairs(
        np.bincount(step[dropped] + 1, minlength=steps).astype(np.uint8),
        place[dropped].astype(np.uint8),
        np.bincount(step[added], minlength=steps).astype(np.uint8),
        place[added].astype(np.uint8),
        intervals.lefts[came].astype(np.int32),
        intervals.rights[came].astype(np.int32),
        intervals.counts[came],
    )
