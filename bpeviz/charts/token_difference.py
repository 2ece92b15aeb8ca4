"""How many more tokens one run needs than another on the same text, after every number of merges."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bpeviz.charts.frame import (
    OF_MERGES,
    QUIET,
    UNSEEN_MARKER,
    Figure,
    area,
    count_axis,
    framed,
    label,
    spread,
    step_line,
)
from bpeviz.charts.ticks import whole_ticks

__all__ = ["token_difference_chart"]

NAME_CHARACTERS = 24


def token_difference_chart(
    totals: npt.NDArray[np.int64],
    others: npt.NDArray[np.int64],
    *,
    names: tuple[str, str],
    step: int,
    text_color: str,
) -> Figure:
    """Return a chart of ``totals`` minus ``others`` (tokens after 0, 1, … merges) as far as both go; a line
    at ``step``. ``names`` are the runs' names."""
    length = min(len(totals), len(others))
    points = spread(0, length - 1)
    more = totals[points] - others[points]
    lowest, highest = min(0, int(more.min())), max(0, int(more.max()))
    if lowest == highest:
        lowest, highest = -1, 1
    room = 0.08 * (highest - lowest)
    return framed(
        [
            area(
                points.tolist(),
                more.tolist(),
                "%{y:+,} tokens after %{x:,} merges<extra></extra>",
                mode="lines+markers",
                marker=UNSEEN_MARKER,
            )
        ],
        text_color=text_color,
        height=180,
        margin={"l": 64, "r": 16, "t": 8, "b": 40},
        xaxis=count_axis("merges made", whole_ticks(0, length - 1, 5), range=[0, max(1, length - 1)]),
        yaxis={
            **count_axis("tokens more", whole_ticks(lowest, highest, 5), signed=True),
            "range": [lowest - room, highest + room],
            "zeroline": True,
            "zerolinecolor": QUIET,
        },
        hovermode="x",
        meta=OF_MERGES,
        shapes=[step_line(step)],
        annotations=_sides(names, lowest, highest),
    )


def _sides(names: tuple[str, str], lowest: int, highest: int) -> list[dict[str, Any]]:
    """Return what above and below the line means, where there is room."""
    mine = label(names[0], NAME_CHARACTERS)
    said = []
    if highest > 0.2 * (highest - lowest):
        said.append((1, "top", f"{mine} needs more"))
    if -lowest > 0.2 * (highest - lowest):
        said.append((0, "bottom", f"{mine} needs fewer"))
    return [
        {
            "xref": "paper",
            "yref": "paper",
            "x": 0.02,
            "y": y,
            "xanchor": "left",
            "yanchor": anchor,
            "text": text,
            "font": {"size": 11},
            "showarrow": False,
        }
        for y, anchor, text in said
    ]
