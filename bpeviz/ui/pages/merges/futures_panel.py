"""Two futures side by side: in words, in tokens, merge by merge. Their texts are the player's."""

import streamlit as st

from bpeviz.charts import futures_chart
from bpeviz.runs.futures import Futures
from bpeviz.ui.components.plot import ink, plot
from bpeviz.ui.widgets.markdown import escape

__all__ = ["futures_panel"]


def futures_panel(futures: Futures, step: int) -> None:
    """Both runs after ``step`` merges."""
    with st.container(border=True):
        st.markdown(f"**Two futures: {escape(futures.run.name)} / {escape(futures.other.name)}**")
        st.caption(escape(f"{futures.sentence} {futures.boundaries(step)}"))
        left, right = st.columns(2, gap="medium")
        with left:
            _tokens(futures, step)
        with right:
            _differing(futures)


def _tokens(futures: Futures, step: int) -> None:
    mine, others = futures.tokens(step)
    with st.container(horizontal=True, gap="medium"):
        st.metric("Tokens, this run", f"{mine:,}", width="content")
        st.metric("Tokens, beside it", f"{others:,}", width="content")
        st.metric("Difference", f"{mine - others:+,}", width="content")
    st.caption("Tokens that this run needs more (above the line) or fewer (below) than the one beside it:")
    totals = (r.history.token_totals for r in (futures.run, futures.other))
    plot(futures_chart(*totals, step=step, ink=ink()), key="futures", name="Difference in tokens")


def _differing(futures: Futures) -> None:
    st.caption("Merges that differ, by the number at which each run makes them:")
    st.dataframe(
        futures.differing,
        hide_index=True,
        height=300,
        key=f"differing-{futures.run.number}-{futures.other.number}",
        column_config={
            "this": st.column_config.NumberColumn("this run"),
            "beside": st.column_config.NumberColumn("beside it"),
        },
    )
