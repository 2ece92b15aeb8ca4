"""Tie rules: which of several pairs with the same count a trainer takes.

The first four are those of the recipes. The others are what people write by mistake, such as the greatest
ids where the rule compares bytes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import total_ordering
from types import MappingProxyType
from typing import Any, Protocol

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.core.pair_index import shortest_first
from bpeviz.core.token_chain import Pair
from bpeviz.training.recipes import RECIPES

__all__ = ["TIES", "Places", "Tie"]


class Places(Protocol):
    """What a tie rule may look at: tokens by id, and where and when a pair first occurred."""

    tokens: list[bytes]

    def first_position(self, pair: Pair) -> int: ...
    def born_at(self, pair: Pair) -> tuple[int, int]: ...


@dataclass(frozen=True)
class Tie:
    """A tie rule: ``which`` pair it takes, to follow "the pair"; of several, ``key`` is the smallest for
    it."""

    name: str
    which: str
    key: Callable[[Places, Pair], Any]


@total_ordering
class _Reversed:
    """Sorts in reverse."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Reversed) and self.value == other.value

    def __lt__(self, other: "_Reversed") -> bool:
        return bool(self.value > other.value)

    __hash__ = None  # type: ignore[assignment]


def _halves(at: Places, pair: Pair) -> tuple[bytes, bytes]:
    return at.tokens[pair[0]], at.tokens[pair[1]]


def _in_gpt2_characters(at: Places, pair: Pair) -> tuple[str, ...]:
    return tuple("".join(map(GPT2_BYTE_CHARACTERS.__getitem__, half)) for half in _halves(at, pair))


def _joined(at: Places, pair: Pair) -> bytes:
    return b"".join(_halves(at, pair))


_WHICH = {recipe.tie: recipe.tie_words.which for recipe in RECIPES.values()}

TIES: Mapping[str, Tie] = MappingProxyType(
    {
        tie.name: tie
        for tie in (
            Tie("first-seen", _WHICH["first-seen"], lambda at, pair: at.first_position(pair)),
            Tie("smallest-ids", _WHICH["smallest-ids"], lambda _, pair: pair),
            Tie(
                "greatest-tokens",
                _WHICH["greatest-tokens"],
                lambda at, pair: _Reversed(_halves(at, pair)),
            ),
            Tie(
                "shortest-token",
                _WHICH["shortest-token"],
                lambda at, pair: (shortest_first(_joined(at, pair)), pair),
            ),
            Tie("greatest-ids", "with the greatest ids, left before right", lambda _, pair: _Reversed(pair)),
            Tie("smallest-tokens", "that comes first in the alphabet, left before right", _halves),
            Tie(
                "first-counted",
                "that got into its counts first",
                lambda at, pair: at.born_at(pair),
            ),
            Tie(
                "last-seen",
                "whose first place in the text comes last",
                lambda at, pair: -at.first_position(pair),
            ),
            Tie(
                "last-counted",
                "that got into its counts last",
                lambda at, pair: _Reversed(at.born_at(pair)),
            ),
            Tie(
                "greatest-gpt2-text",
                "that comes last in the alphabet of GPT-2's characters, where Ġ follows all letters",
                lambda at, pair: _Reversed(_in_gpt2_characters(at, pair)),
            ),
            Tie(
                "smallest-gpt2-text",
                "that comes first in the alphabet of GPT-2's characters, where Ġ follows all letters",
                _in_gpt2_characters,
            ),
            Tie(
                "greatest-joined",
                "whose token comes last in the alphabet",
                lambda at, pair: (_Reversed(_joined(at, pair)), pair),
            ),
            Tie(
                "smallest-joined",
                "whose token comes first in the alphabet",
                lambda at, pair: (_joined(at, pair), pair),
            ),
            Tie(
                "longest-token",
                "that makes the longest token, of these the last in the alphabet",
                lambda at, pair: _Reversed((len(_joined(at, pair)), _halves(at, pair))),
            ),
        )
    }
)
