"""The fields for the text to compare on: the run's corpus, a typed text, a sample or a file.

Several pages use them, each with its own ``slot``.
"""

from typing import Literal

import msgspec
import streamlit as st

from bpeviz.errors import CorpusError
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import ENGLISH, SAMPLES, read_sample
from bpeviz.sessions.document import Name
from bpeviz.sessions.page_fields import Text, beginning
from bpeviz.sessions.session_file import short_name
from bpeviz.ui.kit.messages import decoded, kept
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.server.long_text import byte_length
from bpeviz.ui.session.session import Session

__all__ = ["TextChoice", "TextFields", "UploadedText", "choose_uploaded", "pick_text", "picked_text"]

TextSource = Literal["Corpus", "Type", "Sample", "Upload"]
TEXT_SOURCES: tuple[TextSource, ...] = ("Corpus", "Type", "Sample", "Upload")
#: Code, digits, German, a rare word and other scripts: tokenizers differ most on these.
FIRST_TEXT = (
    "for lamp in range(128): print(f'{lamp:04d}', 3.14159 * lamp)  # Wetterstationsleiterin, "
    "Überprüfung, floccinaucinihilipilification, café, 灯台, 🚢"
)
_LABELS: dict[TextSource, str] = {
    "Corpus": "The run’s corpus",
    "Type": "Type a text",
    "Upload": "Upload a file",
}
#: A source, and which sample if it is one.
TextChoice = tuple[TextSource, str]


class UploadedText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text and the name of its file."""

    name: Name
    text: Text

    @classmethod
    def of(cls, text: NamedText) -> "UploadedText":
        """Return an uploaded text; a name that is too long is cut."""
        return cls(short_name(text.name), Text(text.text))

    @property
    def named(self) -> NamedText:
        """The text with its name."""
        return NamedText(self.name, self.text.text)


class TextFields(msgspec.Struct, forbid_unknown_fields=True):
    """Where a text comes from, as it is saved."""

    #: None until the person picks one.
    source: TextSource | None = None
    #: The typed text, None until the person changes it.
    typed: Text | None = None
    #: The last sample.
    sample: Name = ENGLISH.title
    #: The last uploaded file.
    uploaded: UploadedText | None = None

    @property
    def about(self) -> str:
        """What the text is: how it begins, and its name; empty if the person gave and picked none."""
        if self.typed and self.typed.text:
            return f"{beginning(self.typed.text)}typed text"
        if self.uploaded:
            return f"{beginning(self.uploaded.text.text)}{self.uploaded.name}"
        return self.sample if self.source == "Sample" else ""

    def __post_init__(self) -> None:
        if self.sample not in SAMPLES:  # of another version
            self.sample = ENGLISH.title


def pick_text(
    state: Session,
    fields: TextFields,
    *,
    slot: str,
    label: str,
    without_run: TextSource = "Type",
    newcomers: TextSource = "Corpus",
) -> TextChoice:
    """Show the list of texts; return the picked one. The first choice is the corpus of the shown run, or
    ``without_run``; with the run that every session opens with, what is for ``newcomers``."""
    sources = _sources(state)
    first = sources[0] if state.run else without_run
    if state.run and state.run.number == state.opened_with:
        first = newcomers
    source = fields.source if fields.source in sources else first
    choices = [choice for each in sources for choice in _choices(each)]
    chosen = choices.index((source, fields.sample if source == "Sample" else ""))
    key = f"{slot}_source-{len(sources)}"
    picked = st.selectbox(label, choices, chosen, key=key, format_func=_label)
    if picked not in choices or picked == choices[chosen]:
        return choices[chosen]
    fields.source = picked[0]
    fields.sample = picked[1] or fields.sample
    return picked


def choose_uploaded(state: Session, fields: TextFields, text: NamedText, *, slot: str) -> None:
    """Choose a dropped file, before the list of texts is drawn. Raises CorpusError if it is too long."""
    _check_length(text.byte_total, limits().max_text_bytes)
    fields.source, fields.uploaded = "Upload", UploadedText.of(text)
    st.session_state[_dropped(slot)] = st.session_state.get(_dropped(slot), 0) + 1
    st.session_state[f"{slot}_source-{len(_sources(state))}"] = ("Upload", "")


def _dropped(slot: str) -> str:
    """Return where the page counts its dropped files: with each, the upload field is a new, empty one."""
    return f"{slot}_dropped_texts"


def _sources(state: Session) -> list[TextSource]:
    return [source for source in TEXT_SOURCES if source != "Corpus" or state.run]


def _choices(source: TextSource) -> list[TextChoice]:
    return [(source, title) for title in SAMPLES] if source == "Sample" else [(source, "")]


def _label(choice: TextChoice) -> str:
    source, sample = choice
    return f"Sample: {sample}" if sample else _LABELS[source]


def picked_text(
    state: Session, fields: TextFields, choice: TextChoice, *, slot: str, most_bytes: int | None = None
) -> NamedText | None:
    """Show the fields of a picked text; return it, or None after showing why there is none.

    ``most_bytes`` is for a page that takes less than the usual limit.
    """
    most_bytes = min(most_bytes or limits().max_text_bytes, limits().max_text_bytes)
    source, sample = choice
    match source:
        case "Corpus":
            text = state.run.corpus if state.run else None
        case "Sample":
            text = NamedText(sample, read_sample(sample))
        case "Upload":
            text = _uploaded(fields, slot, most_bytes)
        case _:
            text = _typed(fields, slot)
    return text if text and _usable(text, most_bytes) else None


def _typed(fields: TextFields, slot: str) -> NamedText:
    shown = FIRST_TEXT if fields.typed is None else fields.typed.text
    text = st.text_area("Your text", shown, key=f"{slot}_typed", height=80)
    if text != shown and (typed := kept(text, None)) is not None:
        fields.typed = Text(typed)
    return NamedText("typed text", text)


def _uploaded(fields: TextFields, slot: str, most_bytes: int) -> NamedText | None:
    file = st.file_uploader(
        "Text file in UTF-8",
        key=f"{slot}_file{st.session_state.get(_dropped(slot), '')}",
        max_upload_size=most_bytes // 1_000_000,
    )
    if file:
        try:
            _check_length(file.size, most_bytes)
            text = NamedText(file.name, decoded(file.getvalue(), file.name))
            fields.uploaded = UploadedText.of(text)
        except CorpusError as error:
            show_error(error)
            return None
    if fields.uploaded is None:
        st.info("Choose a text file. Its comparison appears here.", icon=":material/upload_file:")
        return None
    uploaded = fields.uploaded.named
    st.caption(f"{escape(uploaded.name)}: {uploaded.byte_total:,} bytes")
    return uploaded


def _usable(text: NamedText, most_bytes: int) -> bool:
    if not text.text:
        st.info("Type or paste a text above. Its comparison appears here.", icon=":material/edit:")
        return False
    most = min(limits().max_typed_bytes, most_bytes) if text.name == "typed text" else most_bytes
    otherwise = "Shorten it, or upload it as a file." if most < most_bytes else "Shorten it."
    try:
        _check_length(byte_length(text.text), most, otherwise)
    except CorpusError as error:
        show_error(error)
        return False
    return True


def _check_length(byte_total: int, most: int, otherwise: str = "Shorten it.") -> None:
    """Raise CorpusError if the text has more than ``most`` bytes."""
    if byte_total > most:
        raise CorpusError(
            f"This text has {byte_total:,} bytes, {byte_total - most:,} too many: up to {most:,} can be "
            f"compared. {otherwise}"
        )
