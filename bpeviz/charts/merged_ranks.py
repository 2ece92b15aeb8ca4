"""How frequent the pair of each merge was among all pairs, and what new merges save: for a run that begins
with a finished tokenizer."""

import numpy as np
import numpy.typing as npt

from bpeviz.charts.frame import (
    ACCENT,
    MADE,
    OF_MERGES,
    UNSEEN_MARKER,
    Figure,
    count_axis,
    framed,
    spread,
    step_line,
    trace,
)
from bpeviz.charts.ticks import log_ticks, whole_ticks

__all__ = ["merged_ranks_chart", "saved_tokens_chart"]

Ints = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]


def merged_ranks_chart(ranks: Ints, worst: Ints, *, step: int, text_color: str) -> Figure:
    """Return a chart with a mark for each merge at its rank, the most frequent pair on top; the ``worst``
    merges stand out, and a line is at ``step``. Of many merges it has some, evenly spread."""
    shown = np.unique(np.r_[spread(0, len(ranks) - 1), worst])
    highest = max(2, int(ranks.max(initial=1)))
    colors = np.where(np.isin(shown, worst), MADE, ACCENT).tolist()
    return framed(
        [
            trace(
                "scatter",
                mode="markers",
                x=shown.tolist(),
                y=ranks[shown].tolist(),
                marker={"size": 6, "color": colors},
                hovertemplate="merge %{customdata:,}: rank %{y:,}<extra></extra>",
                customdata=(shown + 1).tolist(),
            )
        ],
        text_color=text_color,
        height=220,
        margin={"l": 64, "r": 16, "t": 8, "b": 40},
        xaxis=count_axis(
            "merges made", whole_ticks(0, len(ranks), 5), range=[-0.5, max(1, len(ranks)) - 0.5]
        ),
        yaxis={
            **count_axis("rank of the pair here", log_ticks(1, highest)),
            "type": "log",
            "range": [np.log10(highest) + 0.08, -0.08],
        },
        meta=OF_MERGES,
        shapes=[step_line(step)],
    )


def saved_tokens_chart(saved: Shares, second: Shares | None, *, first: int, text_color: str) -> Figure:
    """Return a chart of the tokens that new merges ``saved``, in percent of those before: after 0, 1, … of
    them, the first of which is merge ``first``; and the same of a ``second`` text."""
    lines = [(saved, "this text", ACCENT, "solid")]
    if second is not None:
        lines.append((second, "second text", MADE, "dash"))
    points = spread(0, len(saved) - 1)
    highest = max(0.1, *(float(values.max(initial=0)) for values, *_ in lines))
    return framed(
        [
            trace(
                "scatter",
                mode="lines+markers",
                marker=UNSEEN_MARKER,
                x=(points + first).tolist(),
                y=values[points].round(3).tolist(),
                hovertemplate=f"{name}: %{{y:.2f}} % fewer tokens<extra></extra>",
                line={"color": color, "width": 2, "dash": dash},
                name=name,
            )
            for values, name, color, dash in lines
        ],
        text_color=text_color,
        height=200,
        margin={"l": 64, "r": 16, "t": 8, "b": 40},
        xaxis=count_axis("merges made", [tick + first for tick in whole_ticks(0, len(saved) - 1, 5)]),
        yaxis={
            **count_axis("tokens saved, %", whole_ticks(0, max(1, highest), 4)),
            "range": [0, highest * 1.08],
        },
        hovermode="x",
        meta=OF_MERGES,
        showlegend=len(lines) > 1,
        legend={"x": 0.02, "y": 0.98},
    )
