"""What all charts share: colours, the looks of series, fonts, axes, and labels made of a person's text.

The figures contain everything they need, so they look the same on the page and in a file. They have no Plotly
template, because Plotly reads it again at every redraw.
"""

import html
from dataclasses import dataclass
from typing import Any
from unicodedata import east_asian_width

import numpy as np
import numpy.typing as npt
from plotly.basedatatypes import BaseFigure

from bpeviz.charts.ticks import tick_texts, whole_ticks
from bpeviz.text.token_text import shorten
from bpeviz.words import counted

__all__ = [
    "ACCENT",
    "FAINT",
    "HATCH",
    "LABEL_CHARACTERS",
    "MADE",
    "MONO",
    "OF_MERGES",
    "OF_PAIRS",
    "QUIET",
    "SERIES",
    "UNIT_HEIGHT",
    "UNSEEN_MARKER",
    "Figure",
    "Look",
    "Trace",
    "after_merges",
    "area",
    "bars",
    "columns",
    "count_axis",
    "escaped",
    "framed",
    "label",
    "label_width",
    "pair_label",
    "spread",
    "step_line",
    "tick_labels",
    "trace",
    "unit_axis",
    "up_to",
    "value_axis",
]


@dataclass(frozen=True)
class Look:
    """How a series looks: ``symbol`` and ``dash`` as Plotly names them, and the symbol's ``sign``, filled and
    open, for texts."""

    color: str
    symbol: str
    sign: str
    open_sign: str
    dash: str


#: The colours stand out from a white and a dark page, and people with any colour blindness tell them apart.
#: The marks and dashes differ too, so that colour is never the only sign.
SERIES = (
    Look("#3c96ff", "circle", "●", "○", "solid"),
    Look("#e17800", "diamond", "◆", "◇", "solid"),
    Look("#c31ec3", "square", "■", "□", "dash"),
    Look("#699669", "triangle-up", "▲", "△", "dash"),
    Look("#e1003c", "triangle-down", "▼", "▽", "dashdot"),
    Look("#784bff", "star", "★", "☆", "longdash"),
    Look("#876978", "pentagon", "⬟", "⬠", "longdashdot"),
    Look("#c378c3", "hexagon", "⬢", "⬡", "dot"),
)


#: As Plotly's library in the browser reads it.
Trace = dict[str, Any]

ACCENT = "#3b82f6"
MADE = "#d97706"
QUIET = "rgba(127, 133, 145, 0.5)"
FAINT = "rgba(127, 133, 145, 0.25)"
MONO = "ui-monospace, DejaVu Sans Mono, Menlo, monospace"
SANS = "Source Sans, system-ui, sans-serif"
LABEL_CHARACTERS = 11
#: Room for the title of a ``unit_axis``, in pixels.
UNIT_HEIGHT = 24
#: Plotly takes clicks on markers only, not on lines.
UNSEEN_MARKER = {"size": 10, "opacity": 0}
#: Says in a figure's ``meta`` what a person points at in it, which the text then marks: the merge at ``x``,
#: or the pair whose ids the ``meta`` of the trace has for each bar. See browser/player/chart_marks.js.
OF_MERGES, OF_PAIRS = "merges", "pairs"
HATCH = {"shape": "/", "fillmode": "overlay", "fgcolor": "rgba(255, 255, 255, 0.75)", "size": 7}


def trace(kind: str, **properties: Any) -> Trace:
    """One set of marks or bars; ``kind`` is Plotly's type of trace."""
    return {"type": kind, **properties}


def bars(text_color: str, marker: dict[str, Any], **properties: Any) -> Trace:
    """Horizontal bars with rounded ends and a text beside each."""
    return trace(
        "bar",
        orientation="h",
        textposition="outside",
        textfont={"color": text_color},
        cliponaxis=False,
        marker={"cornerradius": 3, "line": {"width": 0}, **marker},
        **properties,
    )


def area(x: list[int], y: list[Any], hovertemplate: str, **properties: Any) -> Trace:
    """Return a line with the area between it and zero filled."""
    return trace(
        "scatter",
        x=x,
        y=y,
        fill="tozeroy",
        fillcolor="rgba(59, 130, 246, 0.15)",
        hovertemplate=hovertemplate,
        **{"mode": "lines", "line": {"color": ACCENT, "width": 2}, **properties},
    )


