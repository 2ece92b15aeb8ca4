"""The fields of a page as they are saved: a struct of the page's own, with digests in place of its texts.

class EncodeFields(PageFields, forbid_unknown_fields=True):
    text: Text | None = None
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from bpeviz.decoders import converted, json_decoder
from bpeviz.errors import SavedSessionError
from bpeviz.sessions.document import MOST_NAME_CHARACTERS, SavedPage

__all__ = ["PageFields", "Text", "beginning", "read_page", "write_page"]


class PageFields(msgspec.Struct, forbid_unknown_fields=True):
    """What is saved of a page."""

    @property
    def about(self) -> str:
        """What a person knows these texts by: how the first begins, and its name. Empty for none."""
        return ""


Fields = TypeVar("Fields", bound=PageFields)
Struct = TypeVar("Struct", bound=msgspec.Struct)


class Text:
    """A text in a field. The document has its digest, and the store its bytes, once for pages and runs.

    It is not a dataclass: msgspec would write the fields of one, and not ask how.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Text({self.text!r})"


#: Stands for a text that didn't come with its document, because it is too long for this server.
_MISSING = Text("")


def beginning(text: str) -> str:
    """Return how a text begins, in quotation marks, to stand before its name; empty for an empty text."""
    words = " ".join(text[:200].split())[:50]
    return f"“{words}”, " if words else ""


def write_page(fields: PageFields, digest_of: Callable[[str], str]) -> SavedPage:
    """Return what is saved of a page, with the digests of its texts by ``digest_of``.

    Raises SavedSessionError for what read_page would not read again.
    """
    texts: dict[str, str] = {}

    def written(value: object) -> str:
        if not isinstance(value, Text):
            raise NotImplementedError(f"a page can't save a {type(value).__name__}")
        digest = digest_of(value.text)
        texts[digest] = value.text
        return digest

    try:
        raw = msgspec.json.encode(fields, enc_hook=written)
    except (msgspec.MsgspecError, UnicodeError, OverflowError, TypeError) as error:
        raise SavedSessionError(f"it can't be written ({error})") from None
    about = fields.about.encode("utf-8", "replace").decode("utf-8")[:MOST_NAME_CHARACTERS]
    page = SavedPage(msgspec.Raw(raw), tuple(texts), about)
    read_page(page, type(fields), texts)
    return page


def read_page(page: SavedPage, kind: type[Fields], texts: Mapping[str, str]) -> Fields:
    """Return the fields of a page, which anybody may have written.

    A field whose text is not among the ``texts``, by digest, is as in a new session. Raises
    SavedSessionError.
    """

    def read(wanted: type, value: Any) -> Text:
        if wanted is not Text or not isinstance(value, str):
            raise ValueError("a text has a digest")
        return Text(texts[value]) if value in texts else _MISSING

    try:
        fields = converted(json_decoder(object).decode(page.fields), kind, read, str_keys=True)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise SavedSessionError(f"the fields of a page can't be read ({error})") from None
    return _without_missing(fields) or kind()


def _without_missing(fields: Struct) -> Struct | None:
    """Return fields without those whose text is missing; None if they can't be without it."""
    kept = {}
    for field in msgspec.structs.fields(fields):
        value = getattr(fields, field.name)
        if isinstance(value, msgspec.Struct):
            value = _without_missing(value)
        if value is not _MISSING and (value is not None or getattr(fields, field.name) is None):
            kept[field.name] = value
        elif field.required:
            return None
    return type(fields)(**kept)
