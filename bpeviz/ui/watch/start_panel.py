"""The panel about the tokenizer that a run begins with: how its merges fit the text, and what new ones
save."""

import streamlit as st

from bpeviz.charts.merged_ranks import merged_ranks_chart, saved_tokens_chart
from bpeviz.errors import BpevizError
from bpeviz.limits import limits
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.runs.start_use import Shares, StartUse
from bpeviz.sessions.page_fields import Text
from bpeviz.ui.kit.messages import kept
from bpeviz.ui.kit.plot import plot, text_color
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session_cache import session_cache
from bpeviz.ui.watch.reports import go_to, go_to_point
from bpeviz.ui.watch.state import WatchState
from bpeviz.words import counted

__all__ = ["start_panel"]


def start_panel(watch: WatchState, at_step: RunAtStep) -> None:
    """Show the rank of each merged pair among the pairs of the text, and the tokens that new merges save."""
    use, run = StartUse(at_step.run), at_step.run
    with st.container(border=True):
        st.markdown("**How frequent its pairs are here**")
        says = (
            f"{use.best_total:,} of {counted(len(use.of_start), 'merge')} take the most frequent pair of "
            "this text at that moment."
        )
        st.caption(escape(f"{use.sentence} {says}"))
        if len(use.of_start):
            plot(
                merged_ranks_chart(use.ranks, use.worst, step=at_step.step, text_color=text_color()),
                key=f"merged_ranks-{watch.asked[1]}",
                name="Rank of each merged pair",
                says=says,
                on_pick=go_to_point,
            )
            st.caption("The rarest pairs that it merges here:")
            with st.container(horizontal=True, key="worst_merges"):
                for step in use.worst.tolist():
                    pair = run.pair_label(run.steps[step].pair)
                    st.button(
                        f"{escape(pair)} · {use.ranks[step]:,}",
                        key=f"worst-{step}",
                        help=f"Go to merge {step + 1:,}, whose pair has rank {use.ranks[step]:,} here.",
                        on_click=go_to,
                        args=(step,),
                    )
    if use.first_new is not None:
        _new_merges(watch, use, use.first_new)


def _new_merges(watch: WatchState, use: StartUse, first: int) -> None:
    """Show the tokens that the new merges save, on this text and on a second one."""
    with st.container(border=True):
        st.markdown("**What the new merges save**")
        second = _second(watch, use)
        says = _says("this text", use, use.saved)
        if second is not None:
            says += f" {_says('the second text', use, second)}"
        st.caption(escape(says))
        plot(
            saved_tokens_chart(use.saved, second, first=first, text_color=text_color()),
            key=f"saved_tokens-{watch.asked[1]}",
            name="Tokens saved by new merges",
            says=says,
            on_pick=go_to_point,
        )


def _says(text: str, use: StartUse, saved: Shares) -> str:
    if not saved[-1]:
        return f"On {text} they save nothing."
    until = use.pays_until(saved)
    return (
        f"On {text} they save {saved[-1]:.1f} % of the tokens, and nine tenths of that comes from the first "
        f"{until:,}."
    )


def _second(watch: WatchState, use: StartUse) -> Shares | None:
    """Show a field for a second text; return what the new merges save there."""
    shown = watch.saved.second_text.text if watch.saved.second_text else ""
    typed = st.text_area(
        "A second text, to see what they save elsewhere",
        shown,
        key="second_text",
        height=80,
        placeholder="Paste a text that the merges were not learned from.",
    )
    if (text := kept(typed, shown)) != shown:
        watch.saved.second_text = Text(text) if text else None
    size, most = len(typed.encode("utf-8", "surrogatepass")), limits().max_typed_bytes
    if size > most:
        st.error(f"The second text has {size:,} bytes. The limit is {most:,}. Shorten it.")
        return None
    try:
        if not typed:
            return None
        # each step of the player draws the panel again
        return session_cache().get(("saved_on", use.run.number, typed), lambda: use.saved_on(typed))
    except BpevizError as error:
        show_error(error)
        return None