class Figure(BaseFigure):  # type: ignore[misc]  # plotly has no types
    """A figure as Plotly's library in the browser reads it. It can be shown, saved or turned into a
    ``go.Figure``.

    A ``go.Figure`` is built part by part and checks every property, which takes as long as everything else in
    a step. So the tests check all charts instead.
    """

    def __init__(self, traces: list[Trace], layout: dict[str, Any]) -> None:
        self._described = {"data": traces, "layout": layout}

    def to_dict(self) -> dict[str, Any]:
        return self._described


def framed(
    traces: list[Trace], *, text_color: str, height: int, margin: dict[str, int], **layout: Any
) -> Figure:
    """Return a figure with a transparent background. ``text_color`` is for labels and numbers. ``margin`` is
    in pixels and fixed, because Plotly measures it by drawing twice."""
    return Figure(
        traces,
        {
            "template": {"data": {}},
            "height": height,
            "margin": {"autoexpand": False, **margin},
            "font": {"color": text_color, "family": SANS, "size": 12},
            "paper_bgcolor": "rgba(0, 0, 0, 0)",
            "plot_bgcolor": "rgba(0, 0, 0, 0)",
            "showlegend": False,
            "dragmode": False,
            **layout,
        },
    )


def value_axis(title: str, **more: Any) -> dict[str, Any]:
    """Return an axis that visitors cannot drag. The title has the unit."""
    return {
        "title": {"text": title, "standoff": 6},
        "fixedrange": True,
        "zeroline": False,
        "gridcolor": FAINT,
        **more,
    }


def count_axis(title: str, ticks: list[int], *, signed: bool = False, **more: Any) -> dict[str, Any]:
    """Return an axis of whole numbers, with a tick and its text at each of ``ticks``."""
    texts = tick_texts(ticks, signed=signed)
    return value_axis(title, tickmode="array", tickvals=ticks, ticktext=texts, **more)


def unit_axis(title: str, **more: Any) -> dict[str, Any]:
    """Return an axis that only says the unit: the numbers are beside the bars."""
    return {**value_axis(title, **more), "showticklabels": False, "showgrid": False}


def up_to(highest: float) -> dict[str, Any]:
    """Return the ticks and the range of an axis of counts that begins at 0."""
    return {"ticks": whole_ticks(0, max(1, highest), 4), "range": [0, max(1, highest) * 1.08]}


def step_line(step: int) -> dict[str, Any]:
    """Return a line from top to bottom at the step on show."""
    line = {"color": QUIET, "width": 1.5, "dash": "dot"}
    return {"type": "line", "yref": "paper", "x0": step, "x1": step, "y0": 0, "y1": 1, "line": line}


def tick_labels(labels: list[str], text_color: str) -> dict[str, Any]:
    """Return a vertical axis with one label per place, the first on top."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": labels,
        "tickfont": {"family": MONO, "size": 13, "color": text_color},
        "range": [len(labels) - 0.5, -0.5],
        "ticklabelstandoff": 6,
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
    }


def spread(first: int, last: int) -> npt.NDArray[np.int64]:
    """Return at most 600 whole numbers, evenly spread from ``first`` to ``last``."""
    places = np.linspace(first, last, max(0, min(last - first + 1, 600)))
    return np.unique(places.round().astype(np.int64))


def escaped(text: str) -> str:
    """Text that Plotly does not read as markup, nor as a variable if it is in a hover template."""
    # Plotly shows &quot; unchanged; quotes need no escape outside a tag.
    return html.escape(text, quote=False).replace("%{", "%\u200b{")


def label(text: str, limit: int | None = None) -> str:
    """Return a token or name for a Plotly label: markup escaped, writing direction isolated; without its
    middle if it has more than ``limit`` characters."""
    return f"\u2068{escaped(text if limit is None else shorten(text, limit))}\u2069"


def pair_label(left: str, right: str, limit: int | None = None) -> str:
    """Two tokens for a Plotly label."""
    return f"{label(left, limit)} + {label(right, limit)}"


def after_merges(number: int) -> str:
    """Return a step in words: "after 1 merge", "after 1,000 merges"."""
    return f"after {counted(number, 'merge')}"


def label_width(pairs: "list[tuple[str, str]]") -> int:
    """Room for the longest label, in pixels."""
    texts = [
        f"{shorten(left, LABEL_CHARACTERS)} + {shorten(right, LABEL_CHARACTERS)}" for left, right in pairs
    ]
    return round(max(map(columns, texts), default=0) * 8.0) + 20


def columns(text: str) -> int:
    """Return the width of a text in letters; a wide character, such as a Chinese one, takes two."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)
