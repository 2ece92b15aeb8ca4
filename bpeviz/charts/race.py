"""The pair race: counts of some pairs over the last merges, as lines.

A merged pair ends in a mark on the line of the merges, with its merge's number; the others go on to the
right.

Lines that end at the same count are drawn a little apart, in the order in which the recipe takes their pairs.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bpeviz.charts.frame import (
    MONO,
    OF_MERGES,
    QUIET,
    SERIES,
    UNSEEN_MARKER,
    Figure,
    Look,
    Trace,
    after_merges,
    columns,
    count_axis,
    framed,
    pair_label,
    trace,
)
from bpeviz.charts.mark_texts import Position, text_positions, with_texts
from bpeviz.charts.ticks import log_ticks, whole_ticks
from bpeviz.text.token_text import shorten
from bpeviz.words import how_often

__all__ = ["MOST_RACERS", "RacedMerge", "Racer", "has_ties", "race_chart"]

MOST_RACERS = len(SERIES)
HEIGHT = 320
MARGIN_TOP, MARGIN_BOTTOM = 20, 40
PLOT_HEIGHT = HEIGHT - MARGIN_TOP - MARGIN_BOTTOM
#: How many characters of each token a label has, at most and at least, and its columns: a phone is narrow.
LABEL_CHARACTERS, LEAST_CHARACTERS = 7, 3
LABEL_COLUMNS = 18
LABEL_HEIGHT = 16
LETTER = 7.3
#: Pixels between lines that end at the same count, also if there is no other; from lines to the plot's edges.
TIED_APART, ALL_TIED_APART, EDGE = 5.0, LABEL_HEIGHT, 20.0
#: The width of the plot on a phone: numbers that are apart there are apart everywhere.
NARROW = 130.0
#: The width of a letter of a number, and where a number may be.
NUMBER_LETTER = 6.2
NUMBER_POSITIONS: tuple[Position, ...] = ("top center", "bottom center")
#: The highest count is so many times the lowest: then the axis is logarithmic.
LOG_FROM = 6
#: More merges have no dot each.
DOTS = 60


@dataclass(frozen=True, eq=False)
class Racer:
    """One pair: the labels of its tokens and its ``counts`` after each number of merges on show, not all 0.
    ``merged`` is the number of the merge that merged it; ``place`` is its place among the pairs left, 1 for
    the next merge. ``picked`` marks the selected one."""

    left: str
    right: str
    counts: npt.NDArray[np.int64]
    merged: int | None = None
    place: int | None = None
    picked: bool = False

    @property
    def rank(self) -> str:
        """What its label says before the pair: ``#41``, ``next`` or ``2.``."""
        if self.merged is not None:
            return f"#{self.merged:,}"
        return "" if self.place is None else "next" if self.place == 1 else f"{self.place:,}."

    @property
    def used_up(self) -> bool:
        """Whether other merges have taken all its places."""
        return self.merged is None and not self.counts[-1]


@dataclass(frozen=True)
class RacedMerge:
    """One merge: the label of its pair, and its count."""

    pair: str
    count: int


def race_chart(
    racers: Sequence[Racer], merges: Sequence[RacedMerge], *, first: int, text_color: str, log: bool = True
) -> Figure:
    """Lines over the merges made, from ``first`` on, for at most ``MOST_RACERS``; ``merges`` are those made
    since. With ``log``, the axis has room for the counts of all merges, and is logarithmic if they differ
    much; else it has room for the racers."""
    counts = {count for racer in racers for count in racer.counts.tolist() if count}
    if log or not counts:
        counts |= {merge.count for merge in merges}
    scale = _Scale(counts, log=log)
    last = first + len(merges)
    apart = _apart_at_the_end(racers, first, ALL_TIED_APART if len(counts) == 1 else TIED_APART)
    lines = [_Line(racer, look, first, up) for racer, look, up in zip(racers, SERIES, apart, strict=False)]
    return framed(
        [
            _merges(merges, first),
            *(_drawn(line, merges, scale) for line in lines),
            _marks(lines, scale, last - first),
        ],
        text_color=text_color,
        height=HEIGHT,
        margin={"l": 48, "r": _label_room(lines), "t": MARGIN_TOP, "b": MARGIN_BOTTOM},
        xaxis=count_axis("merges made", whole_ticks(first, last, 4), range=[first, max(last, first + 1)]),
        yaxis=scale.axis(),
        hovermode="closest",
        meta=OF_MERGES,
        annotations=_labels(lines, scale, last),
    )


@dataclass(frozen=True, eq=False)
class _Line:
    """A racer, its look, the first step on show, and how many pixels above its counts it is drawn."""

    racer: Racer
    look: Look
    first: int
    up: float

    @property
    def end(self) -> tuple[int, int]:
        """The number of merges at its right end, and its count there."""
        return _end(self.racer, self.first)


