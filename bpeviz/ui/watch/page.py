"""The main page: the player with panels about its step, and menus for its text and its rules."""

from functools import partial
from typing import LiteralString
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpeviz.browser.run_pack import PlayedRun, pack_pairs_of, pack_run
from bpeviz.errors import BpevizError
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import RunRequest, fork_request, fork_run, run_request, train_run
from bpeviz.runs.samples import FIRST_STEP, FIRST_STOP, first_run, read_sample
from bpeviz.runs.start_use import StartUse
from bpeviz.training.history import MergeHistory
from bpeviz.training.settings import CUSTOM_SPLIT
from bpeviz.ui.kit.messages import run_whole_page
from bpeviz.ui.kit.pairs import send_pairs
from bpeviz.ui.kit.player import mount
from bpeviz.ui.kit.tour import tour_button
from bpeviz.ui.kit.training_bar import train_and_rerun, train_at_once, trains_in_background
from bpeviz.ui.kit.words import escape, show_error, show_explained
from bpeviz.ui.server.hosting import started_with
from bpeviz.ui.session.form import YOUR_TEXT
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.watch.beside import beside_player
from bpeviz.ui.watch.dropped_files import dropped_files
from bpeviz.ui.watch.parity_badge import check_run, parity_badge
from bpeviz.ui.watch.reports import note_step, save_page, show_word
from bpeviz.ui.watch.rules_menu import rules_menu
from bpeviz.ui.watch.run_line import export_menu, runs_bar
from bpeviz.ui.watch.shown_part import shown_part
from bpeviz.ui.watch.state import WatchState
from bpeviz.ui.watch.text_menu import RETRAINED_BYTES, text_menu

__all__ = ["watch_page"]

#: What a newcomer reads first.
WHAT_IT_IS: LiteralString = (
    "[[byte-pair encoding|Byte-pair encoding]] merges the most frequent [[pair]] of neighbouring "
    "[[token|tokens]], again and again. "
)
OWN_FILES: LiteralString = "Open “Text” to train on the files that you started with."
#: How fast the sample and the person's own text play by themselves, in merges a second, and how many merges.
AUTOPLAY, FIRST_MERGES = 4, FIRST_STOP - FIRST_STEP

#: The bytes for the chart of pairs, as long as the history of their run is kept.
_packed_pairs: WeakKeyDictionary[MergeHistory, bytes] = WeakKeyDictionary()


def watch_page() -> None:
    """Draw the page for this session."""
    state = session()
    progress = st.container(key="training_here")  # at the foot of the window: nothing moves
    with progress:
        _train_wanted_text(state)
        run = _shown_run(state)
    state.pages.of(WatchState).follow(run)
    if trains_in_background(run.corpus):
        _train_fork(state, run)  # the page on the screen stays meanwhile
    line = st.container(horizontal=True, vertical_alignment="center", key="run_line")
    with (about := st.container()):  # so that the fragments below keep their places
        _say(run, opened_with=run.number == state.opened_with)
        shown_part(state, run)
    left, right = st.columns([2, 1], gap="small")
    with left, st.container(key="player_place"):
        _player(state, run)  # before the menus: the browser paints it while they are made
    with line:
        check_place = _run_line(state, run)
    with about:
        if state.form.settings != run.form_settings and state.form.settings.complete:
            _follow_settings(state, run, progress)
    with right, st.container(key="beside_player"):
        beside_player(state)
    if state.pages.of(WatchState).painted:
        _send_pairs(run)
    with progress:
        _train_fork(state, run)
    dropped_files(state)
    if check_place is not None:
        check_run(state, run, check_place)


def _shown_run(state: Session) -> Run:
    """Return the shown run; a session without any opens with a sample's."""
    if state.run is None:
        state.open_with(*(_opening_run(state) or (first_run(), FIRST_STEP)))
    return state.run_at_step().run


def _opening_run(state: Session) -> tuple[Run, int] | None:
    """Train on the sample that a session should open with. Return the run and its step; None without one."""
    if state.opens is None:
        return None
    title, step = state.opens
    asked = run_request(NamedText(title, read_sample(title)), state.form.settings)
    run = train_at_once(state, partial(train_run, asked))
    state.opens = None
    return None if run is None else (run, min(step, len(run.steps)))


def _train_wanted_text(state: Session) -> None:
    """Train on the text that the person typed or dropped, before the page is drawn.

    A report of the player may rerun the page meanwhile. So the text is wanted until its run is
    there, or until it fails or the person cancels it.
    """
    if state.form.wanted_sample is not None:  # not in the click's callback: a report could interrupt it
        title, megabytes = state.form.wanted_sample
        state.form.wanted = NamedText(title, read_sample(title, megabytes * 1_000_000))
        state.form.wanted_sample = None
    wanted = state.form.wanted
    if wanted is None:
        return
    asked = run_request(wanted, state.form.settings)
    if wanted.trained_bytes <= RETRAINED_BYTES and asked.settings.split != CUSTOM_SPLIT:
        _train_short_text(state, asked)
        return

    def show_run(run: Run) -> None:
        state.form.wanted = None
        state.show(run)

    if trains_in_background(wanted):
        state.form.wanted = None
    train_and_rerun(state, wanted, partial(train_run, asked), show_run, asked=asked)
    state.form.wanted = None  # it failed


