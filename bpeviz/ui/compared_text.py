"""The text on which two tokenizers are compared: the run's corpus, one typed, a sample, or a file."""

import streamlit as st

from bpeviz.corpus import decode_utf8
from bpeviz.errors import CorpusError, FileEncodingError
from bpeviz.ui.compare_fields import TEXT_SOURCES
from bpeviz.ui.markdown import escape, show_error
from bpeviz.ui.run import MAX_TEXT_BYTES, NamedText
from bpeviz.ui.samples import SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.ui.state import Session, session

__all__ = ["compared_text"]

FIRST_TEXT = "This is some text, and the lighthouse keeper's words: weather, weathering, café, 灯台, 🚢."
MAX_TYPED_BYTES = 1_000_000
_LABELS = {
    "Corpus": "The run’s corpus",
    "Type": "Type a text",
    "Sample": "Pick a sample",
    "Upload": "Upload a file",
}


def compared_text(state: Session) -> NamedText | None:
    """The fields of the chosen source; None where there is no text to compare on, which is then said."""
    fields = state.compare
    sources = [source for source in TEXT_SOURCES if source != "Corpus" or state.run]
    source = fields.source if fields.source in sources else sources[0]
    fields.source = st.segmented_control(
        "Text to compare on",
        sources,
        default=source,
        key=f"compare_source-{len(sources)}",
        required=True,
        format_func=_LABELS.__getitem__,
    )
    match fields.source:
        case "Corpus":
            text = state.run.corpus if state.run else None
        case "Type":
            text = _typed(state)
        case "Sample":
            text = _sample(state)
        case "Upload":
            text = _uploaded(state)
    return text if text and _usable(text) else None


def _typed(state: Session) -> NamedText:
    shown = FIRST_TEXT if state.compare.typed is None else state.compare.typed
    typed = st.text_area("Text", shown, key="compare_typed", height=110, on_change=_note_typed)
    return NamedText("typed text", typed)


def _note_typed() -> None:
    session().compare.typed = st.session_state["compare_typed"]


def _sample(state: Session) -> NamedText:
    state.compare.sample = st.pills(
        "Sample",
        list(SAMPLES),
        default=state.compare.sample,
        key="compare_sample",
        required=True,
        label_visibility="collapsed",
    )
    sample = SAMPLES[state.compare.sample]
    st.caption(f"{sample.shows}{' The first megabyte.' if sample is STANDARD_LIBRARY else ''}")
    return NamedText(sample.title, read_sample(sample.title))


def _uploaded(state: Session) -> NamedText | None:
    file = st.file_uploader("A text file, in UTF-8", key="compare_file")
    if file:
        try:
            state.compare.uploaded = NamedText(file.name, decode_utf8(file.getvalue(), file.name))
        except FileEncodingError as error:
            show_error(error)
            return None
    if (uploaded := state.compare.uploaded) is None:
        st.info("Choose a file: both tokenizations of it appear here.", icon=":material/upload_file:")
        return None
    st.caption(f"{escape(uploaded.name)}: {uploaded.byte_total:,} bytes")
    return uploaded


def _usable(text: NamedText) -> bool:
    if not text.text:
        st.info("Type or paste a text above: both tokenizations appear here.", icon=":material/edit:")
        return False
    most = MAX_TYPED_BYTES if text.name == "typed text" else MAX_TEXT_BYTES
    if text.byte_total > most:
        show_error(
            CorpusError(
                f"This text has {text.byte_total:,} bytes; up to {most:,} can be compared. "
                + ("Shorten it, or upload it as a file." if most < MAX_TEXT_BYTES else "Shorten it.")
            )
        )
        return False
    return True
