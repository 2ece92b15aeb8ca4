"""The state of the vocabulary page."""

from dataclasses import dataclass

__all__ = ["VocabularyState"]


@dataclass
class VocabularyState:
    """``search``, ``filters`` and ``sort`` of the table; ``token``: the selected one, by key and id."""

    search: str = ""
    filters: tuple[str, ...] = ()
    sort: str = "merged"
    token: tuple[str, int] | None = None
