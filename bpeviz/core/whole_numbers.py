"""Whole numbers that callers pass, including those of NumPy and pandas."""

import operator
from typing import SupportsIndex, cast

from bpeviz.errors import TrainingSettingsError
from bpeviz.words import in_short

__all__ = ["as_whole_number", "number_of_merges"]


def as_whole_number(value: object) -> int | None:
    """``value`` as an int; None if it is not a whole number, such as True, 1.0 or "1"."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(cast(SupportsIndex, value))
    except TypeError:
        return None


def number_of_merges(value: object, made: int, what: str) -> int:
    """``value`` as the number of merges after which something that ``made`` so many is cut: "This tokenizer
    has". Raises TrainingSettingsError if it is not one of 0 to ``made``."""
    number = as_whole_number(value)
    if number is None or not 0 <= number <= made:
        raise TrainingSettingsError(
            f"{what} {made:,} merges, so it cannot be cut after {in_short(value)}. "
            f"Give a whole number from 0 to {made:,}.",
        )
    return number
