"""How many merges each two of several recipes share before their first difference.

The chart is a staircase: a cell for each two, in the row of one name and below the other, so no two are shown
twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bpeviz.charts.frame import ACCENT, UNSEEN_MARKER, Figure, framed, trace
from bpeviz.text.token_text import shorten

__all__ = ["REASON_COLORS", "REASON_SIGNS", "Agreement", "agreement_chart"]

#: By the reason of the difference; "same" if there is none.
REASON_COLORS = {
    "tie": "217, 119, 6",
    "split": "59, 130, 246",
    "base": "139, 92, 246",
    "same-bytes": "139, 92, 246",
    "length": "139, 92, 246",
    "stop": "127, 133, 145",
    "same": "22, 163, 74",
}
#: Beside the number, because some people can't tell the colours apart.
REASON_SIGNS = {
    "tie": "=",
    "split": "|",
    "base": "◆",
    "same-bytes": "≡",
    "length": "↔",
    "stop": "■",
    "same": "✓",
}
ROW_HEIGHT = 44
NAME_CHARACTERS = 20
#: The width of a name in cells, the same in a wide and in a narrow chart.
GAP = 0.04


@dataclass(frozen=True)
class Agreement:
    """A cell: the places of two recipes among the names, the lower one first; how many ``merges`` they share,
    and the ``reason`` why not more, with its ``words``; ``picked`` marks the selected one."""

    a: int
    b: int
    merges: int
    reason: str
    words: str
    picked: bool = False


def agreement_chart(names: Sequence[str], cells: Sequence[Agreement], *, text_color: str) -> Figure:
    """One cell for each two of ``names``; each mark's ``customdata`` is both names and the words."""
    size = len(names)
    width = max(2.2, 0.42 * size)
    return framed(
        [
            trace(
                "scatter",
                x=[cell.a for cell in cells],
                y=[cell.b for cell in cells],
                mode="markers+text",
                marker={**UNSEEN_MARKER, "size": ROW_HEIGHT - 8, "symbol": "square"},
                selected={"marker": {"opacity": 0}},
                unselected={"marker": {"opacity": 0}, "textfont": {"color": text_color}},
                text=[f"{cell.merges:,} {REASON_SIGNS[cell.reason]}" for cell in cells],
                textfont={"size": 15, "color": text_color},
                customdata=[[names[cell.a], names[cell.b], cell.words] for cell in cells],
                hovertemplate="%{customdata[0]} and %{customdata[1]}<br>%{customdata[2]}<extra></extra>",
            )
        ],
        text_color=text_color,
        height=ROW_HEIGHT * size + 8,
        margin={"l": 2, "r": 2, "t": 4, "b": 4},
        xaxis={"visible": False, "fixedrange": True, "range": [-0.5, size - 1.5 + width]},
        yaxis={"visible": False, "fixedrange": True, "range": [size - 0.5, -0.5]},
        hovermode="closest",
        shapes=[_cell(cell) for cell in cells],
        annotations=[_name(place, name) for place, name in enumerate(names)],
    )


def _cell(cell: Agreement) -> dict[str, Any]:
    color = REASON_COLORS[cell.reason]
    return {
        "type": "rect",
        "layer": "below",
        "x0": cell.a - 0.5 + GAP,
        "x1": cell.a + 0.5 - GAP,
        "y0": cell.b - 0.5 + GAP,
        "y1": cell.b + 0.5 - GAP,
        "fillcolor": f"rgba({color}, 0.22)",
        "line": {
            "color": ACCENT if cell.picked else f"rgba({color}, 0.55)",
            "width": 3 if cell.picked else 1,
        },
    }


def _name(place: int, name: str) -> dict[str, Any]:
    """Return a name at the end of its row and on top of its column."""
    return {
        "x": place - 0.5 + 2 * GAP,
        "y": place,
        "xanchor": "left",
        "text": shorten(name, NAME_CHARACTERS),
        "showarrow": False,
        "font": {"size": 13},
    }
