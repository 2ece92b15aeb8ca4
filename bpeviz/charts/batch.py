"""What each of several texts costs two tokenizers: tokens per 100 characters, as pairs of bars."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from bpeviz.charts.frame import ACCENT, MADE, Figure, Trace, framed, tick_labels, trace
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
    labels = [shorten(cost.name, NAME_CHARACTERS) for cost in rows]
    return framed(
        [
            _bars(names[0], [cost.left for cost in rows], rows, text_color, offset=-0.38, hatched=False),
            _bars(names[1], [cost.right for cost in rows], rows, text_color, offset=0.02, hatched=True),
        ],
        text_color=text_color,
        height=ROW_HEIGHT * max(1, len(rows)) + LEGEND_HEIGHT + 12,
        margin={"l": _width(labels), "r": 48, "t": LEGEND_HEIGHT, "b": 4},
        barmode="overlay",
        yaxis={**tick_labels([_literal(label) for label in labels], text_color), "tickfont": {"size": 13}},
        xaxis={"visible": False, "fixedrange": True, "rangemode": "tozero"},
        showlegend=True,
        legend={
            "x": 0,
            "y": 1,
            "yanchor": "bottom",
            "itemclick": False,
            "itemdoubleclick": False,
        },
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
    pattern = {"shape": "/", "fillmode": "overlay", "fgcolor": "rgba(255, 255, 255, 0.75)", "size": 7}
    return trace(
        "bar",
        name=_literal(shorten(side, NAME_CHARACTERS)),
        orientation="h",
        x=list(costs),
        y=list(range(len(rows))),
        width=0.36,
        offset=offset,
        texttemplate="%{x:.1f}",
        textposition="outside",
        textfont={"color": text_color},
        cliponaxis=False,
        customdata=[[_literal(cost.name), _literal(side)] for cost in rows],
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}: "
        "%{x:.1f} tokens per 100 characters<extra></extra>",
        marker={
            "color": MADE if hatched else ACCENT,
            "cornerradius": 3,
            "line": {"width": 0},
            **({"pattern": pattern} if hatched else {}),
        },
    )


def _width(labels: Sequence[str]) -> int:
    """Room for the longest name, in pixels."""
    widest = max((sum(2 if east_asian_width(c) in "WF" else 1 for c in label) for label in labels), default=0)
    return round(widest * 7.2) + 20


def _literal(text: str) -> str:
    """A name for a Plotly label: markup escaped, writing direction isolated."""
    return f"\u2068{html.escape(text, quote=False)}\u2069"
