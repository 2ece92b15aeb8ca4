"""What a finding shows of each of its tokens: how it is made, a text that has it, and places in a text.

␣then    (␣the + n)    "the n" … in the text: "… and| then| it …"
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from bpeviz.analysis.vocabulary import occurs_in_utf8
from bpeviz.audit.reach import Reach
from bpeviz.audit.uses import Uses, making_pairs
from bpeviz.cached import cached_property
from bpeviz.core.token_chain import Pair
from bpeviz.text.token_text import isolated, visible
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["Place", "TextPlaces", "TokenDetail", "TokenDetails"]

#: How many characters of a token, of a tree, and around a place are shown.
TOKEN_CHARACTERS, TREE_CHARACTERS, AROUND = 60, 200, 24
#: A tree of more tokens is not written out.
MOST_NODES = 200
MOST_PLACES = 3


@dataclass(frozen=True)
class Place:
    """A token in a text, with what is around it, readable."""

    before: str
    token: str
    after: str


@dataclass(frozen=True)
class TokenDetail:
    """A token to show: its ``token_id``; its ``text``, readable; its ``tree``: how merges make it, empty if
    none does; ``uses`` and ``steps`` in a text, None without one; ``reach``: a short text whose encoding has
    it, or why there is none; ``places`` in the text."""

    token_id: int
    text: str
    tree: str
    uses: int | None
    steps: int | None
    reach: str
    places: tuple[Place, ...]


class TextPlaces:
    """Where the tokens of a text are."""

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        self._bytes = text.encode("utf-8")
        encoded = tokenizer.encode_text(text)
        self._ids = np.array(encoded.ids, np.int64)
        counts = encoded.token_counts(len(tokenizer.merges))
        self._ends = np.repeat(np.arange(len(counts)), counts) + 1

    def of(self, token_id: int, most: int = MOST_PLACES) -> tuple[Place, ...]:
        """Return the first places of a token."""
        found = np.flatnonzero(self._ids == token_id)[:most].tolist()
        return tuple(self._place(number) for number in found if number < len(self._ends))

    def _place(self, number: int) -> Place:
        start = int(self._ends[number - 1]) if number else 0
        end = int(self._ends[number])
        before = self._bytes[max(0, start - 4 * AROUND) : start].decode("utf-8", "ignore")[-AROUND:]
        after = self._bytes[end : end + 4 * AROUND].decode("utf-8", "ignore")[:AROUND]
        return Place(_shown(before.encode()), _shown(self._bytes[start:end]), _shown(after.encode()))


class TokenDetails:
    """Details of the tokens of one tokenizer; with ``uses`` and ``places`` if there is a text."""

    def __init__(
        self, tokenizer: Tokenizer, uses: Uses | None = None, places: TextPlaces | None = None
    ) -> None:
        self._tokenizer = tokenizer
        self._uses = uses
        self._places = places
        self._reach = Reach(tokenizer)

    def of(self, token_ids: Iterable[int]) -> Iterator[TokenDetail]:
        """Yield the details of some tokens."""
        for token_id in token_ids:
            row = self._row_of[token_id]
            yield TokenDetail(
                token_id,
                _shown(self._tokenizer.token_bytes(token_id)),
                self.tree(token_id),
                None if self._uses is None else int(self._uses.final[row]),
                None if self._uses is None else int(self._uses.steps[row]),
                self.reach(token_id),
                self._places.of(token_id) if self._places else (),
            )

    def reach(self, token_id: int) -> str:
        """Return a short text that has a token, in quotation marks, or why there is none."""
        tokenizer = self._tokenizer
        if token_id in tokenizer.special_tokens.values():
            return "a special token"
        if (text := self._reach.text_with(token_id)) is not None:
            return f"“{_shown(text.encode())}”"
        token = tokenizer.token_bytes(token_id)
        if not occurs_in_utf8(token):
            return "no text holds its bytes in UTF-8"
        return "no text found"

    def tree(self, token_id: int) -> str:
        """Return how merges make a token of its base symbols: ``␣ + ((t + h) + e)``."""
        written: list[str] = []
        waiting: list[int | str] = [token_id]
        while waiting:
            node = waiting.pop()
            if isinstance(node, str):
                written.append(node)
            elif (pair := self._pairs.get(node)) is None:
                written.append(_shown(self._tokenizer.token_bytes(node)))
            else:
                left, right = ("(", ")") if written or waiting else ("", "")
                waiting += [right, pair[1], " + ", pair[0], left]
            if len(written) > MOST_NODES:
                return "too many merges to write out"
        return "".join(written) if token_id in self._pairs else ""

    @cached_property
    def _pairs(self) -> Mapping[int, Pair]:
        return making_pairs(self._tokenizer)

    @cached_property
    def _row_of(self) -> dict[int, int]:
        return {token_id: row for row, token_id in enumerate(self._tokenizer.vocabulary)}


def _shown(token: bytes) -> str:
    return isolated(visible(token, TOKEN_CHARACTERS))
