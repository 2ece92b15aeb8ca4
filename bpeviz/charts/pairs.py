"""The most frequent pairs as bars: which is merged next, and which tie with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bpeviz.charts.frame import (
    ACCENT,
    HATCH,
    LABEL_CHARACTERS,
    QUIET,
    Figure,
    Trace,
    bars,
    framed,
    label_width,
    pair_label,
    tick_labels,
)
from bpeviz.core.token_chain import Pair

__all__ = ["PairBar", "Role", "pair_chart"]

Role = Literal["next", "tied", "other", "vetoed"]

_MARKERS: dict[Role, dict[str, Any]] = {
    "next": {"color": ACCENT},
    "tied": {"color": ACCENT, "pattern": HATCH},
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


def pair_chart(pairs: Sequence[PairBar], *, text_color: str) -> Figure:
    """Horizontal bars, the first on top: the next merge solid, its ties hatched, the others pale.

    Each bar's ``customdata`` is the pair's ids and its label; ``text_color`` is for labels and numbers.
    """
    tokens = [(bar.left, bar.right) for bar in pairs]
    return framed(
        [_bars(role, pairs, text_color) for role in _MARKERS],
        text_color=text_color,
        height=max(90, 26 * len(pairs) + 16),
        margin={"l": label_width(tokens), "r": 48, "t": 4, "b": 4},
        barmode="overlay",
        yaxis=tick_labels([pair_label(*t, LABEL_CHARACTERS) for t in tokens], text_color),
        xaxis={"visible": False, "fixedrange": True, "rangemode": "tozero"},
    )


def _bars(role: Role, pairs: Sequence[PairBar], text_color: str) -> Trace:
    """The bars of one role, each at its place among all."""
    ours = {place: bar for place, bar in enumerate(pairs) if bar.role == role}
    outline = {"color": text_color, "width": [2 if bar.picked else 0 for bar in ours.values()]}
    return bars(
        text_color,
        {**_MARKERS[role], "line": outline},
        name=_ROLE_NAMES[role],
        x=[bar.count for bar in ours.values()],
        y=list(ours),
        width=0.68,
        texttemplate="%{x:,}",
        customdata=[[*bar.pair, pair_label(bar.left, bar.right)] for bar in ours.values()],
        hovertemplate=f"%{{customdata[2]}}<br>%{{x:,}} times, {_ROLE_NAMES[role]}<extra></extra>",
    )
