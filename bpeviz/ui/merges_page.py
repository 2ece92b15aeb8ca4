"""The main page: the corpus form, or the player with the pairs and merges at its step beside it."""

import streamlit as st

from bpeviz.charts import pair_chart
from bpeviz.ui.corpus_form import corpus_form, settings_fields, train_with_progress
from bpeviz.ui.markdown import escape
from bpeviz.ui.player.player import mount, pack_run
from bpeviz.ui.run import Run
from bpeviz.ui.state import Session, session

__all__ = ["merges_page"]


def merges_page() -> None:
    """Draw the page for this session."""
    state = session()
    state.enter("merges")
    if state.run is None or state.choosing:
        corpus_form(state)
        return
    _heading(state, state.run)
    if state.settings != state.run.settings and state.settings.complete:
        _follow_rules(state, state.run)
    _watch(state, state.run)


def _heading(state: Session, run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            st.subheader("Watch merges", anchor=False)
            st.caption(
                f"{escape(run.corpus.name)}, {run.corpus.byte_total:,} bytes · "
                f"recipe **{escape(run.recipe.name)}** (a tie goes to {run.recipe.tie_sentence}) · "
                f"split pattern **{escape(run.split.name)}**"
            )
        with st.container(horizontal=True, width="content"):
            with st.popover("Rules", icon=":material/tune:"):
                state.settings = settings_fields(state)
            st.button("Change corpus", icon=":material/edit_note:", on_click=state.open_form)


def _follow_rules(state: Session, run: Run) -> None:
    """Train by changed rules at once; cancelled or refused, the run on show stays until told otherwise."""
    if state.settings == state.declined:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info("The rules have changed; below is the run by the former ones.", icon=":material/history:")
            again = st.button("Train by the new rules", type="primary")
            st.button("Keep the former rules", on_click=state.restore_rules)
        if not again:
            return
    state.declined = state.settings
    if new := train_with_progress(run.corpus, state.settings):
        state.show(new)
        st.rerun()


@st.fragment
def _watch(state: Session, run: Run) -> None:
    left, right = st.columns([1.85, 1], gap="medium")
    with left:
        state.step = mount(
            _player_data(state, run),
            key=f"player-{run.number}-{state.start}",
            start=state.start,
            on_step_change=_noted,
        )
    with right:
        _pairs(run, state.step)
    _merges_so_far(run, state.step)


def _noted() -> None:
    """The player's step is read from its state; a callback must exist for it to be sent."""


def _player_data(state: Session, run: Run) -> bytes:
    """The bytes for the player: the same object for as long as the player stands, since new ones are sent."""
    key = (run.number, state.start)
    if state.packed is None or state.packed[0] != key:
        state.packed = (
            key,
            pack_run(
                run.corpus.text,
                run.gap_ranks,
                run.steps,
                token_totals=run.history.token_totals,
                vocab_sizes=run.vocab_sizes,
                vocabulary=run.tokenizer.vocabulary,
                base=run.tokenizer.base,
                tie_sentence=run.recipe.tie_sentence,
                stop_reason=run.stop_reason,
                start=state.start,
            ),
        )
    return state.packed[1]


def _pairs(run: Run, step: int) -> None:
    with st.container(border=True):
        st.markdown("**Most frequent pairs**")
        st.caption(_pairs_sentence(run, step))
        bars = run.pair_bars(step)
        if bars:
            st.plotly_chart(pair_chart(bars, ink=_ink()), key="pairs", config={"displayModeBar": False})


def _ink() -> str:
    """The theme's colour of text: Plotly cannot read the page's style sheet."""
    return "#e8e9ea" if st.context.theme.type == "dark" else "#1c1e21"


def _pairs_sentence(run: Run, step: int) -> str:
    if step >= len(run.steps):
        return "After the last merge."
    tied = run.steps[step].tied
    return "One pair has the highest count." if tied == 1 else f"{tied:,} pairs share the highest count."


def _merges_so_far(run: Run, step: int) -> None:
    st.markdown(f"**Merges so far: {step:,}**")
    if not step:
        st.caption("None yet. Press → or play: each merge is listed here, latest first.")
        return
    latest_first = run.merges_table.iloc[:step][::-1]
    st.dataframe(latest_first, hide_index=True, height=280, key="merges_table")
