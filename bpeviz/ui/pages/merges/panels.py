"""What the next merge changes, and the race of the leading pairs: each a card beside the player."""

import streamlit as st

from bpeviz.charts import change_chart, race_chart
from bpeviz.runs.moment import Moment
from bpeviz.ui.components.plot import ink, plot
from bpeviz.ui.pages.merges.parts import go_to_point
from bpeviz.ui.session.session import RACE_LENGTHS, Session
from bpeviz.ui.widgets.markdown import escape

__all__ = ["changes_panel", "race_panel"]


def changes_panel(rest: Moment) -> None:
    """What the next merge raises and lowers."""
    with st.container(border=True):
        st.markdown("**What the next merge changes**")
        st.caption(escape(rest.what_changes))
        if rest.change_bars:
            plot(
                change_chart(rest.change_bars, ink=ink()),
                key="changes",
                name="What the next merge changes",
            )


def race_panel(state: Session, rest: Moment) -> None:
    """The counts of the leading pairs over the last merges."""
    with st.container(border=True):
        st.markdown("**Pair race**")
        state.race_length = st.select_slider(
            "Merges back",
            RACE_LENGTHS,
            state.race_length,
            key="race_length",
            format_func=lambda n: f"{n:,}",
        )
        if rest.step == 0:
            st.caption("The race starts with the first merge: press → or play.")
            return
        lines, winning, first = rest.race(state.race_length, state.pair)
        if not lines:
            st.caption("No pair is left in the race.")
            return
        plot(
            race_chart(lines, winning, first=first, ink=ink()),
            key=f"race-{state.asked[1]}",
            name="Pair race",
            on_pick=go_to_point,
        )
        st.caption("Dotted: the count of the pair merged at each step.")
