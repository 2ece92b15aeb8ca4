"""The most frequent pairs as bars: which is merged next, and which tie with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bpeviz.charts.frame import (
    ACCENT,
    LABEL_CHARACTERS,
    QUIET,
    Figure,
    Trace,
    framed,
    label_width,
    pair_label,
    tick_labels,
    trace,
)
from bpeviz.core.token_chain import Pair

__all__ = ["PairBar", "Role", "pair_chart"]

Role = Literal["next", "tied", "other", "vetoed"]

_MARKERS: dict[Role, dict[str, Any]] = {
    "next": {"color": ACCENT},
    "tied": {
        "color": ACCENT,
        "pattern": {"shape": "/", "fillmode": "overlay", "fgcolor": "rgba(255, 255, 255, 0.75)", "size": 7},
    },
    "other": {"color": QUIET},
    "vetoed": {"color": QUIET, "pattern": {"shape": "x", "fillmode": "replace", "size": 7}},
}
_ROLE_NAMES: dict[Role, str] = {
    "next": "merged next",
    "tied": "as frequent as the next merge",
    "other": "not merged next",
    "vetoed": "vetoed: never merged",
}


@dataclass(frozen=True)
class PairBar:
    """One bar: the ids of the pair, the labels of its left and right token, how often it occurs, and its part
    in the next merge; ``picked`` marks the selected one."""

    pair: Pair
    left: str
    right: str
    count: int
    role: Role
    picked: bool = False


def pair_chart(bars: Sequence[PairBar], *, text_color: str) -> Figure:
    """Horizontal bars, the first on top: the next merge solid, its ties hatched, the others pale.

    Each bar's ``customdata`` is the pair's ids and its label; ``text_color`` is for labels and numbers.
    """
    tokens = [(bar.left, bar.right) for bar in bars]
    return framed(
        [_trace(role, bars, text_color) for role in _MARKERS],
        text_color=text_color,
        height=max(90, 26 * len(bars) + 16),
        margin={"l": label_width(tokens), "r": 48, "t": 4, "b": 4},
        barmode="overlay",
        yaxis=tick_labels([pair_label(*t, LABEL_CHARACTERS) for t in tokens], text_color),
        xaxis={"visible": False, "fixedrange": True, "rangemode": "tozero"},
    )


def _trace(role: Role, bars: Sequence[PairBar], text_color: str) -> Trace:
    places = [place for place, bar in enumerate(bars) if bar.role == role]
    return trace(
        "bar",
        name=_ROLE_NAMES[role],
        orientation="h",
        x=[bars[place].count for place in places],
        y=places,
        width=0.68,
        texttemplate="%{x:,}",
        textposition="outside",
        textfont={"color": text_color},
        cliponaxis=False,
        customdata=[[*bars[place].pair, pair_label(bars[place].left, bars[place].right)] for place in places],
        hovertemplate=f"%{{customdata[2]}}<br>%{{x:,}} times, {_ROLE_NAMES[role]}<extra></extra>",
        marker={
            **_MARKERS[role],
            "cornerradius": 3,
            "line": {"color": text_color, "width": [2 if bars[place].picked else 0 for place in places]},
        },
    )
