"""The main page: the corpus form, or the player with panels about its step."""

from functools import partial
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpeviz.runs.run import Run, fork_request, fork_run, run_request, train_run
from bpeviz.training.choice import Choice
from bpeviz.training.history import MergeHistory
from bpeviz.ui.components.player.pairs import mount_pairs, pack_pairs, send_pairs
from bpeviz.ui.components.player.player import ask, mount, pack_run
from bpeviz.ui.components.preload import preload
from bpeviz.ui.pages.merges.corpus_form import corpus_form, settings_fields
from bpeviz.ui.pages.merges.fork_panel import fork_panel
from bpeviz.ui.pages.merges.pairs_panel import pair_panel
from bpeviz.ui.pages.merges.panels import changes_panel, race_panel
from bpeviz.ui.pages.merges.parity_badge import check_run, parity_badge
from bpeviz.ui.pages.merges.parts import PAIR, PANELS, REMOTE, picked, rested
from bpeviz.ui.pages.merges.runs_bar import runs_bar
from bpeviz.ui.pages.merges.save_tokenizer import save_tokenizer
from bpeviz.ui.pages.merges.shown_part import shown_part
from bpeviz.ui.pages.merges.tables_panel import tables_panel
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.widgets.markdown import escape
from bpeviz.ui.widgets.training_bar import train, trains_in_background

__all__ = ["merges_page"]

#: The bytes for the chart of pairs, as long as the history of their run is kept.
_packed_pairs: WeakKeyDictionary[MergeHistory, bytes] = WeakKeyDictionary()


def merges_page() -> None:
    """Draw the page for this session."""
    state = session()
    state.merges.enter("merges")
    if state.run is None or state.form.open:
        corpus_form(state)
        preload()
        return
    if trains_in_background(state.run.corpus):
        _train_fork(state, state.run)  # the page on the screen stays meanwhile
    check_place = _heading(state, state.run)
    runs_bar(state)
    shown_part(state, state.run)
    if state.form.settings != state.run.form_settings and state.form.settings.complete:
        _follow_rules(state, state.run)
    fork_place = _watch(state, state.run)
    with fork_place:
        _train_fork(state, state.run)
    if check_place is not None:
        check_run(state, state.run, check_place)


def _heading(state: Session, run: Run) -> DeltaGenerator | None:
    """Show the run's heading; return the place for a parity check if the person asks for one."""
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            st.subheader("Watch merges", anchor=False)
            st.caption(
                f"{escape(run.corpus.trained_name)}, {run.corpus.trained_bytes:,} bytes · "
                f"recipe **{escape(run.recipe.name)}** (a tie goes to {run.recipe.tie_sentence}) · "
                f"split pattern **{escape(run.split.name)}**"
            )
            check_place = parity_badge(state, run)
        with st.container(horizontal=True, width="content"):
            with st.popover("Rules", icon=":material/tune:"):
                state.form.settings = settings_fields(state)
            with st.container(width="content"):  # a fragment would take the rest of the row
                save_tokenizer(run)
            st.button("Change corpus", icon=":material/edit_note:", on_click=state.open_form)
    return check_place


def _follow_rules(state: Session, run: Run) -> None:
    """Train with changed settings at once. If that fails or is cancelled, the page offers to try again."""
    if state.form.settings == state.form.declined:
        if state.training.busy:
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info("The rules have changed; below is the run by the former ones.", icon=":material/history:")
            again = st.button("Train by the new rules", type="primary")
            st.button("Keep the former rules", on_click=state.restore_rules)
        if not again:
            return
    state.form.declined = state.form.settings
    asked = run_request(run.corpus, state.form.settings, run)
    train(state, run.corpus, partial(train_run, asked), state.show, asked=asked)


def _watch(state: Session, run: Run) -> DeltaGenerator:
    """Show the player and its panels; return the place for a fork's progress, near the button for it."""
    left, right = st.columns([1.85, 1], gap="medium")
    with left:
        mount(
            _player_data(state, run),
            key=f"player-{run.number}-{state.merges.beside}-{state.merges.start}-{state.merges.parts}",
            last=len(run.steps),
            on_rest=rested,
        )
    with right:
        with st.container(border=True):
            st.markdown("**Most frequent pairs**")
            mount_pairs(last=len(run.steps), on_pick=picked)
            _pair(state)
        fork_place = st.container()
    _panels(state)
    _remote(state)
    if state.merges.painted:
        _send_pairs(run)
    state.finish()
    return fork_place


@st.fragment(key=PAIR)
def _pair(state: Session) -> None:
    pair_panel(state, state.stop(), partial(_fork, state))


@st.fragment(key=PANELS)
def _panels(state: Session) -> None:
    if not state.merges.painted:
        return
    stopped = state.stop()
    with st.container(key="at_rest"):
        if fork_comparison := state.compared():
            fork_panel(fork_comparison, stopped.step)
        left, right = st.columns(2, gap="medium")
        with left:
            changes_panel(stopped)
        with right:
            race_panel(state, stopped)
        tables_panel(state, stopped)


@st.fragment(key=REMOTE)
def _remote(state: Session) -> None:
    ask(*state.merges.asked, shown=state.merges.step, pair=state.merges.pair)


def _send_pairs(run: Run) -> None:
    """Count the pairs of all steps, once everything else of the page is on its way."""
    if run.history not in _packed_pairs:
        vetoed = {c.pair: c.rank for c in reversed(run.choices) if c.action == "veto"}
        reason = run.recipe.tie_reason
        _packed_pairs[run.history] = pack_pairs(
            run.top_pairs, number=run.number, tie_reason=reason, vetoed=vetoed
        )
    send_pairs(_packed_pairs[run.history])


def _fork(state: Session, choice: Choice) -> None:
    """Rerun the whole page to train there: a click on Cancel doesn't stop a fragment."""
    state.merges.fork = choice
    st.rerun()


def _train_fork(state: Session, run: Run) -> None:
    """Train the fork that the person chose, if any; then show it beside this run."""
    choice, state.merges.fork = state.merges.fork, None
    if choice is not None:
        take = partial(state.show_fork, run.number)
        train(state, run.corpus, partial(fork_run, run, choice), take, asked=fork_request(run, choice))


def _player_data(state: Session, run: Run) -> bytes:
    """The bytes for the player; always the same object for one player, because Streamlit sends new ones."""
    beside = state.run_beside
    merges = state.merges
    key = (run.number, run.name, beside and (beside.number, beside.name), merges.start, merges.parts)
    if state.merges.packed is None or state.merges.packed[0] != key:
        second = _pack(beside, beside.name, state.merges.start) if beside else None
        title = run.name if beside else "Text"
        state.merges.painted = not trains_in_background(run.corpus)
        state.merges.packed = (
            key,
            _pack(run, title, state.merges.start, second, reports=not state.merges.painted),
        )
    return state.merges.packed[1]


def _pack(run: Run, title: str, start: int, beside: bytes | None = None, *, reports: bool = False) -> bytes:
    return pack_run(
        run.corpus.text,
        run.gap_ranks,
        run.steps,
        number=run.number,
        title=title,
        token_totals=run.history.token_totals,
        vocab_sizes=run.tokenizer.vocab_sizes,
        vocabulary=run.tokenizer.vocabulary,
        base=run.tokenizer.base,
        tie_sentence=run.recipe.tie_sentence,
        chosen=[c.rank for c in run.choices if c.action == "merge"],
        stop_reason=run.stop_reason,
        start=start,
        corpus_bytes=run.corpus.trained_bytes,
        beside=beside,
        reports=reports,
    )
