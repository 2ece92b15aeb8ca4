"""A pair's whole life as one line: first occurrence, peak, merged or used up."""

from bpeviz.charts.frame import (
    ACCENT,
    MADE,
    UNSEEN_MARKER,
    Figure,
    Trace,
    area,
    corners,
    framed,
    step_line,
    trace,
    value_axis,
)
from bpeviz.core.pair_lives import PairLife

__all__ = ["life_chart"]


def life_chart(life: PairLife, *, step: int, text_color: str) -> Figure:
    """The count over all merges, marks at birth, peak and end, and a line at ``step``."""
    x, y = corners(life.counts)
    return framed(
        [
            area(
                x,
                y,
                "%{y:,} times after %{x:,} merges<extra></extra>",
                mode="lines+markers",
                marker=UNSEEN_MARKER,
                line={"shape": "hv", "color": ACCENT, "width": 2},
            ),
            _marks(life),
        ],
        text_color=text_color,
        height=150,
        margin={"l": 44, "r": 12, "t": 16, "b": 36},
        xaxis=value_axis("merges made", range=[0, max(1, len(life.counts) - 1)], tickformat=",d"),
        yaxis=value_axis(rangemode="tozero", nticks=4),
        hovermode="closest",
        shapes=[step_line(step)],
    )


def _marks(life: PairLife) -> Trace:
    """Marks: birth and peak as dots; the end as a cross at the last count, filled if the pair was merged."""
    marks = [] if life.born is None else [(life.born, "circle-open", "born"), (life.peak, "circle", "peak")]
    if life.ended and life.fate in ("merged", "used up"):
        marks.append((life.ended - 1, "x" if life.fate == "merged" else "x-open", life.fate))
    return trace(
        "scatter",
        x=[k for k, _, _ in marks],
        y=[int(life.counts[k]) for k, _, _ in marks],
        mode="markers",
        marker={"symbol": [symbol for _, symbol, _ in marks], "size": 9, "color": MADE},
        customdata=[name for _, _, name in marks],
        hovertemplate="%{customdata}: %{y:,} times after %{x:,} merges<extra></extra>",
        cliponaxis=False,
    )
