"""Ticks at whole numbers, each with its own text: Plotly would write 1, 2, 2, 3, 3 on a short axis."""

import math
from itertools import count

__all__ = ["log_ticks", "tick_texts", "whole_ticks"]


def whole_ticks(low: float, high: float, most: int = 6) -> list[int]:
    """At most ``most`` multiples of 1, 2 or 5 times a power of ten, from ``low`` to ``high``: as many as
    that allows."""
    each = (_multiples(factor * 10**power, low, high) for power in count() for factor in (1, 2, 5))
    return list(next(ticks for ticks in each if len(ticks) <= most))


def _multiples(step: int, low: float, high: float) -> range:
    return range(math.ceil(low / step) * step, math.floor(high) + 1, step)


def log_ticks(low: float, high: float) -> list[int]:
    """Powers of ten from ``low`` to ``high``; if these are too few, 2 and 5 times as much too; if these are
    too few, even steps."""
    first, last = math.floor(math.log10(max(1.0, low))), math.ceil(math.log10(max(1.0, high)))
    for factors in ((1,), (1, 2, 5)):
        ticks = [factor * 10**n for n in range(first, last + 1) for factor in factors]
        inside = [tick for tick in ticks if low <= tick <= high]
        if len(inside) >= 3:
            return inside
    return whole_ticks(max(1.0, low), high, most=4)


def tick_texts(ticks: list[int], *, signed: bool = False) -> list[str]:
    """Short texts that differ: ``20k``, ``1.5M``; in full where a short one would leave out digits."""
    short = any(abs(tick) >= 10_000 for tick in ticks) and all(tick % 100 == 0 for tick in ticks)
    return [("+" if signed and tick > 0 else "") + (_short(tick) if short else f"{tick:,}") for tick in ticks]


def _short(tick: int) -> str:
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        if abs(tick) >= unit and tick * 10 % unit == 0:
            return f"{tick / unit:,.1f}".removesuffix(".0") + name
    return f"{tick:,}"
