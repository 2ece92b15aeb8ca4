"""The merges made so far, and every pair there is now, as tables."""

import pandas as pd
import streamlit as st

from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.ui.components.messages import picked_row
from bpeviz.ui.pages.merges.parts import go_to, pick
from bpeviz.ui.session.session import Session

__all__ = ["tables_panel"]

MOST_ROWS = 1000


def tables_panel(state: Session, stopped: RunAtStep) -> None:
    """Two tables, of which only the open one is sent."""
    merges, pairs = st.tabs(
        [f"Merges so far: {stopped.step:,}", f"All pairs: {len(stopped.pairs):,}"],
        key="tables",
        on_change="rerun",
    )
    if merges.open:
        with merges:
            _merges_so_far(state, stopped)
    if pairs.open:
        with pairs:
            _all_pairs(state, stopped)


def _merges_so_far(state: Session, stopped: RunAtStep) -> None:
    """Latest first; a row that is picked sends the player to its merge."""
    if not stopped.step:
        st.caption("None yet. Press → or play: each merge is listed here, latest first.")
        return
    latest_first = stopped.run.merges_table.iloc[: stopped.step][::-1]
    st.caption("Latest first. Pick a row to go to its merge.")
    key = f"merges-{stopped.run.number}-{state.merges.asked[1]}"
    st.dataframe(
        latest_first,
        hide_index=True,
        height=280,
        key=key,
        on_select=lambda: _go_to_row(key, latest_first),
        selection_mode="single-row",
    )


def _go_to_row(key: str, merges: pd.DataFrame) -> None:
    row = picked_row(st.session_state[key], len(merges))
    if row is not None:
        go_to(int(merges["merge"].iloc[row]))


def _all_pairs(state: Session, stopped: RunAtStep) -> None:
    """Most frequent first; a row can be picked like a bar."""
    table = _pair_table(stopped)
    more = len(stopped.pairs) - len(table)
    st.caption(
        "Pick a row to look at its pair, and to merge or veto it. "
        + (f"The {len(table):,} most frequent of {len(stopped.pairs):,} are listed." if more else "")
    )
    key = f"all_pairs-{stopped.run.number}-{stopped.step}-{state.merges.picks}"
    st.dataframe(
        table,
        hide_index=True,
        height=280,
        key=key,
        on_select=lambda: _pick_row(key, stopped),
        selection_mode="single-row",
    )


def _pair_table(stopped: RunAtStep) -> pd.DataFrame:
    top = stopped.pairs.head(MOST_ROWS)
    return pd.DataFrame(
        {
            "left": top["left"].map(stopped.run.label),
            "right": top["right"].map(stopped.run.label),
            "count": top["count"],
            "left id": top["left"],
            "right id": top["right"],
        }
    )


def _pick_row(key: str, stopped: RunAtStep) -> None:
    picked = picked_row(st.session_state[key], min(len(stopped.pairs), MOST_ROWS))
    if picked is not None:
        row = stopped.pairs.iloc[picked]
        pick((int(row["left"]), int(row["right"])))
