"""Tables, with rows that a person can pick."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from bpeviz.spreadsheet import plain_csv
from bpeviz.ui.kit.messages import picked_rows
from bpeviz.ui.server.message_reports import SELECTION

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

__all__ = ["csv_button", "localized", "show_table"]

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
    on_pick: Callable[[list[int]], None] | None = None,
    several: bool = False,
) -> None:
    """Show a table of ``height`` pixels; of fewer if it has few rows, unless the height is ``fixed``.

    Missing values show as ``placeholder``. ``on_pick`` gets the numbers of the picked rows: one at most,
    or ``several`` that a person ticks.
    """
    rows = len(table.index)
    key += SELECTION if on_pick else ""
    st.dataframe(
        table,
        hide_index=True,
        height=height if fixed else min(height, 38 + 35 * rows),
        placeholder=placeholder,
        key=key,
        column_config=columns,
        on_select=(lambda: on_pick(picked_rows(st.session_state[key], rows))) if on_pick else "ignore",
        selection_mode="multi-row" if several else "single-row",
    )


def csv_button(what: str, table: pd.DataFrame, *names: str, file: str) -> None:
    """Show the button that saves a table as CSV. What a person named is in the columns called ``names``."""
    st.download_button(
        f"{what} as CSV",
        plain_csv(table, *names),
        file,
        "text/csv",
        key=f"csv_{what}",
        icon=":material/download:",
        on_click="ignore",
    )
