"""Two vocabularies: the ranks of the tokens that both learned against each other, and what share was learned.

The caller says which tokens get a name.
"""

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
from bpeviz.charts.mark_texts import Position, text_positions, with_texts
from bpeviz.charts.ticks import log_ticks, whole_ticks
from bpeviz.text.token_text import shorten

__all__ = ["RankPoint", "rank_scatter", "share_curve", "thinned"]

SCATTER_HEIGHT = 400
MARGIN = {"l": 62, "r": 14, "t": 10, "b": 44}
#: On a narrow phone: names that don't cover each other there don't on a wide screen.
PLOT_SIZE = (290, SCATTER_HEIGHT - MARGIN["t"] - MARGIN["b"])
#: Points closer than this are one mark: 50,000 of them draw as fast as 3,000.
SPOTS = 130
NAME_CHARACTERS = 11
CHARACTER_WIDTH = 7.3
NAME_POSITIONS: tuple[Position, ...] = ("middle right", "middle left", "top center", "bottom center")
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
    points get a mark, and a name if it has room. ``names`` are those of the tokenizers along x and y."""
    everything = [*points, *named]
    far_x = max([SHORTEST, *(p.rank_x + 1 for p in everything)])
    far_y = max([SHORTEST, *(p.rank_y + 1 for p in everything)])
    equal = min(far_x, far_y)
    x_name, y_name = (escaped(shorten(name, 28)) for name in names)
    hover = f"%{{customdata}}<br>merge %{{x:,}} of {x_name}<br>merge %{{y:,}} of {y_name}<extra></extra>"
    return framed(
        [_marks(points, hover, color=QUIET, size=4), _with_names(named, hover, far_x, far_y)],
        text_color=text_color,
        height=SCATTER_HEIGHT,
        margin=MARGIN,
        xaxis=_rank_axis(f"merge of {x_name}", far_x),
        yaxis=_rank_axis(f"merge of {y_name}", far_y),
        hovermode="closest",
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


def _with_names(named: Sequence[RankPoint], hover: str, far_x: int, far_y: int) -> Trace:
    """Return the named marks with the names that have room."""
    ends = np.log(np.array([far_x, far_y]) * BEYOND * BEYOND)
    ranks = np.array([(p.rank_x, p.rank_y) for p in named], np.float64).reshape(-1, 2)
    places = np.log((ranks + 1) * BEYOND) / ends * PLOT_SIZE
    names = [shorten(p.token, NAME_CHARACTERS) for p in named]
    widths = [CHARACTER_WIDTH * columns(name) for name in names]
    positions = text_positions(places, widths, PLOT_SIZE, NAME_POSITIONS)
    marks = {**_marks(named, hover, color=MADE, size=8), "textfont": {"family": MONO, "size": 12}}
    return with_texts(marks, [label(name) for name in names], positions)


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
