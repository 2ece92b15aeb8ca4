"""The picked pair at one step, and the field to pick it. The bars of pairs are a component of the player."""

from collections.abc import Callable

import streamlit as st

from bpeviz.charts import life_chart
from bpeviz.core.pair_lives import PairLife
from bpeviz.core.token_chain import Pair
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.training.choice import Choice
from bpeviz.training.history import Overlaps
from bpeviz.ui.kit.plot import plot, text_color
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch.parts import go_to_point, pick
from bpeviz.words import counted, how_often

__all__ = ["pair_panel"]

Fork = Callable[[Choice], None]


def pair_panel(state: Session, at_step: RunAtStep, fork: Fork) -> None:
    """Show the picked pair, and a list to pick one from; ``fork`` trains a choice."""
    _pair_field(state, at_step)
    if state.merges.pair:
        with st.container(key="at_rest_pair"):
            _pair_closely(state, at_step, state.merges.pair, fork)


def _pair_field(state: Session, at_step: RunAtStep) -> None:
    """Show a list of pairs, for people without a mouse."""
    key = f"pair-{at_step.run.number}-{state.merges.picks}"
    options = at_step.leading
    if state.merges.pair and state.merges.pair not in options:
        options.append(state.merges.pair)
    st.selectbox(
        "Look at a pair",
        options,
        options.index(state.merges.pair) if state.merges.pair else None,
        key=key,
        format_func=at_step.run.pair_label,
        placeholder="Choose a pair here, or pick a bar",
        on_change=lambda: pick(st.session_state[key]),
    )


def _pair_closely(state: Session, at_step: RunAtStep, pair: Pair, fork: Fork) -> None:
    st.button("Clear selection", icon=":material/close:", on_click=pick, args=(None,), key="clear_selection")
    life = at_step.life(pair)
    if life.born is None:
        st.caption(f"{escape(at_step.run.pair_label(pair))} never occurs in this run.")
        return
    st.caption(
        escape(
            f"Occurs {how_often(at_step.count(pair))} after {counted(at_step.step, 'merge')}. "
            f"{_life_sentence(life)}"
        )
    )
    plot(
        life_chart(life, step=at_step.step, text_color=text_color()),
        key=f"life-{state.merges.asked[1]}",
        name="Life of the pair",
        says=_life_sentence(life),
        on_pick=go_to_point,
    )
    _overlap_lens(at_step, pair)
    _choices(at_step, pair, fork, busy=state.training.busy)


def _life_sentence(life: PairLife) -> str:
    born = f"First occurs after merge {life.born:,}" if life.born else "Occurs from the start"
    when = f"after {counted(life.peak, 'merge')}" if life.peak else "at the start"
    peak = f"Most frequent {when}: {how_often(int(life.counts[life.peak]))}"
    match life.fate:
        case "merged":
            end = f"Merged as merge {life.ended:,}"
        case "used up":
            end = f"Used up at merge {life.ended:,}: other merges took its tokens"
        case _:
            end = f"At the end it still occurs {how_often(int(life.counts[-1]))}"
    return f"{born}. {peak}. {end}."


def _overlap_lens(at_step: RunAtStep, pair: Pair) -> None:
    """For a token beside itself, show how many pairs are counted and how many one merge replaces."""
    if pair[0] != pair[1]:
        return
    overlaps = at_step.overlaps(pair)
    if not overlaps.counted:
        return
    st.markdown(
        f"**Overlaps.** Counted {how_often(overlaps.counted)}, but one merge can replace "
        f"{how_often(overlaps.replaced)}: neighbouring pairs share a token."
    )
    st.code(_overlap_drawing(at_step.run.label(pair[0]), overlaps), language=None)


def _overlap_drawing(token: str, overlaps: Overlaps, most: int = 6) -> str:
    """Draw each length of run on a line: [a a] [a a] a, what is counted and replaced, in how many places."""
    lines = []
    for length, places in overlaps.runs[:most]:
        shown = min(length, 9)
        pairs = [f"[{token} {token}]"] * (shown // 2) + [token] * (shown % 2)
        drawing = " ".join(pairs) + (" …" if length > shown else "")
        lines.append(
            f"{drawing}  counted {length - 1:,}, replaced {length // 2:,}; "
            f"occurs in {counted(places, 'place')}"
        )
    more = len(overlaps.runs) - most
    return "\n".join(lines + ([f"and {counted(more, 'longer repeat')}"] if more > 0 else []))


def _choices(at_step: RunAtStep, pair: Pair, fork: Fork, *, busy: bool) -> None:
    """Show the buttons that fork the run at this step."""
    following = at_step.following
    here = at_step.count(pair)
    if not here:
        st.caption(
            f"It doesn't occur after {counted(at_step.step, 'merge')}. "
            "Go to a step where it occurs, then fork."
        )
        return
    if following is None:
        done = "All merges are done. Go to an earlier step, then fork."
        st.caption(escape(at_step.run.nothing_merged) or done)
        return
    with st.container(horizontal=True):
        merges = pair != following.pair and st.button(
            "Merge it next instead", key="fork_merge", icon=":material/call_split:", disabled=busy
        )
        vetoes = pair not in at_step.run.vetoed(at_step.step) and st.button(
            "Never merge it", key="fork_veto", icon=":material/block:", disabled=busy
        )
    if merges or vetoes:
        fork(Choice(at_step.step, pair, "veto" if vetoes else "merge"))
    st.caption(
        "Another training is running. Wait for it or cancel it."
        if busy
        else "A choice starts a fork at this step and shows both runs side by side."
    )
