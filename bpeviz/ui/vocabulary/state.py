"""The state of the page "Vocabulary". Nothing of it is saved."""

from dataclasses import dataclass, field
from typing import ClassVar

from bpeviz.sessions.page_fields import PageFields

__all__ = ["VocabularyState"]


@dataclass
class VocabularyState:
    """The state of the page."""

    address: ClassVar[str] = "vocabulary"

    saved: PageFields = field(default_factory=PageFields)
    #: What the table shows, and in which order.
    search: str = ""
    filters: tuple[str, ...] = ()
    sort: str = "merged"
    #: The selected token, by the tokenizer's key and its id.
    token: tuple[str, int] | None = None
