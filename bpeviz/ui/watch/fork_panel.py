"""Two runs side by side: which needs fewer tokens, where they first differ, merge by merge. The player shows
their texts."""

from typing import Literal

import streamlit as st

from bpeviz.charts import token_difference_chart
from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.ui.kit.plot import plot, text_color
from bpeviz.ui.kit.table import show_table
from bpeviz.ui.kit.words import escape
from bpeviz.ui.watch.reports import go_to, go_to_point
from bpeviz.ui.watch.state import WatchState

__all__ = ["futures"]

CHIP_COLORS = {"shown": "blue", "beside": "orange"}


def futures(watch: WatchState, comparison: ForkComparison, step: int) -> None:
    """Say in short which run needs fewer tokens, in the end and after ``step`` merges; more when asked."""
    chips = _run_chip(comparison.run.name, "shown"), _run_chip(comparison.other.name, "beside")
    with st.container(border=True, key="two_futures"):
        st.markdown(f"**{comparison.verdict(*chips)}**")
        if not comparison.always_equal:
            st.caption(comparison.tokens_now(step, *chips))
        _first_difference(comparison)
        details = st.expander("Where they differ", key="fork_details", on_change="rerun")
        if details.open:
            with details:
                _details(watch, comparison, step, chips)


def _details(watch: WatchState, comparison: ForkComparison, step: int, chips: tuple[str, str]) -> None:
    """Show how both runs differ, merge by merge, and after ``step`` merges."""
    run, other = comparison.run, comparison.other
    st.caption(f"{chips[0]} {escape(run.about)} · {chips[1]} {escape(other.about)}")
    if not comparison.always_equal:
        plot(
            token_difference_chart(
                run.history.token_totals,
                other.history.token_totals,
                names=(run.name, other.name),
                step=step,
                text_color=text_color(),
            ),
            key=f"token_difference-{watch.asked[1]}",
            name="Difference in tokens",
            says=comparison.verdict(),
            on_pick=go_to_point,
        )
    st.caption(f"{comparison.sentence(*chips)} {comparison.boundaries(step, *chips)}")
    _differing(comparison)


def _first_difference(comparison: ForkComparison) -> None:
    """Show the button that sends the player to the first difference in the text."""
    if comparison.parting is None:
        if not comparison.differing.empty:
            st.caption("Both runs cut the shown text the same way at every step.")
        return
    step, offset = comparison.parting
    st.button(
        "Show the first difference",
        key="first_difference",
        icon=":material/arrow_downward:",
        help=f"After merge {step:,} the texts differ for the first time.",
        on_click=go_to,
        args=(step, offset),
    )


def _differing(comparison: ForkComparison) -> None:
    if comparison.differing.empty:
        return
    st.caption(f"Merges that differ: {len(comparison.differing):,}. The number of each in both runs:")
    show_table(
        comparison.differing,
        f"differing-{comparison.run.number}-{comparison.other.number}",
        height=300,
        fixed=True,
        placeholder=None,
        columns={
            "this": st.column_config.NumberColumn(comparison.run.name),
            "beside": st.column_config.NumberColumn(comparison.other.name),
        },
    )


def _run_chip(name: str, place: Literal["shown", "beside"]) -> str:
    """Markdown for the shown run or the one beside it. The name is a sign too, not only the colour."""
    return f":{CHIP_COLORS[place]}-badge[{escape(name)}]"
