"""The form for a new run: the corpus, the recipe and how many merges.

An error, a cancelled training or a visit to another page loses nothing that a person typed.
"""

from dataclasses import replace
from functools import partial
from math import ceil

import streamlit as st

from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_training import OWN_PROCESS_BYTES, check_text_size, run_request, train_run
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.text.errors import CorpusError
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.pages.merges.uploaded_corpus import joined, read_as, take_files
from bpeviz.ui.server.long_text import byte_length
from bpeviz.ui.server.started_with import started_with
from bpeviz.ui.session.corpus_form import MEGABYTES, SOURCES
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.widgets.markdown import escape, show_error
from bpeviz.ui.widgets.pattern_check import pattern_check
from bpeviz.ui.widgets.split_fields import split_fields
from bpeviz.ui.widgets.training_bar import train

__all__ = ["corpus_form", "form_replaces", "settings_fields"]

#: How many names of files the form lists.
MOST_LISTED = 1_000


def corpus_form(state: Session) -> None:
    """Ask for a corpus and settings, train, and show the run."""
    state.form.seen = True
    st.title("Watch byte-pair encoding learn")
    st.markdown(
        "Give it a text. It joins the most frequent pair of tokens, then repeats. You watch each merge, see "
        "why it was chosen, and compare the result with GPT-2."
    )
    sources = [source for source in SOURCES if source != "Files" or started_with()]
    state.form.source = st.segmented_control(
        "Corpus",
        sources,
        default=state.form.source if state.form.source in sources else sources[0],
        key="source",
        required=True,
        format_func=_source_label,
        label_visibility="collapsed",
    )
    corpus = _corpus_fields(state)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.form.settings = settings_fields(state)
    pattern_check(state, corpus.text if corpus else "")
    with st.container(horizontal=True):
        wanted = st.button(
            "Train and watch",
            type="primary",
            icon=":material/play_arrow:",
            disabled=state.training.busy,
            help="Another training is running. Wait for it or cancel it." if state.training.busy else None,
        )
        if state.run is not None:
            st.button("Back to the run", icon=":material/undo:", on_click=state.close_form)
    if wanted:
        if corpus is not None:
            asked = run_request(corpus, state.form.settings)
            train(state, corpus, partial(train_run, asked), state.show, asked=asked)
    else:
        most = limits()
        large = f" Files may have {most.max_corpus_upload_bytes // 2**20} MB: the page shows a part of them."
        st.caption(
            f"Up to {most.max_text_megabytes} MB of text.{'' if most.hosted else large} It stays on the "
            f"machine that runs this page. Texts over {OWN_PROCESS_BYTES / 1_000_000:g} MB train in the "
            "background. "
            "Pasting changes Windows line ends. To keep them, upload the file."
        )


def _source_label(source: str) -> str:
    return {
        "Paste": "Paste a text",
        "Upload": "Upload files",
        "Sample": "Pick a sample",
        "Files": "Files on this machine",
    }[source]


def _corpus_fields(state: Session) -> NamedText | None:
    """Show the fields of the chosen source; return its text, or None after showing an error."""
    match state.form.source:
        case "Paste":
            return _paste(state)
        case "Upload":
            return _upload(state)
        case "Sample":
            return _sample(state)
        case "Files":
            return _files(state)


def _paste(state: Session) -> NamedText | None:
    """Show a field for a text. The session doesn't keep a text that is too long; the field still shows it."""
    typed = st.text_area(
        "Text to train on",
        state.form.pasted,
        key="pasted",
        on_change=_note_pasted,
        height=240,
        placeholder="Paste a text in any language: a page, a source file, a log. "
        "The more it repeats itself, the more there is to see.",
    )
    try:
        check_text_size(byte_length(typed))
    except CorpusError as error:
        show_error(error)
        return None
    state.form.pasted = typed
    return NamedText("pasted text", typed)


def _note_pasted() -> None:
    """Keep the text even if the same click takes the field off the page."""
    typed = st.session_state["pasted"]
    if byte_length(typed) <= limits().max_text_bytes:
        session().form.pasted = typed


