"""The pair race: counts of the leading pairs over the last merges, as lines that end in their names."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpeviz.charts.frame import (
    LABEL_CHARACTERS,
    MONO,
    QUIET,
    UNSEEN_MARKER,
    Figure,
    Trace,
    corners,
    framed,
    label_width,
    pair_label,
    trace,
    value_axis,
)

__all__ = ["RaceLine", "race_chart"]

HEIGHT = 300
MARGIN_TOP, MARGIN_BOTTOM = 8, 36
PLOT_HEIGHT = HEIGHT - MARGIN_TOP - MARGIN_BOTTOM
HEADROOM = 1.05
LABEL_HEIGHT = 15


@dataclass(frozen=True, eq=False)
class RaceLine:
    """One pair: its ``counts`` after each merge on show, the labels of its tokens, the ``hue`` (in degrees)
    of the token it would make, and whether it is the selected one."""

    left: str
    right: str
    counts: npt.NDArray[np.int64]
    hue: int
    picked: bool = False


def race_chart(
    lines: Sequence[RaceLine], winning: npt.NDArray[np.int64], *, first: int, text_color: str
) -> Figure:
    """Lines over merges made, from ``first`` on; ``winning`` is the count of the pair merged at each."""
    tokens = [(line.left, line.right) for line in lines]
    last = first + max((len(line.counts) - 1 for line in lines), default=0)
    top = max([1, *winning.tolist(), *(int(line.counts.max()) for line in lines)])
    return framed(
        [_winning(winning, first), *(_line(line, first) for line in lines)],
        text_color=text_color,
        height=HEIGHT,
        margin={"l": 44, "r": label_width(tokens) + 18, "t": MARGIN_TOP, "b": MARGIN_BOTTOM},
        xaxis=value_axis("merges made", range=[first, max(last, first + 1)], tickformat=",d"),
        yaxis=value_axis(range=[0, top * HEADROOM]),
        hovermode="closest",
        annotations=_names(lines, top, last),
    )


def _winning(winning: npt.NDArray[np.int64], first: int) -> Trace:
    x, y = corners(winning, first)
    return trace(
        "scatter",
        x=x,
        y=y,
        mode="lines",
        line={"shape": "hv", "color": QUIET, "width": 1.5, "dash": "dot"},
        hovertemplate="the pair merged after %{x:,} merges: %{y:,}<extra></extra>",
    )


def _line(line: RaceLine, first: int) -> Trace:
    x, y = corners(line.counts, first)
    return trace(
        "scatter",
        x=x,
        y=y,
        mode="lines+markers",
        line={"shape": "hv", "color": _color(line), "width": 4 if line.picked else 2},
        marker=UNSEEN_MARKER,
        customdata=[pair_label(line.left, line.right)] * len(x),
        hovertemplate="%{customdata}<br>%{y:,} times after %{x:,} merges<extra></extra>",
    )


def _color(line: RaceLine) -> str:
    return f"hsl({line.hue}, 65%, 50%)"


def _names(lines: Sequence[RaceLine], top: int, last: int) -> list[dict[str, object]]:
    """The names at the lines' ends, moved apart if they would overlap."""
    ranked = sorted(lines, key=lambda line: -int(line.counts[-1]))
    heights = [int(line.counts[-1]) * PLOT_HEIGHT / top / HEADROOM for line in ranked]
    return [
        {
            "x": last,
            "y": int(line.counts[-1]),
            "yshift": place - height,
            "text": f'<span style="color:{_color(line)}">●</span> '
            + pair_label(line.left, line.right, LABEL_CHARACTERS),
            "font": {"family": MONO, "size": 12},
            "xanchor": "left",
            "xshift": 5,
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
