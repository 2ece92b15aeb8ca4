"""The menu for the text to train on: a field for one's own, samples, and files."""

from math import ceil

import streamlit as st

from bpeviz.limits import limits
from bpeviz.runs.run import Run
from bpeviz.runs.samples import MEGABYTES, SAMPLES, STANDARD_LIBRARY, Sample
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.kit.words import escape
from bpeviz.ui.server.started_with import started_with
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.watch.dropped_files import joined, read_as
from bpeviz.ui.watch.your_text import your_text_panel

__all__ = ["text_menu"]

#: How many names of files the menu lists.
MOST_LISTED = 1_000


def text_menu(state: Session, run: Run) -> None:
    """Show the text of the run on a button, and under it the ways to take another one."""
    label = f"Text **{escape(run.corpus.trained_name)}** · {run.corpus.trained_bytes:,} bytes"
    # With a new key the menu closes. Its own state depends on the label, which changes while a person types.
    with (
        st.container(key="text_menu", width="content"),
        st.popover(label, key=f"text_menu-{state.form.chosen}"),
    ):
        your_text_panel(state)
        _samples(busy=state.training.busy)
        _about_files(state)
        _server_files(state)
    with st.container(key="menu_opener"):
        mount_part("text_menu", key="text_menu_opener", data={"asked": state.form.asked})


def _samples(*, busy: bool) -> None:
    st.markdown("**Samples**")
    with st.container(key="samples", gap=None):
        for sample in SAMPLES.values():
            if sample is STANDARD_LIBRARY:
                _standard_library(busy=busy)
            else:
                _sample_button(f"**{sample.title}** {sample.shows}", sample, busy=busy)


def _standard_library(*, busy: bool) -> None:
    st.caption(f"**{STANDARD_LIBRARY.title}** {STANDARD_LIBRARY.shows}")
    with st.container(horizontal=True):
        for megabytes in MEGABYTES:
            if megabytes <= limits().max_text_megabytes:
                _sample_button(f"{megabytes} MB", STANDARD_LIBRARY, megabytes, busy=busy)


def _sample_button(label: str, sample: Sample, megabytes: int = 1, *, busy: bool) -> None:
    st.button(
        label,
        key=f"sample-{sample.title}-{megabytes}",
        type="tertiary" if sample is not STANDARD_LIBRARY else "secondary",
        on_click=_want_sample,
        args=(sample, megabytes),
        disabled=busy,
    )


def _want_sample(sample: Sample, megabytes: int) -> None:
    session().form.choose_sample(sample.title, megabytes)
    session().problem = ""


def _about_files(state: Session) -> None:
    most = limits()
    large = f" The page shows a part of files over {most.max_text_megabytes} MB." if not most.hosted else ""
    megabytes = ceil(most.max_corpus_upload_bytes / 2**20)
    st.caption(
        f"Files up to {megabytes} MB in UTF-8.{large} They stay on the machine that runs this page. Pasting "
        "changes Windows line ends. To keep them, choose the file."
    )
    state.form.replaces = st.checkbox(
        "Replace invalid bytes",
        state.form.replaces,
        key=f"replaces-{state.number}",
        help="Each sequence of a file that is not UTF-8 becomes U+FFFD.",
    )


def _server_files(state: Session) -> None:
    """List the files that the app was started with; they are read when the person trains."""
    files = started_with()
    if files is None:
        return
    st.markdown("**Files on this machine**")
    listed = [f"{file.name}, {file.byte_total:,} bytes" for file in files.files[:MOST_LISTED]]
    more = len(files.files) - len(listed)
    with st.container(height=120):
        st.text("\n".join(listed) + (f"\n… and {more:,} more" if more else ""))
    st.button(
        f"Train on these files ({len(files.files):,}, {files.byte_total:,} bytes)",
        key="server_files",
        on_click=_want_server_files,
        disabled=state.training.busy,
    )


def _want_server_files() -> None:
    state = session()
    if (started := started_with()) is None:
        return
    files = read_as(started, replaces=state.form.replaces)
    with state.attempt():
        if files.byte_total > limits().max_text_bytes:
            corpus = state.form.corpus_of(files)
        else:
            texts = [(each.name, file.read()) for each, file in zip(files.files, files.opened(), strict=True)]
            corpus = joined(texts, replaces=state.form.replaces)
        state.form.choose_text(corpus)
