"""Headings of table columns: short, because long ones push the figures away."""

from bpeviz.ui.widgets.sides import Side

__all__ = ["heading"]

MOST_CHARACTERS = 15


def heading(side: Side) -> str:
    """The beginning of the side's name."""
    name = side.name
    return name if len(name) <= MOST_CHARACTERS else f"{name[: MOST_CHARACTERS - 1].rstrip(' ,')}…"
