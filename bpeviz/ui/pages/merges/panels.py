"""The panels "What the next merge changes" and "Pair race"."""

import streamlit as st

from bpeviz.charts import change_chart, race_chart
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.ui.components.plot import plot, text_color
from bpeviz.ui.pages.merges.parts import go_to_point
from bpeviz.ui.session.merges import RACE_LENGTHS
from bpeviz.ui.session.session import Session
from bpeviz.ui.widgets.markdown import escape

__all__ = ["changes_panel", "race_panel"]


def changes_panel(stopped: RunAtStep) -> None:
    """Show which pair counts the next merge raises and lowers."""
    with st.container(border=True):
        st.markdown("**What the next merge changes**")
        st.caption(escape(stopped.what_changes))
        if stopped.change_bars:
            plot(
                change_chart(stopped.change_bars, text_color=text_color()),
                key="changes",
                name="What the next merge changes",
            )


def race_panel(state: Session, stopped: RunAtStep) -> None:
    """Show the counts of the leading pairs over the last merges."""
    with st.container(border=True):
        st.markdown("**Pair race**")
        state.merges.race_length = st.select_slider(
            "Merges back",
            RACE_LENGTHS,
            state.merges.race_length,
            key="race_length",
            format_func=lambda n: f"{n:,}",
        )
        if stopped.step == 0:
            st.caption("The race starts with the first merge: press → or play.")
            return
        lines, winning, first = stopped.race(state.merges.race_length, state.merges.pair)
        if not lines:
            st.caption("No pair is left in the race.")
            return
        plot(
            race_chart(lines, winning, first=first, text_color=text_color()),
            key=f"race-{state.merges.asked[1]}",
            name="Pair race",
            on_pick=go_to_point,
        )
        st.caption("Dotted: the count of the pair merged at each step.")
