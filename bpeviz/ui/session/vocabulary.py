"""What one visitor chose on the page of a vocabulary."""

from dataclasses import dataclass

__all__ = ["VocabularyState"]


@dataclass
class VocabularyState:
    """The state of the page: ``search``, ``filters`` and ``sort`` as last chosen; ``token``: the one looked
    at, by the key of its tokenizer and its id."""

    search: str = ""
    filters: tuple[str, ...] = ()
    sort: str = "id"
    token: tuple[str, int] | None = None
