"""Two vocabularies: the ranks of the tokens that both learned against each other, and what share was learned.

The caller says which tokens get a name.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bpeviz.charts.frame import (
    MADE,
    MONO,
    QUIET,
    Figure,
    Trace,
    area,
    columns,
    count_axis,
    escaped,
    framed,
    label,
    spread,
    trace,
    value_axis,
)
from bpeviz.charts.ticks import log_ticks, whole_ticks
from bpeviz.text.token_text import shorten

__all__ = ["RankPoint", "rank_scatter", "share_curve", "thinned"]

Points = npt.NDArray[np.float64]
#: Right and up, in pixels.
Offset = tuple[float, float]

SCATTER_HEIGHT = 400
MARGIN = {"l": 62, "r": 14, "t": 10, "b": 44}
PLOT_HEIGHT = SCATTER_HEIGHT - MARGIN["t"] - MARGIN["b"]
#: On a narrow phone and on a wide screen; names do not overlap on either.
PLOT_WIDTHS = (290, 580)
#: Points closer than this are one mark: 50,000 of them draw as fast as 3,000.
SPOTS = 130
NAME_CHARACTERS = 11
NAME_HEIGHT = 15
#: The cost of covering a mark, or a line to another name, in pixels of distance.
COVERED_MARK, COVERED_LINE = 4.0, 15.0
CHARACTER_WIDTH = 7.3
#: How far an axis goes beyond the first and the last merge.
BEYOND = 1.4
#: Shorter axes would have a single tick.
SHORTEST = 3


@dataclass(frozen=True)
class RankPoint:
    """A token with a name on the chart: its label, and its ranks (from 0) on both axes."""

    token: str
    rank_x: int
    rank_y: int


def thinned(ranks_x: npt.NDArray[np.int64], ranks_y: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Return the indices of points, ascending, so that no two are at the same spot of logarithmic axes."""
    cells = [_spots(ranks) for ranks in (ranks_x, ranks_y)]
    kept: npt.NDArray[np.intp] = np.unique(cells[0] * (SPOTS + 1) + cells[1], return_index=True)[1]
    return np.sort(kept)