def _upload(state: Session) -> NamedText | None:
    files = st.file_uploader(
        "Text files, in UTF-8",
        accept_multiple_files=True,
        key=f"files-{state.form.uploads}" if state.form.uploads else "files",
        on_change=_forget_upload,
        max_upload_size=ceil(limits().max_corpus_upload_bytes / 2**20),
    )
    replaces = _replaces()
    if files:
        try:
            take_files(state, files, replaces=replaces)
        except CorpusError as error:
            state.form.uploaded = None
            show_error(error)
            return None
        if state.form.large is not None:
            st.rerun()  # the field is empty then
    if state.form.large is not None:
        corpus = state.form.corpus_of(read_as(state.form.large.files, replaces), state.form.large)
        st.caption(f"{escape(corpus.trained_name)}: {corpus.trained_bytes:,} bytes, stored until you leave")
        return corpus
    if state.form.uploaded is None:
        return NamedText("uploaded files", "")
    st.caption(f"{escape(state.form.uploaded.name)}: {state.form.uploaded.byte_total:,} bytes")
    return state.form.uploaded


def _forget_upload() -> None:
    """Drop the uploaded text, because the files in the field have changed."""
    session().form.forget_upload()


def _replaces() -> bool:
    return st.checkbox(
        "Replace invalid bytes", key="replaces", help="Each sequence that is not UTF-8 becomes U+FFFD."
    )


def form_replaces(state: Session) -> bool:
    """Whether the form on the page asks for files, and the person wants their invalid bytes replaced."""
    return state.form.source in ("Upload", "Files") and bool(st.session_state.get("replaces"))


def _files(state: Session) -> NamedText | None:
    """Show the files that the app was started with; they are read when the person trains."""
    files = started_with()
    if files is None:
        return None
    listed = [f"{file.name}, {file.byte_total:,} bytes" for file in files.files[:MOST_LISTED]]
    more = len(files.files) - len(listed)
    with st.container(height=180):
        st.text("\n".join(listed) + (f"\n… and {more:,} more" if more else ""))
    st.caption(f"{len(files.files):,} files, {files.byte_total:,} bytes in all")
    files = read_as(files, _replaces())
    if files.byte_total > limits().max_text_bytes:
        return state.form.corpus_of(files)
    try:
        texts = [(listed.name, file.read()) for listed, file in zip(files.files, files.opened(), strict=True)]
        return joined(texts, files.errors == "replace")
    except CorpusError as error:
        show_error(error)
        return None


def _sample(state: Session) -> NamedText:
    state.form.sample = st.pills(
        "Sample",
        list(SAMPLES),
        default=state.form.sample,
        key="sample",
        required=True,
        label_visibility="collapsed",
    )
    sample = SAMPLES[state.form.sample]
    st.caption(sample.shows)
    if sample is STANDARD_LIBRARY:
        sizes = [size for size in MEGABYTES if size <= limits().max_text_megabytes]
        state.form.library_megabytes = st.select_slider(
            "Size of the sample (MB)",
            sizes,
            min(state.form.library_megabytes, sizes[-1]),
            key="library_megabytes",
            width=320,
        )
    text = read_sample(state.form.sample, state.form.library_megabytes * 1_000_000)
    with st.container(height=180):
        st.text(text[:1500] + ("\n…" if len(text) > 1500 else ""))
    return NamedText(sample.title, text)


def settings_fields(state: Session) -> TrainingSettings:
    """Show the training settings as fields; return the values in them."""
    settings = state.form.settings
    recipes = list(RECIPES)
    recipe = st.selectbox(
        "Recipe",
        recipes,
        recipes.index(settings.recipe_name),
        key=f"recipe-{state.form.renewals}",
        width=250,
        help="The trainer to imitate: base vocabulary, ties, when to stop. The merges are the same as "
        "that trainer's.",
    )
    split, pattern = split_fields(state, recipe)
    num_merges = st.number_input(
        "Merges",
        1,
        limits().max_merges,
        min(settings.num_merges, limits().max_merges),
        step=100,
        key=f"num_merges-{state.form.renewals}",
        width=140,
    )
    min_frequency = st.number_input(
        "Minimum frequency",
        1,
        1_000_000,
        settings.min_frequency,
        step=1,
        key=f"min_frequency-{state.form.renewals}",
        width=160,
        help="Training stops when the most frequent pair occurs fewer times. A pair that occurs once says "
        "little about the language. Most libraries merge it anyway.",
    )
    return replace(
        settings,
        recipe=recipe,
        split=split,
        custom_pattern=pattern,
        num_merges=num_merges,
        min_frequency=min_frequency,
    )
