"""What one merge does to the counts of the other pairs: falls to the left, rises to the right."""

from collections.abc import Sequence
from dataclasses import dataclass

from bpeviz.charts.frame import (
    ACCENT,
    LABEL_CHARACTERS,
    MADE,
    OF_PAIRS,
    UNIT_HEIGHT,
    Figure,
    bars,
    framed,
    label_width,
    pair_label,
    tick_labels,
    unit_axis,
)

__all__ = ["ChangeBar", "change_chart"]


@dataclass(frozen=True)
class ChangeBar:
    """One pair's count ``before`` and ``after`` a merge, the labels of its left and right token, and their
    ids."""

    left: str
    right: str
    before: int
    after: int
    pair: tuple[int, int]

    @property
    def change(self) -> int:
        return self.after - self.before


def change_chart(changes: Sequence[ChangeBar], *, text_color: str) -> Figure:
    """Bars from a middle line, the first on top; beside each, the counts before and after."""
    tokens = [(bar.left, bar.right) for bar in changes]
    widest = max((abs(bar.change) for bar in changes), default=1)
    return framed(
        [
            bars(
                text_color,
                {"color": [MADE if bar.change < 0 else ACCENT for bar in changes]},
                x=[bar.change for bar in changes],
                y=list(range(len(changes))),
                text=[f"{bar.before:,} → {bar.after:,}" for bar in changes],
                customdata=[pair_label(*pair) for pair in tokens],
                hovertemplate="%{customdata}<br>%{text} (%{x:+,})<extra></extra>",
                meta=[list(bar.pair) for bar in changes],
            )
        ],
        text_color=text_color,
        height=max(70, 24 * len(changes) + 12) + UNIT_HEIGHT,
        margin={"l": label_width(tokens), "r": 4, "t": 4, "b": 4 + UNIT_HEIGHT},
        meta=OF_PAIRS,
        bargap=0.36,
        yaxis=tick_labels([pair_label(*t, LABEL_CHARACTERS) for t in tokens], text_color),
        # room on both sides for the figures beside the bars
        xaxis=unit_axis("change in occurrences", range=[-1.9 * widest, 1.9 * widest]),
        shapes=[
            {"type": "line", "xref": "x", "yref": "paper", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "line": _LINE}
        ],
    )


_LINE = {"color": "rgba(127, 133, 145, 0.6)", "width": 1}