def _spots(ranks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """0 … SPOTS along a logarithmic axis that ends at the highest rank."""
    logarithms = np.log(ranks + 1.0)
    spots: npt.NDArray[np.int64] = np.floor(
        logarithms * (SPOTS / max(logarithms.max(initial=0.0), 1e-9))
    ).astype(np.int64)
    return spots


def rank_scatter(
    points: Sequence[RankPoint], named: Sequence[RankPoint], *, names: tuple[str, str], text_color: str
) -> Figure:
    """Merge against merge on logarithmic axes that begin at 1, with the diagonal of equal ranks; ``named``
    points get a mark and a name. ``names`` are those of the tokenizers along x and y."""
    everything = [*points, *named]
    far_x = max([SHORTEST, *(p.rank_x + 1 for p in everything)])
    far_y = max([SHORTEST, *(p.rank_y + 1 for p in everything)])
    equal = min(far_x, far_y)
    x_name, y_name = (escaped(shorten(name, 28)) for name in names)
    hover = f"%{{customdata}}<br>merge %{{x:,}} of {x_name}<br>merge %{{y:,}} of {y_name}<extra></extra>"
    return framed(
        [_marks(points, hover, color=QUIET, size=4), _marks(named, hover, color=MADE, size=8)],
        text_color=text_color,
        height=SCATTER_HEIGHT,
        margin=MARGIN,
        xaxis=_rank_axis(f"merge of {x_name}", far_x),
        yaxis=_rank_axis(f"merge of {y_name}", far_y),
        hovermode="closest",
        annotations=_names(named, points, far_x, far_y),
        shapes=[
            {
                "type": "line",
                "layer": "below",
                "line": {"color": QUIET, "width": 1.5, "dash": "dot"},
                **dict(zip(("x0", "y0", "x1", "y1"), (1, 1, equal, equal), strict=True)),
            }
        ],
    )


def _marks(points: Sequence[RankPoint], hover: str, *, color: str, size: int) -> Trace:
    return trace(
        "scatter",
        x=[p.rank_x + 1 for p in points],
        y=[p.rank_y + 1 for p in points],
        mode="markers",
        marker={"color": color, "size": size},
        customdata=[label(p.token) for p in points],
        hovertemplate=hover,
    )


def _rank_axis(title: str, far: int) -> dict[str, Any]:
    """Return a logarithmic axis of merges, counted from 1."""
    ends = [float(np.log10(1 / BEYOND)), float(np.log10(far * BEYOND))]
    return count_axis(f"{title} (log)", log_ticks(1, far * BEYOND), type="log", range=ends)


def _names(
    named: Sequence[RankPoint], points: Sequence[RankPoint], far_x: int, far_y: int
) -> list[dict[str, Any]]:
    """Return the names near their marks. They cover no other name or named mark, and as few marks as
    possible; a line leads from those that are further away."""
    plots = [_Plot(width, named, points, far_x, far_y) for width in PLOT_WIDTHS]
    names: list[dict[str, Any]] = []
    for place, point in enumerate(named):
        width = CHARACTER_WIDTH * columns(shorten(point.token, NAME_CHARACTERS)) + 4
        # above the diagonal there is room to the left of a mark, below it to the right
        offset = _best_offset(plots, place, width, away=-1 if point.rank_y > point.rank_x else 1)
        for plot in plots:
            plot.put(place, offset, width)
        names.append(_name(point, offset))
    return names


def _best_offset(plots: "Sequence[_Plot]", place: int, width: float, *, away: int) -> Offset:
    """Return the best distance of the middle of a name from its mark, in pixels right and up."""
    beside = width / 2 + 8
    best, lowest = (away * beside, 0.0), np.inf
    for distance, further, up in _DISTANCES:
        if distance >= lowest:
            break
        for side in (away, -away):
            offset = (side * (beside + further), up)
            cost = distance + sum(plot.cost(place, offset, width) for plot in plots)
            if cost < lowest:
                best, lowest = offset, cost
    return best


#: Where a name may be, nearest first: the whole distance, how far to the side (beyond right beside), how far
#: up.
_DISTANCES = sorted(
    (further + abs(up), float(further), float(up))
    for further, up in itertools.product(range(0, 121, 30), range(-105, 106, 15))
)


class _Plot:
    """The plot in a window of one width, while names are placed on it one by one."""

    def __init__(
        self, width: int, named: Sequence[RankPoint], points: Sequence[RankPoint], far_x: int, far_y: int
    ) -> None:
        self.width = width
        ranks = np.array([(p.rank_x, p.rank_y) for p in (*named, *points)], np.float64).reshape(-1, 2)
        lengths = np.log(np.array([far_x, far_y]) * BEYOND * BEYOND)
        #: In pixels from the lower left corner, one row each.
        self.marks = np.log((ranks + 1) * BEYOND) / lengths * (width, PLOT_HEIGHT)
        self.weights = np.full(len(self.marks), COVERED_MARK)
        #: Left, bottom, right, top of named marks and names, one row each.
        self.taken = self.marks[: len(named)][:, [0, 1, 0, 1]] + (-6, -6, 6, 6)

    def cost(self, place: int, offset: Offset, width: float) -> float:
        """Return the cost of what a name and its line cover there, in pixels of distance; infinite if the
        name must not be there."""
        low, high = self._corners(place, offset, width)
        if (low < 0).any() or (high > (self.width, PLOT_HEIGHT)).any():
            return np.inf
        taken_low, taken_high = self.taken[:, :2], self.taken[:, 2:]
        if ((low < taken_high) & (high > taken_low)).all(axis=1).any():
            return np.inf
        covered = ((self.marks >= low) & (self.marks <= high)).all(axis=1)
        line = self._line(place, offset)[:, None]
        crossed = ((line > taken_low) & (line < taken_high)).all(axis=2).any(axis=0)
        return float(self.weights[covered].sum() + COVERED_LINE * crossed.sum())

    def put(self, place: int, offset: Offset, width: float) -> None:
        """Place a name there; later ones avoid the line to it."""
        self.taken = np.concatenate([self.taken, [np.concatenate(self._corners(place, offset, width))]])
        line = self._line(place, offset)
        self.marks = np.concatenate([self.marks, line])
        self.weights = np.concatenate([self.weights, np.full(len(line), COVERED_LINE)])

    def _corners(self, place: int, offset: Offset, width: float) -> tuple[Points, Points]:
        """Return the lower left corner of a name, and the upper right one."""
        middle, half = self.marks[place] + offset, np.array([width, NAME_HEIGHT]) / 2
        return middle - half, middle + half

    def _line(self, place: int, offset: Offset) -> Points:
        """Places along the line from a mark to its name."""
        line: Points = self.marks[place] + np.linspace(0, 1, 12)[:, None] * np.array(offset)
        return line


def _name(point: RankPoint, offset: Offset) -> dict[str, Any]:
    right, up = offset
    return {
        # Plotly places an annotation on a logarithmic axis by its exponent
        "x": float(np.log10(point.rank_x + 1)),
        "y": float(np.log10(point.rank_y + 1)),
        "ax": right,
        "ay": -up,
        "text": label(point.token, NAME_CHARACTERS),
        "font": {"family": MONO, "size": 12},
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": QUIET,
        "standoff": 4,
        "borderpad": 0,
    }


def share_curve(shares: npt.NDArray[np.float64], *, text_color: str) -> Figure:
    """Return the share (0 to 1) of the first k merges that the other vocabulary has too, for k = 1, 2, …; the
    value for k = 0 is left out."""
    length = len(shares) - 1
    points = spread(1, length)
    hover = "%{y:.1%} of the first %{x:,} merges<extra></extra>"
    return framed(
        [area(points.tolist(), shares[points].tolist(), hover)],
        text_color=text_color,
        height=180,
        margin={"l": 64, "r": 16, "t": 10, "b": 40},
        xaxis=count_axis("first merges", _first_merges(length), range=[1, max(2, length)]),
        yaxis=value_axis("share", range=[0, 1.04], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1]),
        hovermode="x",
    )


def _first_merges(length: int) -> list[int]:
    """Return the ticks of an axis from 1 to ``length`` merges: 1 and round numbers."""
    ticks = whole_ticks(1, max(2, length), 5)
    return ticks if ticks[0] == 1 else [1, *ticks]
