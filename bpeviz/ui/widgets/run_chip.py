"""The name of a run as a coloured chip in markdown."""

from typing import Literal

from bpeviz.ui.widgets.markdown import escape

__all__ = ["run_chip"]

COLORS = {"shown": "blue", "beside": "orange"}


def run_chip(name: str, place: Literal["shown", "beside"]) -> str:
    """Markdown for the shown run or the one beside it. The name is a sign too, not only the colour."""
    return f":{COLORS[place]}-badge[{escape(name)}]"
