"""The fields for the text of a page that compares on one: Compare and Recipes have them."""

from typing import Literal

import msgspec

from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import ENGLISH, SAMPLES
from bpeviz.sessions.document import Name
from bpeviz.sessions.page_fields import Text, beginning
from bpeviz.sessions.session_file import short_name

__all__ = ["TEXT_SOURCES", "TextFields", "TextSource", "UploadedText"]

TextSource = Literal["Corpus", "Type", "Sample", "Upload"]
TEXT_SOURCES: tuple[TextSource, ...] = ("Corpus", "Type", "Sample", "Upload")


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
