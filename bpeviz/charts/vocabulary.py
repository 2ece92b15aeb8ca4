"""A vocabulary at a glance: how long its tokens are, and in which scripts."""

from collections.abc import Mapping

from bpeviz.charts.frame import (
    ACCENT,
    Figure,
    bars,
    count_axis,
    framed,
    label,
    tick_labels,
    trace,
    unit_axis,
    up_to,
)

__all__ = ["length_chart", "script_chart"]

#: Longer tokens share the last bar.
MOST_LENGTHS = 16
#: Rarer scripts share the last bar.
MOST_SCRIPTS = 6
ROW_HEIGHT = 22


def length_chart(lengths: Mapping[int, int], *, text_color: str) -> Figure:
    """Return a bar for each length in bytes from 1, with the number of tokens of this length."""
    longest = min(max([1, *lengths]), MOST_LENGTHS)
    counts = [lengths.get(length, 0) for length in range(1, longest)]
    counts.append(sum(count for length, count in lengths.items() if length >= longest))
    names = [f"{length}" for length in range(1, longest + 1)]
    if max(lengths, default=1) > MOST_LENGTHS:
        names[-1] += "+"
    ticks = up_to(max(counts))
    return framed(
        [
            trace(
                "bar",
                x=list(range(1, longest + 1)),
                y=counts,
                customdata=names,
                marker={"color": ACCENT, "cornerradius": 3, "line": {"width": 0}},
                hovertemplate="%{customdata} bytes: %{y:,} tokens<extra></extra>",
            )
        ],
        text_color=text_color,
        height=150,
        margin={"l": 52, "r": 8, "t": 8, "b": 40},
        xaxis={
            **unit_axis("length in bytes", range=[0.4, longest + 0.6]),
            "showticklabels": True,
            "tickmode": "array",
            "tickvals": list(range(1, longest + 1)),
            "ticktext": names,
        },
        yaxis=count_axis("tokens", **ticks),
        bargap=0.25,
    )


def script_chart(scripts: Mapping[str, int], *, text_color: str) -> Figure:
    """Return a bar for each of the most frequent scripts, with its number of tokens."""
    rows = list(scripts.items())
    if len(rows) > MOST_SCRIPTS + 1:
        rest = rows[MOST_SCRIPTS:]
        rows = [*rows[:MOST_SCRIPTS], (f"{len(rest)} others", sum(count for _, count in rest))]
    counts = [count for _, count in rows]
    return framed(
        [
            bars(
                text_color,
                {"color": ACCENT},
                x=counts,
                y=list(range(len(rows))),
                text=[f"{count:,}" for count in counts],
                hoverinfo="skip",
            )
        ],
        text_color=text_color,
        height=ROW_HEIGHT * max(1, len(rows)) + 34,
        margin={"l": max(_width(name) for name, _ in rows or [("", 0)]), "r": 64, "t": 4, "b": 30},
        yaxis=tick_labels([label(name) for name, _ in rows], text_color),
        xaxis=unit_axis("tokens", rangemode="tozero"),
    )


def _width(name: str) -> int:
    """Room for a label, in pixels."""
    return round(len(name) * 8.0) + 16
