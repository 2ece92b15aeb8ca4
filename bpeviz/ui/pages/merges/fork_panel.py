"""Two runs side by side: in words, in tokens, merge by merge. The player shows their texts."""

import streamlit as st

from bpeviz.charts import token_difference_chart
from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.ui.components.plot import plot, text_color
from bpeviz.ui.widgets.markdown import escape
from bpeviz.ui.widgets.table import show_table

__all__ = ["fork_panel"]


def fork_panel(comparison: ForkComparison, step: int) -> None:
    """Show both runs after ``step`` merges."""
    with st.container(border=True):
        st.markdown(f"**Two futures: {escape(comparison.run.name)} / {escape(comparison.other.name)}**")
        st.caption(escape(f"{comparison.sentence} {comparison.boundaries(step)}"))
        left, right = st.columns(2, gap="medium")
        with left:
            _tokens(comparison, step)
        with right:
            _differing(comparison)


def _tokens(comparison: ForkComparison, step: int) -> None:
    mine, others = comparison.tokens(step)
    with st.container(horizontal=True, gap="medium"):
        st.metric("Tokens, this run", f"{mine:,}", width="content")
        st.metric("Tokens, beside it", f"{others:,}", width="content")
        st.metric("Difference", f"{mine - others:+,}", width="content")
    st.caption("Tokens that this run needs more (above the line) or fewer (below) than the one beside it:")
    totals = (r.history.token_totals for r in (comparison.run, comparison.other))
    plot(
        token_difference_chart(*totals, step=step, text_color=text_color()),
        key="token_difference",
        name="Difference in tokens",
    )


def _differing(comparison: ForkComparison) -> None:
    st.caption("Merges that differ, by the number at which each run makes them:")
    show_table(
        comparison.differing,
        f"differing-{comparison.run.number}-{comparison.other.number}",
        height=300,
        fixed=True,
        placeholder=None,
        columns={
            "this": st.column_config.NumberColumn("this run"),
            "beside": st.column_config.NumberColumn("beside it"),
        },
    )
