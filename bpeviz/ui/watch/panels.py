"""The panels "What the next merge changes", "Pair race" and "Word"."""

import streamlit as st

from bpeviz.browser.encoding import grown, pack_growth
from bpeviz.charts import change_chart, has_ties, race_chart
from bpeviz.errors import BpevizError
from bpeviz.formats.pretrained import load_pretrained
from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.ui.kit.parts import mount_growth
from bpeviz.ui.kit.plot import plot, text_color
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.watch.reports import go_to_point
from bpeviz.ui.watch.state import RACE_LENGTHS, WatchState

__all__ = ["changes_panel", "race_panel", "word_panel"]


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
        watch.saved.race_length = st.select_slider(
            "Merges to show",
            RACE_LENGTHS,
            watch.race_length,
            key="race_length",
            format_func=lambda n: f"{n:,}",
        )
        if at_step.step == 0:
            begins = "The race starts with the first merge: press → or play."
            st.caption(escape(at_step.run.nothing_merged) or begins)
            return
        race = at_step.race(watch.race_length, watch.pair)
        st.caption(escape(race.sentence))
        plot(
            race_chart(race.racers, race.merges, first=race.first, text_color=text_color()),
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
