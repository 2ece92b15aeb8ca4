"""The form for a new run: the corpus, the recipe and how many merges.

An error, a cancelled training or a visit to another page loses nothing that a person typed.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

import streamlit as st

from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.limits import limits
from bpeviz.runs.run import OWN_PROCESS_BYTES, NamedText, check_text_size, run_request, train_run
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.text.errors import CorpusError
from bpeviz.text.split_patterns import MAX_PATTERN_LENGTH, SPLIT_PATTERNS
from bpeviz.text.utf8 import decode_utf8
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import CUSTOM_SPLIT, RECIPE_SPLIT, TrainingSettings
from bpeviz.ui.server.long_text import byte_length
from bpeviz.ui.server.started_with import started_with
from bpeviz.ui.server.upload_guard import drop_uploads
from bpeviz.ui.session.corpus_form import SOURCES
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.uploaded_files import UploadedFiles
from bpeviz.ui.widgets.markdown import escape, show_error
from bpeviz.ui.widgets.training_bar import train
from bpeviz.ui.widgets.typed import TooLongError, check_length

if TYPE_CHECKING:
    from bpeviz.ui.server.streamlit_internals import UploadedFile

__all__ = ["corpus_form", "settings_fields"]

#: How many names of files the form lists.
MOST_LISTED = 1_000


def corpus_form(state: Session) -> None:
    """Ask for a corpus and settings, train, and show the run."""
    st.title("Watch byte-pair encoding learn")
    st.markdown(
        "Give it a text. It finds the two neighbouring tokens that occur together most often, makes them "
        "one, and does so again. You watch each merge, see why it was chosen, and compare the result with "
        "GPT-2."
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
    with st.container(horizontal=True):
        wanted = st.button(
            "Train and watch",
            type="primary",
            icon=":material/play_arrow:",
            disabled=state.training.busy,
            help="Another training goes on; cancel it or wait for it." if state.training.busy else None,
        )
        if state.run is not None:
            st.button("Back to the run", icon=":material/undo:", on_click=state.close_form)
    if wanted:
        if corpus is not None:
            asked = run_request(corpus, state.form.settings)
            train(state, corpus, partial(train_run, asked), state.show, asked=asked)
    elif state.run is None:
        most = limits()
        large = f" Files may have {most.max_corpus_upload_bytes // 2**20} MB: the page shows a part of them."
        st.caption(
            f"Up to {most.max_text_megabytes} MB of text.{'' if most.hosted else large} It stays on the "
            f"machine that runs this page. Texts over {OWN_PROCESS_BYTES / 1_000_000:g} MB train in the "
            "background. "
            "A paste loses the carriage returns of Windows line ends; an uploaded file keeps them."
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
        "Text to learn from",
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
            if _is_large(sum(file.size for file in files)):
                _store(state, files)
                st.rerun()
            texts = [(file.name, file.getvalue()) for file in files]
            state.form.uploaded = _joined(texts, replaces)
        except CorpusError as error:
            state.form.uploaded = None
            show_error(error)
            return None
    if state.form.large is not None:
        corpus = state.form.corpus_of(_read_as(state.form.large.files, replaces), state.form.large)
        st.caption(f"{escape(corpus.trained_name)}: {corpus.trained_bytes:,} bytes, stored until you leave")
        return corpus
    if state.form.uploaded is None:
        return NamedText("uploaded files", "")
    st.caption(f"{escape(state.form.uploaded.name)}: {state.form.uploaded.byte_total:,} bytes")
    return state.form.uploaded


def _forget_upload() -> None:
    """Drop the uploaded text, because the files in the field have changed."""
    form = session().form
    form.uploaded = form.large = None
    form.corpora.clear()


def _replaces() -> bool:
    return st.checkbox(
        "Replace invalid bytes", key="replaces", help="Each sequence that is not UTF-8 becomes U+FFFD."
    )


def _read_as(files: CorpusFiles, replaces: bool) -> CorpusFiles:
    return replace(files, errors="replace" if replaces else "strict")


def _is_large(byte_total: int) -> bool:
    """Whether files are too large to show whole. Raises CorpusError if they are too large to upload."""
    most = limits()
    if most.max_corpus_upload_bytes <= most.max_text_bytes:
        check_text_size(byte_total)
    if byte_total > most.max_corpus_upload_bytes:
        raise CorpusError(
            f"These files have {byte_total:,} bytes; the page takes up to "
            f"{most.max_corpus_upload_bytes // 2**20} MB at once. Start it with the files instead: "
            "bpeviz app FILE …"
        )
    return byte_total > most.max_text_bytes


def _store(state: Session, files: "Sequence[UploadedFile]") -> None:
    """Write uploaded files to the disk, drop them from memory, and empty the field. Raises CorpusError."""
    state.form.large = UploadedFiles((file.name, file.getbuffer()) for file in files)
    state.form.uploaded = None
    state.form.uploads += 1
    drop_uploads(files)


def _joined(files: "Sequence[tuple[str, bytes]]", replaces: bool) -> NamedText:
    """Join files, each a name and its bytes, to one text; each but the last ends with a newline."""
    texts = [decode_utf8(data, name, "replace" if replaces else "strict") for name, data in files]
    text = "".join(t if t.endswith("\n") or i == len(texts) - 1 else t + "\n" for i, t in enumerate(texts))
    return NamedText(files[0][0] if len(files) == 1 else f"{len(files)} files", text)


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
    files = _read_as(files, _replaces())
    if files.byte_total > limits().max_text_bytes:
        return state.form.corpus_of(files)
    try:
        texts = [(listed.name, file.read()) for listed, file in zip(files.files, files.opened(), strict=True)]
        return _joined(texts, files.errors == "replace")
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
        sizes = [size for size in (1, 2, 4, 8) if size <= limits().max_text_megabytes]
        state.form.library_megabytes = st.select_slider(
            "Megabytes of it",
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
        help="Whose rules to follow: base vocabulary, ties, when to stop. Each gives the merges of the "
        "trainer it is named after.",
    )
    split, pattern = _split_fields(state, recipe)
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
        "Fewest occurrences",
        1,
        1_000_000,
        settings.min_frequency,
        step=1,
        key=f"min_frequency-{state.form.renewals}",
        width=160,
        help="Training stops when the most frequent pair occurs fewer times. A pair seen once tells nothing "
        "of the language; most libraries would merge it all the same.",
    )
    return replace(
        settings,
        recipe=recipe,
        split=split,
        custom_pattern=pattern,
        num_merges=num_merges,
        min_frequency=min_frequency,
    )


def _split_fields(state: Session, recipe: str) -> tuple[str, str]:
    splits = [RECIPE_SPLIT, *SPLIT_PATTERNS, CUSTOM_SPLIT]
    split = st.selectbox(
        "Split pattern",
        splits,
        splits.index(state.form.settings.split),
        key=f"split-{state.form.renewals}",
        width=210,
        format_func=lambda s: f"{s} ({RECIPES[recipe].split})" if s == RECIPE_SPLIT else s,
        help="The regular expression that cuts the text into pre-tokens, which no merge crosses.",
    )
    pattern = state.form.settings.custom_pattern
    if split == CUSTOM_SPLIT:
        pattern = st.text_input(
            "Custom pattern",
            pattern,
            key=f"custom_pattern-{state.form.renewals}",
            placeholder=r"\p{L}+|\p{N}|[^\p{L}\p{N}]",
            width=260,
        )
        try:
            check_length("The custom pattern", pattern, MAX_PATTERN_LENGTH)
        except TooLongError as error:
            show_error(error)
            return split, ""
    return split, pattern
