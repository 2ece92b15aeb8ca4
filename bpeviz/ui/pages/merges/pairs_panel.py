"""The pairs at one step: the most frequent as bars, why the next is chosen, and the picked one in detail."""

from collections.abc import Callable, Sequence

import streamlit as st

from bpeviz.charts import life_chart, pair_chart
from bpeviz.core.pair_lives import PairLife
from bpeviz.core.token_chain import Pair
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.training.choice import Choice
from bpeviz.training.history import Overlaps
from bpeviz.ui.components.messages import whole
from bpeviz.ui.components.plot import Point, plot, text_color
from bpeviz.ui.pages.merges.parts import go_to_point, pick
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.widgets.markdown import escape

__all__ = ["pairs_panel"]

Fork = Callable[[Choice], None]
MOST_ID = 2**31


def pairs_panel(state: Session, now: RunAtStep, stopped: RunAtStep, fork: Fork) -> None:
    """Show the bars of ``now``, and the picked pair at ``stopped``; ``fork`` trains a choice."""
    with st.container(border=True):
        st.markdown("**Most frequent pairs**")
        st.caption(escape(now.why))
        if bars := now.bars(state.merges.pair):
            plot(
                pair_chart(bars, text_color=text_color()),
                key=f"pairs-{now.run.number}-{state.merges.picks}",
                name="Most frequent pairs",
                on_pick=_pick_bar,
            )
        _pair_field(state, stopped)
        if state.merges.pair:
            _pair_closely(state, stopped, state.merges.pair, fork)


def _pick_bar(bar: Point) -> None:
    """Pick the pair whose ids the clicked bar carries."""
    run, ids = session().run, bar.get("customdata")
    if run and isinstance(ids, Sequence) and len(ids) >= 2:
        left, right = (whole(i, MOST_ID) for i in ids[:2])
        known = run.tokenizer.vocabulary
        if left is not None and right is not None and left in known and right in known:
            pick((left, right))


def _pair_field(state: Session, stopped: RunAtStep) -> None:
    """Show a list of pairs, for people without a mouse."""
    key = f"pair-{stopped.run.number}-{state.merges.picks}"
    options = [bar.pair for bar in stopped.bars()]
    if state.merges.pair and state.merges.pair not in options:
        options.append(state.merges.pair)
    st.selectbox(
        "Look at a pair",
        options,
        options.index(state.merges.pair) if state.merges.pair else None,
        key=key,
        format_func=stopped.run.pair_label,
        placeholder="Pick one here, or click a bar",
        on_change=lambda: pick(st.session_state[key]),
    )


def _pair_closely(state: Session, stopped: RunAtStep, pair: Pair, fork: Fork) -> None:
    st.button("Put it away", icon=":material/close:", on_click=pick, args=(None,), key="put_away")
    life = stopped.life(pair)
    if life.born is None:
        st.caption(f"{escape(stopped.run.pair_label(pair))} never occurs in this run.")
        return
    st.caption(
        escape(f"Seen {_times(stopped.count(pair))} after {stopped.step:,} merges. {_life_sentence(life)}")
    )
    plot(
        life_chart(life, step=stopped.step, text_color=text_color()),
        key=f"life-{state.merges.asked[1]}",
        name="Life of the pair",
        on_pick=go_to_point,
    )
    _overlap_lens(stopped, pair)
    _choices(stopped, pair, fork, busy=state.training.busy)


def _life_sentence(life: PairLife) -> str:
    born = "There from the start" if life.born == 0 else f"Born at merge {life.born:,}"
    after = "1 merge" if life.peak == 1 else f"{life.peak:,} merges"
    peak = f"at its peak seen {_times(int(life.counts[life.peak]))}, after {after}"
    match life.fate:
        case "merged":
            end = f"merged as merge {life.ended:,}"
        case "used up":
            end = f"starved at merge {life.ended:,}: other merges had used up its tokens"
        case _:
            end = f"still there at the end, {_times(int(life.counts[-1]))}"
    return f"{born}; {peak}; {end}."


def _overlap_lens(stopped: RunAtStep, pair: Pair) -> None:
    """For a token beside itself, show how many pairs are counted and how many one merge replaces."""
    if pair[0] != pair[1]:
        return
    overlaps = stopped.overlaps(pair)
    if not overlaps.counted:
        return
    st.markdown(
        f"**Overlaps.** Counted {_times(overlaps.counted)}, but one merge can replace "
        f"{_times(overlaps.replaced)}: neighbouring pairs share a token."
    )
    st.code(_overlap_drawing(stopped.run.label(pair[0]), overlaps), language=None)


def _overlap_drawing(token: str, overlaps: Overlaps, most: int = 6) -> str:
    """Draw each length of run on a line: [a a] [a a] a, what is counted and replaced, in how many places."""
    lines = []
    for length, places in overlaps.runs[:most]:
        shown = min(length, 9)
        pairs = [f"[{token} {token}]"] * (shown // 2) + [token] * (shown % 2)
        drawing = " ".join(pairs) + (" …" if length > shown else "")
        lines.append(
            f"{drawing}  counted {length - 1:,}, replaced {length // 2:,}; "
            f"stands in {places:,} {'place' if places == 1 else 'places'}"
        )
    more = len(overlaps.runs) - most
    return "\n".join(lines + ([f"and {more:,} longer runs"] if more > 0 else []))


def _choices(stopped: RunAtStep, pair: Pair, fork: Fork, *, busy: bool) -> None:
    """Show the buttons that fork the run at this step."""
    following = stopped.following
    here = stopped.count(pair)
    if following is None or not here:
        st.caption(
            f"It does not occur after {stopped.step:,} merges; go to a step where it does to fork there."
        )
        return
    with st.container(horizontal=True):
        merges = pair != following.pair and st.button(
            "Merge it next instead", key="fork_merge", icon=":material/call_split:", disabled=busy
        )
        vetoes = pair not in stopped.run.vetoed(stopped.step) and st.button(
            "Never merge it", key="fork_veto", icon=":material/block:", disabled=busy
        )
    if merges or vetoes:
        fork(Choice(stopped.step, pair, "veto" if vetoes else "merge"))
    st.caption(
        "Another training goes on; cancel it or wait for it."
        if busy
        else "Either starts a second run from this step and shows both futures side by side."
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
