"""Whole numbers that callers pass, including those of NumPy and pandas."""

import operator
from typing import SupportsIndex, cast

__all__ = ["as_whole_number"]


def as_whole_number(value: object) -> int | None:
    """``value`` as an int; None if it is not a whole number, such as True, 1.0 or "1"."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(cast(SupportsIndex, value))
    except TypeError:
        return None
