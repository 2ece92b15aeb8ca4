"""A pair's whole life as one line: first occurrence, peak, merged or used up.

The chart is as wide as the life: among 20,000 merges a short one would be a few pixels.
"""

from bpeviz.charts.frame import (
    ACCENT,
    MADE,
    UNSEEN_MARKER,
    Figure,
    Trace,
    after_merges,
    area,
    corners,
    count_axis,
    framed,
    step_line,
    trace,
    up_to,
)
from bpeviz.charts.ticks import whole_ticks
from bpeviz.core.pair_lives import PairLife
from bpeviz.words import how_often

__all__ = ["life_chart"]

#: How much of the life's length is shown before and after it, and how many merges at least.
AROUND, LEAST = 0.1, 2


def life_chart(life: PairLife, *, step: int, text_color: str) -> Figure:
    """Return the count while the pair lives, marks at birth, peak and end, and a line at ``step`` if it is
    near."""
    first, last = _shown(life)
    x, y = corners(life.counts[first : last + 1], first)
    return framed(
        [
            area(
                x,
                y,
                "%{text}<extra></extra>",
                text=[f"{how_often(count)} {after_merges(k)}" for k, count in zip(x, y, strict=True)],
                mode="lines+markers",
                marker=UNSEEN_MARKER,
                line={"shape": "hv", "color": ACCENT, "width": 2},
            ),
            _marks(life),
        ],
        text_color=text_color,
        height=160,
        margin={"l": 56, "r": 16, "t": 12, "b": 40},
        xaxis=count_axis("merges made", whole_ticks(first, last, 5), range=[first, last]),
        yaxis=count_axis("occurrences", **up_to(int(life.counts.max()))),
        hovermode="closest",
        shapes=[step_line(step)] if first <= step <= last else [],
    )


def _shown(life: PairLife) -> tuple[int, int]:
    """Return the first and the last number of merges on show."""
    made = len(life.counts) - 1
    born, ended = life.born or 0, made if life.ended is None else life.ended
    around = max(LEAST, round((ended - born) * AROUND))
    first, last = max(0, born - around), min(made, ended + around)
    return first, max(last, first + 1)


def _marks(life: PairLife) -> Trace:
    """Draw marks: birth and peak as dots; the end as a cross at the last count, filled if the pair was
    merged."""
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
        text=[f"{how_often(int(life.counts[k]))} {after_merges(k)}" for k, _, _ in marks],
        hovertemplate="%{customdata}: %{text}<extra></extra>",
        cliponaxis=False,
    )
