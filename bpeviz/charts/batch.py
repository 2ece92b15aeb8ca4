"""What each of several texts costs two tokenizers: tokens per 100 characters, as pairs of bars."""

from collections.abc import Sequence
from dataclasses import dataclass

from bpeviz.charts.frame import (
    ACCENT,
    HATCH,
    MADE,
    UNIT_HEIGHT,
    Figure,
    Trace,
    bars,
    columns,
    framed,
    label,
    tick_labels,
    unit_axis,
)
from bpeviz.text.token_text import shorten

__all__ = ["TextCost", "batch_chart"]

NAME_CHARACTERS = 24
ROW_HEIGHT = 40
LEGEND_HEIGHT = 52


@dataclass(frozen=True)
class TextCost:
    """A text by ``name``, and its tokens per 100 characters on the left and right; None if that side cannot
    spell it."""

    name: str
    left: float | None
    right: float | None

    @property
    def most(self) -> float:
        return max(self.left or 0.0, self.right or 0.0)


def batch_chart(costs: Sequence[TextCost], *, names: tuple[str, str], text_color: str) -> Figure:
    """Two bars per text, longest first; those of the right side are hatched. ``names`` are the sides'."""
    rows = sorted(costs, key=lambda cost: -cost.most)
    widest = max((columns(shorten(cost.name, NAME_CHARACTERS)) for cost in rows), default=0)
    labels = [label(cost.name, NAME_CHARACTERS) for cost in rows]
    return framed(
        [
            _bars(names[0], [cost.left for cost in rows], rows, text_color, offset=-0.38, hatched=False),
            _bars(names[1], [cost.right for cost in rows], rows, text_color, offset=0.02, hatched=True),
        ],
        text_color=text_color,
        height=ROW_HEIGHT * max(1, len(rows)) + LEGEND_HEIGHT + 12 + UNIT_HEIGHT,
        margin={"l": round(widest * 7.2) + 20, "r": 48, "t": LEGEND_HEIGHT, "b": 4 + UNIT_HEIGHT},
        barmode="overlay",
        yaxis={**tick_labels(labels, text_color), "tickfont": {"size": 13}},
        xaxis=unit_axis("tokens per 100 characters", rangemode="tozero"),
        showlegend=True,
        legend={"x": 0, "y": 1, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False},
    )


def _bars(
    side: str,
    costs: Sequence[float | None],
    rows: Sequence[TextCost],
    text_color: str,
    *,
    offset: float,
    hatched: bool,
) -> Trace:
    return bars(
        text_color,
        {"color": MADE, "pattern": HATCH} if hatched else {"color": ACCENT},
        name=label(side, NAME_CHARACTERS),
        x=list(costs),
        y=list(range(len(rows))),
        width=0.36,
        offset=offset,
        texttemplate="%{x:.1f}",
        customdata=[[label(cost.name), label(side)] for cost in rows],
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}: "
        "%{x:.1f} tokens per 100 characters<extra></extra>",
    )
