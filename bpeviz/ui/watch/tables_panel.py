"""The merges made so far, and all pairs at this step, as tables."""

import pandas as pd
import streamlit as st

from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.ui.kit.table import show_table
from bpeviz.ui.kit.words import escape
from bpeviz.ui.watch.reports import go_to, pick
from bpeviz.ui.watch.state import WatchState

__all__ = ["tables_panel"]

MOST_ROWS = 1000


def tables_panel(watch: WatchState, at_step: RunAtStep) -> None:
    """Show two tables; the server sends only the open one."""
    merges, pairs = st.tabs(
        [f"Merges so far: {at_step.step:,}", f"All pairs: {len(at_step.pairs):,}"],
        key="tables",
        on_change="rerun",
    )
    if merges.open:
        with merges:
            _merges_so_far(watch, at_step)
    if pairs.open:
        with pairs:
            _all_pairs(watch, at_step)


def _merges_so_far(watch: WatchState, at_step: RunAtStep) -> None:
    """Show the latest merge first; a picked row sends the player to its merge."""
    if not at_step.step:
        none_yet = "None yet. Press → or play: each merge is listed here, latest first."
        st.caption(escape(at_step.run.nothing_merged) or none_yet)
        return

    def go_to_row(row: int | None) -> None:
        if row is not None:
            go_to(int(latest_first["merge"].iloc[row]))

    latest_first = at_step.run.merges_table.iloc[: at_step.step][::-1]
    st.caption("Latest first. Pick a row to go to its merge.")
    key = f"merges-{at_step.run.number}-{watch.asked[1]}"
    show_table(latest_first, key, height=280, fixed=True, on_row=go_to_row)


def _all_pairs(watch: WatchState, at_step: RunAtStep) -> None:
    """Show the most frequent pair first; a picked row does what a picked bar does."""
    top = at_step.pairs.head(MOST_ROWS)
    table = pd.DataFrame(
        {
            "left": top["left"].map(at_step.run.label),
            "right": top["right"].map(at_step.run.label),
            "count": top["count"],
            "left id": top["left"],
            "right id": top["right"],
        }
    )

    def pick_row(row: int | None) -> None:
        if row is not None:
            pick((int(top["left"].iloc[row]), int(top["right"].iloc[row])))

    more = len(at_step.pairs) - len(table)
    st.caption(
        "Pick a row to look at its pair, and to merge it next or never merge it. "
        + (f"The {len(table):,} most frequent of {len(at_step.pairs):,} are listed." if more else "")
    )
    key = f"all_pairs-{at_step.run.number}-{at_step.step}-{watch.picks}"
    show_table(table, key, height=280, fixed=True, on_row=pick_row)
