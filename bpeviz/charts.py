"""Charts: data in, a plotly Figure out. No streamlit here, and no decision about what to show.

Labels hold a person's text. Plotly reads labels as markup and merges equal ones, so bars stand at numbers
and every label is escaped.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from unicodedata import east_asian_width

import numpy as np
import plotly.graph_objects as go

from bpeviz.token_text import shorten

__all__ = ["PairBar", "pair_chart"]

LABEL_CHARACTERS = 11

Role = Literal["next", "tied", "other"]

_MARKERS: dict[Role, dict[str, Any]] = {
    "next": {"color": "#3b82f6"},
    "tied": {
        "color": "#3b82f6",
        "pattern": {"shape": "/", "fillmode": "overlay", "fgcolor": "rgba(255, 255, 255, 0.75)", "size": 7},
    },
    "other": {"color": "rgba(127, 133, 145, 0.5)"},
}
_ROLE_NAMES: dict[Role, str] = {
    "next": "merged next",
    "tied": "as frequent as the next merge",
    "other": "less frequent",
}


@dataclass(frozen=True)
class PairBar:
    """One bar: what the left and the right token look like, how often the pair occurs, and its part in
    the next merge."""

    left: str
    right: str
    count: int
    role: Role


def pair_chart(bars: Sequence[PairBar], *, ink: str) -> go.Figure:
    """Horizontal bars, first on top: the next merge solid, its ties hatched, the others quiet.

    ``ink`` is the colour of labels and figures.
    """
    figure = go.Figure([_trace(role, bars) for role in _MARKERS])
    figure.update_layout(
        barmode="overlay",
        height=max(90, 26 * len(bars) + 16),
        margin={"l": _label_width(bars), "r": 48, "t": 4, "b": 4, "autoexpand": False},
        bargap=0.32,
        showlegend=False,
        dragmode=False,
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(len(bars))),
            "ticktext": [_label(*_short(bar)) for bar in bars],
            "tickfont": {
                "family": "ui-monospace, DejaVu Sans Mono, Menlo, monospace",
                "size": 13,
                "color": ink,
            },
            "range": [len(bars) - 0.5, -0.5],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        xaxis={"visible": False, "fixedrange": True, "rangemode": "tozero"},
    )
    figure.update_traces(textfont={"color": ink})
    return figure


def _trace(role: Role, bars: Sequence[PairBar]) -> go.Bar:
    places = [place for place, bar in enumerate(bars) if bar.role == role]
    return go.Bar(
        name=_ROLE_NAMES[role],
        orientation="h",
        x=[bars[place].count for place in places],
        y=places,
        texttemplate="%{x:,}",
        textposition="outside",
        cliponaxis=False,
        customdata=np.array([_label(bars[place].left, bars[place].right) for place in places]),
        hovertemplate=f"%{{customdata}}<br>%{{x:,}} times, {_ROLE_NAMES[role]}<extra></extra>",
        marker={**_MARKERS[role], "cornerradius": 3, "line": {"width": 0}},
    )


def _label_width(bars: Sequence[PairBar]) -> int:
    """Room for the longest label, in pixels. Reckoned here, because Plotly measures it by drawing twice."""
    longest = max((_columns(" + ".join(_short(bar))) for bar in bars), default=0)
    return round(longest * 8.0) + 14


def _short(bar: PairBar) -> tuple[str, str]:
    return shorten(bar.left, LABEL_CHARACTERS), shorten(bar.right, LABEL_CHARACTERS)


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _label(left: str, right: str) -> str:
    """Two tokens for a Plotly label: markup escaped, and each one's writing direction kept to itself."""
    # Plotly shows &quot; as it stands; quotes need no escape outside of a tag.
    left, right = html.escape(left, quote=False), html.escape(right, quote=False)
    return f"\u2068{left}\u2069 + \u2068{right}\u2069"
