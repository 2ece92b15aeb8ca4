"""Token ids as a person types or pastes them: ``[15496, 995]``, ``15496 995``, one per line.

Words that are not an id of the tokenizer are listed, never silently left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bpeviz.errors import TokenizerError
from bpeviz.text.token_text import shorten
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["IdList", "id_words", "read_ids"]

MOST_NAMED = 8
MOST_DIGITS = 18
LONGEST_WORD = 24
_BETWEEN = re.compile(r"[\s,;\[\](){}]+")


@dataclass(frozen=True)
class IdList:
    """The ``ids`` of a list, the ``words`` in it that are not ids, and the ``unknown`` ids that no token
    has."""

    ids: tuple[int, ...]
    words: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def fault(self) -> str | None:
        """What is wrong with it, in sentences; None if nothing is."""
        sentences = []
        if self.words:
            are = "is not a whole number" if len(self.words) == 1 else "are not whole numbers"
            sentences.append(f"{_named(self.words)} {are}.")
        if self.unknown:
            are = "is not an id" if len(self.unknown) == 1 else "are not ids"
            sentences.append(f"{_named(self.unknown)} {are} of this tokenizer.")
        return " ".join(sentences) or None


def id_words(written: str) -> Iterator[str]:
    """Return the words between spaces, commas, semicolons, brackets or line ends."""
    return filter(None, _BETWEEN.split(written))


def read_ids(written: str, tokenizer: Tokenizer) -> IdList:
    """Read the words that are ids of the tokenizer, and note those that are not."""
    ids: list[int] = []
    words: list[str] = []
    unknown: list[str] = []
    for word in id_words(written):
        if not re.fullmatch(r"[+-]?[0-9]+", word):
            words.append(word)
        elif len(word) > MOST_DIGITS or not _is_id(int(word), tokenizer):
            unknown.append(word)
        else:
            ids.append(int(word))
    return IdList(tuple(ids), tuple(words), tuple(unknown))


def _is_id(number: int, tokenizer: Tokenizer) -> bool:
    try:
        tokenizer.token_bytes(number)
    except TokenizerError:
        return False
    return True


def _named(words: Sequence[str]) -> str:
    """Return the words, each once, in quotation marks; the first few if there are many."""
    distinct = list(dict.fromkeys(words))
    named = ", ".join(f"“{shorten(word, LONGEST_WORD)}”" for word in distinct[:MOST_NAMED])
    more = len(distinct) - MOST_NAMED
    return f"{named} and {more:,} more" if more > 0 else named
