"""How a person sees a training go on, and ends it.

A short text is trained on at once, in the run of the page that asked. A long one goes on in the background:
a bar at the foot of every page follows it, and everything else on the page can be used meanwhile.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import streamlit as st

from bpeviz.base_error import BpevizError
from bpeviz.runs.run import OWN_PROCESS_BYTES, NamedText, RunRequest
from bpeviz.runs.training_words import Progress
from bpeviz.ui.saved.saving import keep
from bpeviz.ui.server.streamlit_internals import RerunException, StreamlitPage
from bpeviz.ui.session.background_training import BackgroundTraining, session_connected
from bpeviz.ui.session.session import Session
from bpeviz.ui.widgets.markdown import escape, show_error

__all__ = ["train", "training_bar"]

Trained = TypeVar("Trained")


def train(
    state: Session,
    text: NamedText,
    work: Callable[[Progress], Trained],
    take: Callable[[Trained], None],
    *,
    announced: bool = True,
    asked: RunRequest | None = None,
) -> None:
    """Have ``work`` train on ``text``, and give ``take`` what it made; then the page is drawn anew.

    Says what is wrong where a training fails; ``take`` is then not called. One that ends in the background
    while another page is looked at is said there if it is to be ``announced``. What is ``asked`` for is part
    of the saved session until it is done, failed or cancelled.
    """
    if text.byte_total > OWN_PROCESS_BYTES:
        name = text.name if announced else ""
        state.training.begin(BackgroundTraining(work, take, session_connected(), name), asked)
        st.rerun()
    state.training.wanted = asked
    keep(state)
    if (trained := _train_here(state, work)) is not None:
        state.training.wanted = None
        take(trained)
        st.rerun()


def _train_here(state: Session, work: Callable[[Progress], Trained]) -> Trained | None:
    """Any click on the page, Cancel among them, ends the script at the next progress report, and with it the
    training; what was on the page before stays. Not for fragments: a click in one does not end a script."""
    place = st.empty()
    try:
        with place.container():
            bar = st.progress(0.0, "Starting")
            st.button("Cancel", key="cancel", icon=":material/close:")
            trained = work(bar.progress)
    except BpevizError as error:
        state.training.wanted = None
        place.empty()
        show_error(error)
        return None
    except RerunException:  # a click; a lost connection raises StopException
        state.training.wanted = None
        raise
    place.empty()
    return trained


def training_bar(state: Session, page: StreamlitPage, home: StreamlitPage) -> None:
    """Follow the training in the background, where there is one, and say what is wrong where it failed; on
    any ``page`` but ``home``, where what was trained is seen, say that it is done."""
    if page is home:
        state.training.finished = ""
    if state.training.job is not None:
        _follow(state)
    elif state.training.failed:
        show_error(state.training.failed)
        st.button("Close", key="close_training", icon=":material/close:", on_click=state.training.end)
    elif state.training.finished:
        with st.container(horizontal=True, vertical_alignment="center", key="trained"):
            st.success(f"Trained: {escape(state.training.finished)}", icon=":material/check:")
            st.page_link(home, label="Watch it")


@st.fragment
def _follow(state: Session) -> None:
    training = state.training.job
    if training is None:  # cancelled just now: the page has buttons to enable again
        st.rerun()
    if training.done:
        _finish(state, training)
    with st.container(horizontal=True, vertical_alignment="bottom", key="training"):
        st.progress(training.share, training.words)
        st.button("Cancel", key="cancel_training", icon=":material/close:", on_click=state.training.end)
    _again()(key="look", on_look_change=lambda: None)


@cache
def _again() -> Callable[..., Mapping[str, Any]]:
    """A component that is not seen: it has the part of the page that it stands in run again and again."""
    script = Path(__file__).with_suffix(".js").read_text("utf-8")
    component: Callable[..., Mapping[str, Any]] = st.components.v2.component("bpeviz_training_bar", js=script)
    return component


def _finish(state: Session, training: BackgroundTraining) -> NoReturn:
    """Take what was made, and draw the whole page anew: it has buttons to enable again."""
    if training.interrupted:  # what was asked for is begun again: see bringing_back.py
        state.training.job, state.work.tried = None, False
        st.rerun()
    try:
        training.deliver()
    except BpevizError as error:
        state.training.end()
        state.training.failed = str(error)
    except BaseException:
        state.training.end()
        raise
    else:
        state.training.end()
        state.training.finished = training.name
    st.rerun()
