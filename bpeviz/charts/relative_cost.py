"""What several texts cost several tokenizers: tokens relative to one of them, as a mark for each."""

from collections.abc import Sequence
from dataclasses import dataclass

from bpeviz.charts.frame import ACCENT, FAINT, MADE, Figure, columns, framed, label, tick_labels, trace
from bpeviz.text.token_text import shorten

__all__ = ["RelativeCost", "relative_cost_chart"]

NAME_CHARACTERS = 24
ROW_HEIGHT = 22
LEGEND_ROW = 20
AXIS_HEIGHT = 42
#: A colour and a shape for each tokenizer: some people can't tell the colours apart.
_MARKS = (
    (ACCENT, "circle"),
    (MADE, "diamond"),
    ("#db2777", "square"),
    ("#059669", "triangle-up"),
    ("#8b5cf6", "cross"),
    ("#0891b2", "star"),
)
_RATIOS = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32)


@dataclass(frozen=True)
class RelativeCost:
    """A text by ``name``; for each tokenizer its ``tokens``, and the ``ratio`` to those of the baseline; None
    for a tokenizer that can't spell it, or if the baseline has no tokens."""

    name: str
    tokens: tuple[int | None, ...]
    ratios: tuple[float | None, ...]


def relative_cost_chart(
    costs: Sequence[RelativeCost], *, names: Sequence[str], baseline: str, text_color: str
) -> Figure:
    """A row per text with a mark per tokenizer on a logarithmic axis. ``names`` are the tokenizers' names,
    ``baseline`` is the one at 1."""
    labels = [label(cost.name, NAME_CHARACTERS) for cost in costs]
    widest = max((columns(shorten(cost.name, NAME_CHARACTERS)) for cost in costs), default=0)
    legend_height = LEGEND_ROW * len(names) + 12
    return framed(
        [_marks(place, name, costs, baseline) for place, name in enumerate(names)],
        text_color=text_color,
        height=ROW_HEIGHT * max(1, len(costs)) + legend_height + AXIS_HEIGHT,
        margin={"l": round(widest * 7.2) + 20, "r": 24, "t": legend_height, "b": AXIS_HEIGHT},
        yaxis={
            **tick_labels(labels, text_color),
            "tickfont": {"size": 13},
            "showgrid": True,
            "gridcolor": FAINT,
        },
        xaxis={
            "type": "log",
            "title": {"text": f"tokens relative to {label(baseline, NAME_CHARACTERS)}", "standoff": 6},
            "tickmode": "array",
            "tickvals": list(_RATIOS),
            "ticktext": [f"{ratio:g}×" if ratio >= 1 else f"1/{1 / ratio:g}×" for ratio in _RATIOS],
            "fixedrange": True,
            "gridcolor": FAINT,
            "zeroline": False,
        },
        showlegend=True,
        legend={"x": 0, "y": 1, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False},
        hovermode="closest",
    )


def _marks(place: int, name: str, costs: Sequence[RelativeCost], baseline: str) -> dict[str, object]:
    color, symbol = _MARKS[place % len(_MARKS)]
    return trace(
        "scatter",
        mode="markers",
        name=label(name, NAME_CHARACTERS),
        x=[cost.ratios[place] for cost in costs],
        y=list(range(len(costs))),
        marker={"color": color, "symbol": symbol, "size": 9},
        customdata=[[label(cost.name), label(name), cost.tokens[place], label(baseline)] for cost in costs],
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}: %{customdata[2]:,} tokens, "
        "%{x:.2f} times those of %{customdata[3]}<extra></extra>",
    )
