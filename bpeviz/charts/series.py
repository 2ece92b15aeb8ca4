"""The looks of several series in one chart: a colour, a mark and a dash for each.

The colours stand out from a white and a dark page, and people with any colour blindness tell them apart. The
marks and dashes differ too, so that colour is never the only sign.
"""

from dataclasses import dataclass

__all__ = ["SERIES", "Look"]


@dataclass(frozen=True)
class Look:
    """How a series looks: ``symbol`` and ``dash`` as Plotly names them, and the symbol's ``sign``, filled and
    open, for texts."""

    color: str
    symbol: str
    sign: str
    open_sign: str
    dash: str


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