def _end(racer: Racer, first: int) -> tuple[int, int]:
    """Return where a pair ends: the merge that merged it or used it up, with the count before that."""
    if racer.merged is not None:
        return racer.merged, int(racer.counts[racer.merged - 1 - first])
    latest = int(np.flatnonzero(racer.counts)[-1])
    return first + latest + racer.used_up, int(racer.counts[latest])


def has_ties(racers: Sequence[Racer], *, first: int) -> bool:
    """Return whether lines end at the same count, so that they are drawn apart."""
    ends = [_end(racer, first)[1] for racer in racers]
    return len(set(ends)) < len(ends)


def _apart_at_the_end(racers: Sequence[Racer], first: int, apart: float) -> list[float]:
    """How many pixels each line is moved up, so that those with the same count at the end don't cover each
    other; those merged first are on top."""
    counts = [_end(racer, first)[1] for racer in racers]

    def up(place: int) -> float:
        tied = [other for other, count in enumerate(counts) if count == counts[place]]
        tied.sort(key=lambda other: (racers[other].merged or np.inf, racers[other].place or np.inf))
        return ((len(tied) - 1) / 2 - tied.index(place)) * apart

    return [up(place) for place in range(len(racers))]


class _Scale:
    """The vertical axis, for these counts: with ``log``, logarithmic if they differ much."""

    def __init__(self, counts: Collection[int], *, log: bool) -> None:
        lowest, highest = min(counts, default=1), max(counts, default=1)
        self.log = log and highest >= LOG_FROM * lowest
        low, high = self._at(lowest), self._at(highest)
        tied = low == high
        if tied:
            low, high = low - 1, high + 1
        beyond = (high - low) * EDGE / (PLOT_HEIGHT - 2 * EDGE)
        self.low, self.high = low - beyond, high + beyond
        self._ticks = log_ticks(lowest, highest) if self.log else whole_ticks(max(0, self.low), self.high)
        if tied:
            self._ticks = [lowest]  # lines that are drawn apart would seem to have counts between others

    def _at(self, count: float) -> float:
        return float(np.log10(count)) if self.log else float(count)

    def at(self, count: float, up: float = 0) -> float:
        """Return the place on the axis of a count, or so many pixels above it: the exponent if it is
        logarithmic."""
        return self._at(count) + up * (self.high - self.low) / PLOT_HEIGHT

    def value(self, count: float, up: float = 0) -> float:
        """Return the same as a trace needs it: Plotly takes the logarithm of traces, but not of
        annotations."""
        return 10 ** self.at(count, up) if self.log else self.at(count, up)

    def pixels(self, count: float, up: float = 0) -> float:
        """Return the same in pixels above the axis along x."""
        return (self.at(count, up) - self.low) / (self.high - self.low) * PLOT_HEIGHT

    def axis(self) -> dict[str, Any]:
        """Return the axis for Plotly."""
        title = "occurrences, log scale" if self.log else "occurrences"
        kind = "log" if self.log else "linear"
        return count_axis(title, self._ticks, range=[self.low, self.high], type=kind)


def _merges(merges: Sequence[RacedMerge], first: int) -> Trace:
    """Return the count of each merge: no pair is above this line, and who reaches it is merged."""
    numbers = range(first + 1, first + len(merges) + 1)
    dots = len(merges) <= DOTS
    return trace(
        "scatter",
        x=list(numbers),
        y=[merge.count for merge in merges],
        mode="lines+markers",
        line={"shape": "vh", "color": QUIET, "width": 1.5},
        marker={"size": 5, "color": QUIET} if dots else UNSEEN_MARKER,
        customdata=[merge.pair for merge in merges],
        text=[how_often(merge.count) for merge in merges],
        hovertemplate="merge %{x:,}: %{customdata}<br>%{text}<extra></extra>",
    )


