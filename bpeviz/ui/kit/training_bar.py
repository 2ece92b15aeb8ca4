"""Train, show the progress and let the person cancel.

Short texts train at once, while the page waits. Long ones train in the background: the page waits only a
moment, then a bar at the foot of every page shows the progress, and the rest of the page stays usable.
"""

import time
from collections.abc import Callable
from typing import NoReturn, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpeviz.errors import BpevizError
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_training import OWN_PROCESS_BYTES, RunRequest
from bpeviz.runs.training_words import Progress
from bpeviz.ui.kit.messages import run_whole_page
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.server.streamlit_internals import StreamlitPage
from bpeviz.ui.session.saving import save_session
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.training import BackgroundTraining, session_connected
from bpeviz.workers.waiting import called_while_waiting

__all__ = ["train_and_rerun", "train_at_once", "training_bar", "trains_in_background"]

Trained = TypeVar("Trained")

#: How long the page waits for a training in the background before it shows the bar. The megabyte that most
#: people start with is done by then, and its run appears without a page between.
MOMENT_SECONDS = 0.8
#: A short text trains sooner than this, or something is in its way: then the page shows the bar and "Cancel".
BAR_AFTER_SECONDS = 0.3


def trains_in_background(text: NamedText) -> bool:
    """Return whether the page stays usable while ``text`` trains."""
    return text.trained_bytes > OWN_PROCESS_BYTES


def train_and_rerun(
    state: Session,
    text: NamedText,
    training: Callable[[Progress], Trained],
    on_trained: Callable[[Trained], None],
    *,
    announced: bool = True,
    asked: RunRequest | None = None,
) -> None:
    """Train on ``text`` by the function ``training``, give the result to ``on_trained``, and rerun the page.

    If the training fails, shows the error and doesn't call ``on_trained``. If ``announced``, the end of a
    training in the background is also shown on other pages. The saved session holds ``asked`` until the
    training ends.
    """
    if trains_in_background(text):
        name = text.trained_name if announced else ""
        job = BackgroundTraining(training, on_trained, session_connected(), name)
        state.training.start(job, asked)
        if job.wait(MOMENT_SECONDS) and state.training.job is job:
            _finish(state, job)
        st.rerun()
    state.training.wanted = asked
    save_session(state)
    if (trained := _train_while_waiting(state, training, bar_after=0.0)) is not None:
        state.training.wanted = None
        on_trained(trained)
        st.rerun()


def train_at_once(
    state: Session,
    training: Callable[[Progress], Trained],
    on_error: Callable[[BpevizError], None] = show_error,
) -> Trained | None:
    """Train on a short text, without another rerun, and without a bar unless it takes longer than a moment;
    None after an error, which goes to ``on_error``."""
    return _train_while_waiting(state, training, bar_after=BAR_AFTER_SECONDS, on_error=on_error)


def _train_while_waiting(
    state: Session,
    training: Callable[[Progress], Trained],
    *,
    bar_after: float,
    on_error: Callable[[BpevizError], None] = show_error,
) -> Trained | None:
    """Train while the page waits; None after an error. The bar appears after so many seconds.

    Any click on the page stops the script at the next progress report, and with it the training. The page
    then trains again, unless the click was on Cancel. Not for fragments: a click in one doesn't stop the
    script.
    """
    place = st.empty()
    bar: DeltaGenerator | None = None
    due = time.monotonic() + bar_after
    told = (0.0, "Starting")

    def tell(share: float, words: str) -> None:
        nonlocal bar, told
        told = share, words
        if bar is not None:
            bar.progress(share, words)
        elif time.monotonic() >= due:
            with place.container():
                bar = st.progress(share, words)
                st.button(
                    "Cancel",
                    key="cancel",
                    icon=":material/close:",
                    on_click=run_whole_page,
                    args=(state.cancel_training,),
                )

    try:
        tell(*told)
        with called_while_waiting(lambda: tell(*told)):
            trained = training(tell)
    except BpevizError as error:
        state.training.wanted = None
        place.empty()
        on_error(error)
        return None
    place.empty()
    return trained


def training_bar(state: Session, page: StreamlitPage, home: StreamlitPage) -> None:
    """Show the progress, the error or the end of a training in the background; not the end on ``home``, which
    shows the run itself."""
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
            st.page_link(home, label="Show the run")


@st.fragment
def _follow(state: Session) -> None:
    training = state.training.job
    if training is None:  # just cancelled: enable the page's buttons again
        st.rerun()
    if training.done:
        _finish(state, training)
    with st.container(horizontal=True, vertical_alignment="bottom", key="training"):
        st.progress(training.share, training.words)
        st.button("Cancel", key="cancel_training", icon=":material/close:", on_click=state.training.end)
    # an invisible component that reruns this fragment again and again
    mount_part("training_bar", key="look", on_look_change=lambda: None)


def _finish(state: Session, training: BackgroundTraining) -> NoReturn:
    """Take the result and rerun the whole page, which enables its buttons again."""
    if training.interrupted:  # restoring.py starts it again
        state.training.job, state.saving.tried = None, False
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
