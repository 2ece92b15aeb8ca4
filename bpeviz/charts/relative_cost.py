"""What several texts cost several tokenizers: tokens relative to one of them, as a mark for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log2, log10

from bpeviz.charts.frame import FAINT, SERIES, Figure, columns, framed, label, tick_labels, trace
from bpeviz.text.token_text import shorten

__all__ = ["RelativeCost", "relative_cost_chart"]

NAME_CHARACTERS = 24
ROW_HEIGHT = 22
LEGEND_ROW = 20
AXIS_HEIGHT = 42
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
#: The axis shows at least this much around the baseline.
LEAST = 0.05


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
    """Return a row per text with a mark per tokenizer on a logarithmic axis. ``names`` are the tokenizers'
    names, ``baseline`` is the one at 1."""
    labels = [label(cost.name, NAME_CHARACTERS) for cost in costs]
    widest = max((columns(shorten(cost.name, NAME_CHARACTERS)) for cost in costs), default=0)
    legend_height = LEGEND_ROW * len(names) + 12
    ratios = [ratio for cost in costs for ratio in cost.ratios if ratio]
    low, high = min([1 - LEAST, *ratios]), max([1 + LEAST, *ratios])
    room = 0.05 * log10(high / low)
    ticks = _ratio_ticks(low, high)
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
            "range": [log10(low) - room, log10(high) + room],
            "tickmode": "array",
            "tickvals": ticks,
            "ticktext": [_written(tick) for tick in ticks],
            "fixedrange": True,
            "gridcolor": FAINT,
            "zeroline": False,
        },
        showlegend=True,
        legend={"x": 0, "y": 1, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False},
        hovermode="closest",
    )


def _ratio_ticks(low: float, high: float) -> list[float]:
    """Powers of 2 if the ratios differ much, else even steps."""
    if high / low >= 4:
        return [2.0**n for n in range(ceil(log2(low)), floor(log2(high)) + 1)]
    step = next((step for step in _STEPS if (high - low) / step <= 6), _STEPS[-1])
    return [round(n * step, 2) for n in range(ceil(low / step), floor(high / step + 1e-9) + 1)]


def _written(ratio: float) -> str:
    """Return a ratio as people say it: ``2×``, ``1/4×``, ``0.9×``."""
    return f"1/{1 / ratio:g}×" if ratio <= 0.5 and log2(ratio).is_integer() else f"{ratio:g}×"


def _marks(place: int, name: str, costs: Sequence[RelativeCost], baseline: str) -> dict[str, object]:
    look = SERIES[place % len(SERIES)]
    return trace(
        "scatter",
        mode="markers",
        name=label(name, NAME_CHARACTERS),
        x=[cost.ratios[place] for cost in costs],
        y=list(range(len(costs))),
        marker={"color": look.color, "symbol": look.symbol, "size": 9},
        customdata=[[label(cost.name), label(name), cost.tokens[place], label(baseline)] for cost in costs],
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}: %{customdata[2]:,} tokens, "
        "%{x:.2f} times those of %{customdata[3]}<extra></extra>",
    )
