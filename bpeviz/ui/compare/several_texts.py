"""The texts on which the page's tokenizers are measured: its own, all samples, files, or the same in 36
languages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.limits import limits
from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.ui.compare.state import SEVERAL_SOURCES, CompareState
from bpeviz.ui.kit.messages import decoded
from bpeviz.ui.kit.words import show_error
from bpeviz.ui.session.session import session

if TYPE_CHECKING:
    from bpeviz.ui.server.streamlit_internals import UploadedFile

__all__ = ["Part", "parts_to_measure"]

MOST_FILES = 50


@dataclass(frozen=True)
class Part:
    """Texts that are measured together: a row of the table, by ``name``."""

    name: str
    texts: tuple[str, ...]

    @property
    def character_total(self) -> int:
        return sum(map(len, self.texts))

    @property
    def byte_total(self) -> int:
        return sum(len(text.encode("utf-8")) for text in self.texts)


def parts_to_measure(text: NamedText) -> Sequence[Part]:
    """Show the fields that choose texts, at first the page's own; return the texts."""
    fields = session().pages.of(CompareState).saved.several
    fields.source = st.segmented_control(
        "Which texts?",
        SEVERAL_SOURCES,
        default=fields.source,
        key="several_source",
        format_func=lambda source: f"{len(LANGUAGES)} languages" if source == "Parallel sample" else source,
        required=True,
    )
    match fields.source:
        case "This text":
            return [_alone(text)]
        case "All samples":
            return _samples()
        case "Your files":
            return [_alone(each) for each in _uploads()]
        case "Parallel sample":
            scripts = len({language.script for language in LANGUAGES.values()})
            st.caption(f"The same 12 sentences in {len(LANGUAGES)} languages and {scripts} scripts.")
            return [Part(language.name, parallel_sentences(code)) for code, language in LANGUAGES.items()]


def _alone(text: NamedText) -> Part:
    return Part(text.name, (text.text,))


def _samples() -> list[Part]:
    compare = session().pages.of(CompareState)
    compare.with_library = st.toggle(
        "Add 1 MB of Python’s standard library", compare.with_library, key="several_library"
    )
    return [
        Part(sample.title, (read_sample(sample.title),))
        for sample in SAMPLES.values()
        if sample is not STANDARD_LIBRARY or compare.with_library
    ]


def _uploads() -> list[NamedText]:
    """Show the upload field; return the texts of readable files, show why others aren't."""
    compare = session().pages.of(CompareState)
    st.file_uploader(
        f"Text files in UTF-8: up to {MOST_FILES}, {limits().max_text_megabytes} MB together",
        accept_multiple_files=True,
        key="several_files",
        max_upload_size=max(1, limits().max_text_megabytes),
        on_change=_take_files,
    )
    for why in compare.refused_texts:
        show_error(why)
    if not compare.uploaded_texts:
        st.info(
            "Choose text files, such as one for each language. Each gets a row.",
            icon=":material/upload_file:",
        )
    return compare.uploaded_texts


def _take_files() -> None:
    """Keep the files' texts: the field forgets its files when the person leaves the page."""
    compare = session().pages.of(CompareState)
    compare.uploaded_texts, compare.refused_texts = _read(st.session_state["several_files"])


def _read(files: "Iterable[UploadedFile]") -> tuple[list[NamedText], list[str]]:
    """Return the texts of the files that can be read, and the reason for each of the others."""
    texts: list[NamedText] = []
    refused: list[str] = []
    size = 0
    for file in files:
        if len(texts) == MOST_FILES or size + file.size > limits().max_text_bytes:
            refused.append(
                f"{file.name} wasn't added. Up to {MOST_FILES} files and "
                f"{limits().max_text_megabytes} MB fit. Remove another file, or compare "
                "this one alone."
            )
            continue
        try:
            texts.append(NamedText(file.name, decoded(file.getvalue(), file.name, "strict")))
        except BpevizError as error:
            refused.append(str(error))
        else:
            size += file.size
    return texts, refused
