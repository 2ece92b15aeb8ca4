"""Tables, with rows that a person can pick."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from bpeviz.ui.kit.messages import picked_row
from bpeviz.ui.server.message_reports import SELECTION

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

__all__ = ["localized", "show_table"]

#: A column of numbers with a mark between thousands.
localized = partial(st.column_config.NumberColumn, format="localized")


def show_table(
    table: "pd.DataFrame | Styler",
    key: str,
    *,
    height: int,
    fixed: bool = False,
    placeholder: str | None = "",
    columns: Mapping[str, Any] | None = None,
    on_row: Callable[[int | None], None] | None = None,
) -> None:
    """Show a table of ``height`` pixels; of fewer if it has few rows, unless the height is ``fixed``.

    Missing values show as ``placeholder``. ``on_row`` gets the number of the picked row, or None.
    """
    rows = len(table.index)
    key += SELECTION if on_row else ""
    st.dataframe(
        table,
        hide_index=True,
        height=height if fixed else min(height, 38 + 35 * rows),
        placeholder=placeholder,
        key=key,
        column_config=columns,
        on_select=(lambda: on_row(picked_row(st.session_state[key], rows))) if on_row else "ignore",
        selection_mode="single-row",
    )
