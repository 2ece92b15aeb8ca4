"""The states of the pages. Each page has a class for its own, in its ``state.py``; nothing else knows it.

@dataclass
class EncodeState:
    address: ClassVar = "encode"
    saved: Saved = field(default_factory=Saved)  # a msgspec.Struct: what is saved
    word: int = -1  # what is not
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Protocol, TypeVar, cast

from bpeviz.errors import SavedSessionError
from bpeviz.sessions.document import SavedPage
from bpeviz.sessions.page_fields import PageFields, read_page, write_page

__all__ = ["PageState", "Pages"]

Fields = TypeVar("Fields", bound=PageFields)


class PageState(Protocol[Fields]):
    """The state of a page. ``saved`` is the part that is saved, under the page's ``address``."""

    address: ClassVar[str]
    saved: Fields


State = TypeVar("State", bound="PageState[Any]")


class Pages:
    """The state of each page of a session. That of a saved session is read when its page asks for it.

    ``saved``: what was saved of each page, by its address; ``texts``: those in its fields, by digest.
    """

    def __init__(
        self, saved: Mapping[str, SavedPage] | None = None, texts: Mapping[str, str] | None = None
    ) -> None:
        self._saved = dict(saved or {})
        self._texts = dict(texts or {})  # without those that are too long for this server
        self._read: dict[str, PageState[Any]] = {}

    def of(self, kind: type[State]) -> State:
        """Return the state of a page by its type. What can't be read is as in a new session."""
        if kind.address not in self._read:
            state = kind()
            if page := self._saved.get(kind.address):
                with suppress(SavedSessionError):
                    state.saved = read_page(page, type(state.saved), self._texts)
            self._read[kind.address] = state
        return cast(State, self._read[kind.address])

    def write(self, digest_of: Callable[[str], str]) -> dict[str, SavedPage]:
        """Return what is saved of each page, by address. A page that is as in a new session is left out."""
        written = {}
        for address, state in self._read.items():
            if state.saved != type(state.saved)():
                written[address] = write_page(state.saved, digest_of)
        for address, page in self._saved.items():
            if address not in self._read:
                there = tuple(digest for digest in page.texts if digest in self._texts)
                for digest in there:
                    digest_of(self._texts[digest])
                written[address] = SavedPage(page.fields, there, page.about)
        return dict(sorted(written.items()))