def _train_short_text(state: Session, asked: RunRequest) -> None:
    """Train on a short text, mostly in some hundredths of a second, and without another rerun. The field of a
    typed text says itself what is wrong: a person who types a new text begins with one letter."""

    def note(error: BpevizError) -> None:
        state.form.problem = str(error)

    typed = asked.corpus.name == YOUR_TEXT
    run = train_at_once(state, partial(train_run, asked), note if typed else show_error)
    state.form.wanted = None  # it is there, or it failed
    if run is not None:
        state.show(run)


def _run_line(state: Session, run: Run) -> DeltaGenerator | None:
    """Show what the run is and its menus; return the place for a parity check if the person asks for one."""
    runs_bar(state)
    with st.container(horizontal=True, width="content", key="run_summary"):
        text_menu(state, run)
        rules_menu(state, run)
    check_place = parity_badge(state, run)
    with st.container(width="content", key="export_place"):  # a fragment would take the rest of the row
        export_menu(run)
    return check_place


def _say(run: Run, *, opened_with: bool) -> None:
    """Say what byte-pair encoding does, to a newcomer; to others, what is special about the run. It is always
    one line: the player must not move when another run comes."""
    kind = "newcomer" if opened_with else "special"
    with (
        st.container(key="about_run"),
        st.container(horizontal=True, vertical_alignment="center", key=kind),
    ):
        if opened_with:
            show_explained(WHAT_IT_IS + (OWN_FILES if started_with() else ""))
            own = session().form.ask_for_text
            st.button(
                "Use your own text",
                key="own_text",
                icon=":material/edit:",
                on_click=run_whole_page,
                args=(own,),
            )
        else:
            st.caption(_special(run), help=escape(run.cut_short) or None)
        tour_button("tour")


def _special(run: Run) -> str:
    choice = escape(run.about) if run.choices else ""
    why = escape(run.cut_short_briefly) if run.cut_short else ""
    if not run.made_all_possible:  # another setting was in the way
        why = why and f":orange[{why}]"
    follows = run.recipe.reproduces.partition(" (")[0]  # the rest is in the menu Rules
    usual = escape(StartUse(run).sentence) if run.start else f"Follows {escape(follows)}."
    return " · ".join(part for part in (why, choice) if part) or usual


def _follow_settings(state: Session, run: Run, progress: DeltaGenerator) -> None:
    """Train with changed settings at once. If that fails or is cancelled, the page offers to try again."""
    if state.form.settings == state.form.declined:
        if state.training.busy:
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info("Settings changed. Showing the previous run.", icon=":material/history:")
            again = st.button("Train with the new settings", type="primary", on_click=run_whole_page)
            st.button("Keep the previous settings", on_click=run_whole_page, args=(state.restore_settings,))
        if not again:
            return
    state.form.declined = state.form.settings
    asked = run_request(run.corpus, state.form.settings, run)
    with progress:
        train_and_rerun(state, run.corpus, partial(train_run, asked), state.show, asked=asked)


def _player(state: Session, run: Run) -> None:
    mount(
        _player_data(state, run),
        # One player shows all runs on a text, alone and side by side: to make a new one takes a second.
        key=f"player-{state.parts}",
        run=run,
        on_rest=partial(note_step, run.number),
        on_word=show_word,
        on_page=partial(save_page, run.number),
    )


def _send_pairs(run: Run) -> None:
    """Count the pairs of all steps, once everything else of the page is on its way."""
    if run.history not in _packed_pairs:
        _packed_pairs[run.history] = pack_pairs_of(run)
    send_pairs(_packed_pairs[run.history])


def _train_fork(state: Session, run: Run) -> None:
    """Train the fork that the person chose, if any; then show it beside this run."""
    watch = state.pages.of(WatchState)
    choice, watch.fork = watch.fork, None
    if choice is not None:
        show_fork = partial(state.show_fork, run.number)
        train_and_rerun(
            state, run.corpus, partial(fork_run, run, choice), show_fork, asked=fork_request(run, choice)
        )


def _player_data(state: Session, run: Run) -> bytes:
    """Return the bytes for the player; always the same object for one player, because Streamlit sends new
    ones."""
    beside = state.run_beside
    watch = state.pages.of(WatchState)
    if plays := watch.to_play == run.corpus:
        state.step = state.start = 0
        watch.to_play = None
    key = (run.number, run.name, beside and (beside.number, beside.name), state.start, state.parts)
    if watch.packed is None or watch.packed[0] != key or plays:
        second = PlayedRun(run=beside, title=beside.name, start=state.start) if beside else None
        waits = trains_in_background(run.corpus)
        plays = plays or (run.number == state.opened_with and state.start == FIRST_STEP)
        played = PlayedRun(
            run=run,
            title=run.name if beside else "Text",
            start=state.start,
            beside=second,
            autoplay=AUTOPLAY if plays else 0,
            until=min(state.start + FIRST_MERGES, len(run.steps)) if plays else None,
            plays=watch.plays,
            grows=True,
            reports="at rest and once painted" if waits else "at rest",
            saves=True,
        )
        watch.packed = key, pack_run(played)
        watch.painted = not waits
    return watch.packed[1]