def _drawn(line: _Line, merges: Sequence[RacedMerge], scale: _Scale) -> Trace:
    """One pair's line, without the steps at which it doesn't occur."""
    counts, first = line.racer.counts, line.first
    end, end_count = line.end
    places = [i for i in _corners(counts) if i + first < end]
    alive = [(first + i, int(counts[i])) for i in places]
    points = [*alive, (end, end_count)]
    return trace(
        "scatter",
        x=[k for k, _ in points],
        y=[scale.value(count, line.up) if count else None for _, count in points],
        mode="lines+markers",
        line={
            "shape": "hv",
            "color": line.look.color,
            "width": 4 if line.racer.picked else 2,
            "dash": line.look.dash,
        },
        marker=UNSEEN_MARKER,
        customdata=[_hover(line, k, count, merges) for k, count in points],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _corners(counts: npt.NDArray[np.int64]) -> list[int]:
    """Return the places at which a count differs from the one before, and the first."""
    return [0, *(np.flatnonzero(np.diff(counts)) + 1).tolist()]


def _hover(line: _Line, k: int, count: int, merges: Sequence[RacedMerge]) -> str:
    """Return a pair, its count after ``k`` merges, and which merge changed it."""
    racer, here = line.racer, k - line.first
    pair = pair_label(racer.left, racer.right)
    change = int(racer.counts[here] - racer.counts[here - 1]) if here else 0
    if racer.merged == k:
        return f"{pair}<br>merge {k:,}: {how_often(count)}"
    count = int(racer.counts[here])
    why = f"<br>{change:+,} by merge {k:,}: {merges[here - 1].pair}" if change else ""
    return f"{pair}<br>{how_often(count)} {after_merges(k)}{why}"


def _marks(lines: Sequence[_Line], scale: _Scale, width: int) -> Trace:
    """Return a mark at each line's end, filled if the pair was merged there, else open; and the number of its
    merge if it has room: the label has it too."""
    ends = [(line, *line.end) for line in lines]
    numbers = [line.racer.rank if line.racer.merged else "" for line in lines]
    places = [
        ((k - line.first) / max(1, width) * NARROW, scale.pixels(count, line.up)) for line, k, count in ends
    ]
    positions = text_positions(
        np.array(places).reshape(-1, 2),
        [len(number) * NUMBER_LETTER for number in numbers],
        (NARROW, PLOT_HEIGHT + MARGIN_TOP),
        NUMBER_POSITIONS,
    )
    marks = trace(
        "scatter",
        x=[k for _, k, _ in ends],
        y=[scale.value(count, line.up) for line, _, count in ends],
        textfont={"size": 11},
        marker={
            "symbol": [_symbol(line) for line in lines],
            "color": [line.look.color for line in lines],
            "size": 10,
            "line": {"width": 2, "color": [line.look.color for line in lines]},
        },
        customdata=[_end_hover(line, count) for line, _, count in ends],
        hovertemplate="%{customdata}<extra></extra>",
        cliponaxis=False,
    )
    return with_texts(marks, numbers, positions)


def _symbol(line: _Line) -> str:
    if line.racer.used_up:
        return "x-thin"
    return line.look.symbol if line.racer.merged else f"{line.look.symbol}-open"


def _end_hover(line: _Line, count: int) -> str:
    racer, k = line.racer, line.end[0]
    how = f"merge {k:,}" if racer.merged else f"used up by merge {k:,}" if racer.used_up else "not merged yet"
    return f"{pair_label(racer.left, racer.right)}<br>{how}, {how_often(count)}"


def _label(line: _Line, most: int = LABEL_CHARACTERS) -> tuple[str, str]:
    """Return the label of a line as plain text, and as Plotly reads it; as short as needed."""
    racer, look = line.racer, line.look
    sign = "✕" if racer.used_up else look.sign if racer.merged else look.open_sign
    before = f"{racer.rank} " if racer.rank else ""
    left, right = (shorten(token, most) for token in (racer.left, racer.right))
    plain = f"{sign} {before}{left} + {right}"
    if columns(plain) > LABEL_COLUMNS and most > LEAST_CHARACTERS:
        return _label(line, most - 2)
    shown = f'<span style="color:{look.color}">{sign}</span> {before}{pair_label(left, right)}'
    return plain, f"<b>{shown}</b>" if racer.picked else shown


def _label_room(lines: Iterable[_Line]) -> int:
    return round(max((columns(_label(line)[0]) for line in lines), default=0) * LETTER) + 20


def _labels(lines: Iterable[_Line], scale: _Scale, last: int) -> list[dict[str, Any]]:
    """Return the labels right of the plot, as high as the lines' ends but apart."""
    ranked = sorted(lines, key=lambda line: (-line.end[1], -line.up))
    heights = [scale.pixels(line.end[1], line.up) for line in ranked]
    return [
        {
            "x": last,
            "y": scale.at(line.end[1], line.up),
            "yshift": place - height,
            "text": _label(line)[1],
            "font": {"family": MONO, "size": 12},
            "xanchor": "left",
            "xshift": 9,
            "showarrow": False,
        }
        for line, height, place in zip(ranked, heights, _apart(heights), strict=True)
    ]


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights in pixels, highest first, moved down until labels fit between them, but not below 0."""
    places: list[float] = []
    for height in heights:
        places.append(min(height, places[-1] - LABEL_HEIGHT) if places else height)
    lowest = 0.0
    for i in reversed(range(len(places))):
        places[i] = max(places[i], lowest)
        lowest = places[i] + LABEL_HEIGHT
    return places
