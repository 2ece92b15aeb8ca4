"""Plotly figures on the page: in the theme's colours, without Plotly's buttons."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from bpeviz.charts import Figure
from bpeviz.ui.kit.messages import picked_point
from bpeviz.ui.server.message_reports import SELECTION

__all__ = ["Point", "plot", "text_color"]

#: A clicked mark as Plotly reports it: ``x``, ``y``, ``customdata``.
Point = Mapping[str, Any]


def text_color() -> str:
    """Return the theme's text colour: Plotly cannot read the page's style sheet."""
    return "#e8e9ea" if st.context.theme.type == "dark" else "#111316"


def plot(
    figure: Figure,
    *,
    key: str,
    name: str,
    says: str = "",
    on_pick: Callable[[Point], None] | None = None,
) -> None:
    """Show a figure. Screen readers read the ``name`` and what the chart ``says``, its main result; saved
    files have the name. ``on_pick`` is called with a clicked mark. A chart keeps its selection as long as its
    ``key``: change the key so that people can pick again."""
    key += SELECTION if on_pick else ""
    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        alt=f"{name}: {says}" if says else name,
        on_select=partial(_picked, key, on_pick) if on_pick else "ignore",
        selection_mode="points",
        config={"displayModeBar": False},
    )


def _picked(key: str, on_pick: Callable[[Point], None]) -> None:
    point = picked_point(st.session_state[key])
    if point is not None:
        on_pick(point)
