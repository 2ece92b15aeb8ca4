"""The menu for the text to train on: a field with the tokens of what a person types, samples, and files."""

from hashlib import sha256
from math import ceil

import streamlit as st

from bpeviz.errors import BpevizError, SplitPatternBusyError
from bpeviz.formats.pretrained import load_pretrained
from bpeviz.limits import limits
from bpeviz.runs.language_cost import language_cost
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.samples import MEGABYTES, SAMPLES, STANDARD_LIBRARY, Sample
from bpeviz.runs.typed_text import TokenRow, fits, missing_row, token_row
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.settings import CUSTOM_SPLIT
from bpeviz.ui.kit.messages import run_whole_page
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.kit.text_box import TextBoxState, mount_text_box
from bpeviz.ui.kit.words import escape
from bpeviz.ui.server.hosting import started_with
from bpeviz.ui.session.form import YOUR_TEXT
from bpeviz.ui.session.saving import save_session
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.ui.watch.dropped_files import joined, read_as
from bpeviz.ui.watch.state import WatchState

__all__ = ["RETRAINED_BYTES", "text_menu", "your_text_panel"]

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
        on_click=run_whole_page,
        args=(_want_sample, sample, megabytes),
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
        on_click=run_whole_page,
        args=(_want_server_files,),
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


#: A text up to this size trains again while a person types.
RETRAINED_BYTES = 10_000
#: The tokenizers that everybody knows, by the name that people use.
KNOWN = {"GPT-2": "gpt2", "o200k": "o200k_base"}


@st.fragment(key="your_text")
def your_text_panel(state: Session) -> None:
    """Show the field and the text's tokens."""
    text, run = state.form.typed if fits(state.form.typed) else "", state.run
    known = _known_tokenizers() if text else {}
    rows = [*known.items(), (run.name, run.tokenizer)] if text and run is not None else known.items()
    mount_text_box(
        TextBoxState(
            text,
            rows=[_row(name, tokenizer, text) for name, tokenizer in rows],
            cost=language_cost(text, known),
            problem=state.form.problem,
            retrained_bytes=RETRAINED_BYTES if _trains_as_typed(state) else 0,
            busy=state.training.busy,
        ),
        session_number=state.number,
        on_type=_note,
        on_watch=_watch,
    )


def _row(name: str, tokenizer: Tokenizer, text: str) -> TokenRow:
    """Return the text in the tokens of a tokenizer; it is encoded once, however often the page runs."""
    # not the text itself: a person who types makes many
    digest = sha256(text.encode("utf-8", "surrogatepass")).digest()
    key = "typed", name, tokenizer_number(tokenizer), digest
    try:
        return session_cache().get(key, lambda: token_row(name, tokenizer, text))
    except SplitPatternBusyError as error:
        return missing_row(name, error)


def _trains_as_typed(state: Session) -> bool:
    """Return True if each key trains again. A person's own split pattern may take seconds each time, while
    other visitors wait: with it, only the button trains."""
    return state.form.settings.split != CUSTOM_SPLIT


def _note(text: str) -> None:
    """Note what the person has typed, and train on it if it is short."""
    state = session()
    if state.form.typed == text:
        return
    state.form.typed, state.form.problem = text, ""
    again = _trains_as_typed(state) and not state.training.busy
    if again and text and len(text.encode("utf-8", "surrogatepass")) <= RETRAINED_BYTES:
        _train_next(state, text)
    if save_session(state):
        st.rerun()  # with the whole page the browser gets the session's id


def _watch(text: str) -> None:
    """Close the menu and play the first merges of the text, once it is trained on."""
    state = session()
    state.form.typed, state.form.problem = text, ""
    if state.training.busy:
        return
    state.form.chosen += 1
    own = NamedText(YOUR_TEXT, text)
    watch = state.pages.of(WatchState)
    watch.to_play, watch.plays = own, watch.plays + 1
    if state.run is not None and state.run.corpus == own:
        st.rerun()
    _train_next(state, text)


def _train_next(state: Session, text: str) -> None:
    """Have the whole page run, which trains first. It must be asked for: if the player reports its step at
    the same moment, Streamlit would only run the fragments that follow the player."""
    state.form.wanted = NamedText(YOUR_TEXT, text)
    state.problem = ""  # now: the page shows problems before it trains
    st.rerun()


def _known_tokenizers() -> dict[str, Tokenizer]:
    """Return the tokenizers whose files this machine has, by name."""
    known = {}
    for name, pretrained in KNOWN.items():
        try:
            known[name] = load_pretrained(pretrained)
        except BpevizError:  # the Compare page says what is missing
            continue
    return known
