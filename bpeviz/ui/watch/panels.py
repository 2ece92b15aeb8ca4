"""The panels about one step that the server draws, and the two futures of a fork.

The browser draws the panel of pairs."""

import pandas as pd
import streamlit as st

from bpeviz.browser.encoding import grown, pack_growth
from bpeviz.charts import change_chart, has_ties, race_chart, token_difference_chart
from bpeviz.errors import BpevizError
from bpeviz.formats.pretrained import load_pretrained
from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.ui.kit.parts import mount_growth
from bpeviz.ui.kit.pick_side import named_side
from bpeviz.ui.kit.plot import plot, text_color
from bpeviz.ui.kit.table import show_table
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.watch.reports import go_to, go_to_point, pick
from bpeviz.ui.watch.state import RACE_LENGTHS, WatchState

__all__ = ["changes_panel", "futures", "race_panel", "tables_panel", "word_panel"]


def changes_panel(at_step: RunAtStep) -> None:
    """Show which pair counts the next merge raises and lowers."""
    with st.container(border=True):
        st.markdown("**What the next merge changes**")
        st.caption(escape(at_step.what_changes))
        if at_step.change_bars:
            plot(
                change_chart(at_step.change_bars, text_color=text_color()),
                key="changes",
                name="What the next merge changes",
                says=at_step.what_changes,
            )


def race_panel(watch: WatchState, at_step: RunAtStep) -> None:
    """Show the counts of the leading pairs over the last merges."""
    with st.container(border=True):
        st.markdown("**Pair race**")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            watch.saved.race_length = st.select_slider(
                "Merges to show",
                RACE_LENGTHS,
                watch.race_length,
                key="race_length",
                format_func=lambda n: f"{n:,}",
            )
            more = st.toggle("More pairs", key="race_more")
        if at_step.step == 0:
            begins = "The race starts with the first merge: press → or play."
            st.caption(escape(at_step.run.nothing_merged) or begins)
            return
        race = at_step.race(watch.race_length, watch.pair, more=more)
        st.caption(escape(race.sentence))
        plot(
            race_chart(race.racers, race.merges, first=race.first, text_color=text_color(), log=more),
            key=f"race-{watch.asked[1]}",
            name="Pair race",
            says=race.sentence,
            on_pick=go_to_point,
        )
        ties = has_ties(race.racers, first=race.first)
        apart = " Lines with equal counts are drawn apart, in the order of the tie rule." if ties else ""
        st.caption(
            "Grey line: the count of the pair merged at each step. A filled mark ends the line of a merged "
            f"pair.{apart}"
        )


def word_panel(run: Run, word: str) -> None:
    """Show how ``word`` grows in the run and in GPT-2; without a word, how to pick one.

    The component is there without a word too: the player looks for it to know that clicked words are wanted.
    """
    growths = []
    if word:
        try:
            growths.append(grown(run.name, run.tokenizer, word))
            growths.append(grown("GPT-2", load_pretrained("gpt2"), word))
        except BpevizError as error:
            show_error(error)
    mount_growth(pack_growth(word, growths, follows=run.number), key="word")


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

    def go_to_row(rows: list[int]) -> None:
        for row in rows[:1]:
            go_to(int(latest_first["merge"].iloc[row]))

    latest_first = at_step.run.merges_table.iloc[: at_step.step][::-1]
    st.caption("Latest first. Pick a row to go to its merge.")
    key = f"merges-{at_step.run.number}-{watch.asked[1]}"
    show_table(latest_first, key, height=280, fixed=True, on_pick=go_to_row)


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

    def pick_row(rows: list[int]) -> None:
        for row in rows[:1]:
            pick((int(top["left"].iloc[row]), int(top["right"].iloc[row])))

    more = len(at_step.pairs) - len(table)
    st.caption(
        "Pick a row to look at its pair, and to merge it next or never merge it. "
        + (f"The {len(table):,} most frequent of {len(at_step.pairs):,} are listed." if more else "")
    )
    key = f"all_pairs-{at_step.run.number}-{at_step.step}-{watch.picks}"
    show_table(table, key, height=280, fixed=True, on_pick=pick_row)


def futures(watch: WatchState, comparison: ForkComparison, step: int) -> None:
    """Say in short which run needs fewer tokens, in the end and after ``step`` merges; more when asked."""
    names = named_side("left", comparison.run.name), named_side("right", comparison.other.name)
    with st.container(border=True, key="two_futures"):
        st.markdown(f"**{comparison.verdict(*names)}**")
        if not comparison.always_equal:
            st.caption(comparison.tokens_now(step, *names))
        _first_difference(comparison)
        details = st.expander("Where they differ", key="fork_details", on_change="rerun")
        if details.open:
            with details:
                _details(watch, comparison, step, names)


def _details(watch: WatchState, comparison: ForkComparison, step: int, names: tuple[str, str]) -> None:
    """Show how both runs differ, merge by merge, and after ``step`` merges."""
    run, other = comparison.run, comparison.other
    st.caption(f"{names[0]} {escape(run.about)} · {names[1]} {escape(other.about)}")
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
    st.caption(f"{comparison.sentence(*names)} {comparison.boundaries(step, *names)}")
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
