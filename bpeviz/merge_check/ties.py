"""Tie rules: which of several pairs with the same count a trainer takes.

The first four are those of the recipes. The others are what people write, such as the greatest ids where the
rule compares bytes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import total_ordering
from types import MappingProxyType
from typing import Any, Protocol

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.core.pair_index import shortest_first
from bpeviz.training.recipes import RECIPES

__all__ = ["NOWHERE", "TIES", "Pair", "Places", "Tie"]

#: Two characters, one for each token: chr(id).
Pair = str

#: The first position of a pair that occurs nowhere: after all others.
NOWHERE = (2**40, 0)


class Places(Protocol):
    """What a tie rule may look at: the bytes of both tokens, and where a pair first occurs."""

    def first_position(self, pair: Pair) -> tuple[int, int]: ...
    def halves(self, pair: Pair) -> tuple[bytes, bytes]: ...


Key = Callable[[Places, Pair], Any]


@dataclass(frozen=True)
class Tie:
    """A tie rule: ``which`` pair it takes, to follow "the one". It is the one with the smallest ``key``, or
    the ``greatest``; of several, the first in the counts, or the last with ``greatest``."""

    name: str
    which: str
    key: Key
    greatest: bool = False

    def sorted(self, at: Places, pairs: Sequence[Pair]) -> list[Pair]:
        """Return pairs in the order in which the rule takes them, given in the order of the counts."""
        given = pairs[::-1] if self.greatest else pairs
        return sorted(given, key=lambda pair: self.key(at, pair), reverse=self.greatest)

    def first_of(self, at: Places, pairs: Sequence[Pair]) -> Pair:
        """Return the pair that the rule takes."""
        if len(pairs) == 1:
            return pairs[0]
        if self.greatest:
            return max(reversed(pairs), key=lambda pair: self.key(at, pair))
        return min(pairs, key=lambda pair: self.key(at, pair))


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


def _ids(_: Places, pair: Pair) -> Pair:
    return pair  # characters sort as the ids that they stand for


def _position(at: Places, pair: Pair) -> tuple[int, int]:
    return at.first_position(pair)


def _halves(at: Places, pair: Pair) -> tuple[bytes, bytes]:
    return at.halves(pair)


def _negated(at: Places, pair: Pair) -> list[list[int]]:
    return [[-byte for byte in half] for half in _halves(at, pair)]


def _in_gpt2_characters(at: Places, pair: Pair) -> tuple[str, ...]:
    return tuple("".join(map(GPT2_BYTE_CHARACTERS.__getitem__, half)) for half in _halves(at, pair))


def _joined(at: Places, pair: Pair) -> bytes:
    return b"".join(_halves(at, pair))


def _length(at: Places, pair: Pair) -> int:
    return len(_joined(at, pair))


def _then(first: Key, second: Key, *, reverse: bool = False) -> Key:
    """Return the key that compares by ``first``, reversed if asked, and then by ``second``."""
    if reverse:
        return lambda at, pair: (_Reversed(first(at, pair)), second(at, pair))
    return lambda at, pair: (first(at, pair), second(at, pair))


_WHICH = {recipe.tie: recipe.tie_words.which for recipe in RECIPES.values()}
_ALPHABETS: Sequence[tuple[str, Key, str]] = (
    ("gpt2-text", _in_gpt2_characters, "in the alphabet of GPT-2's characters, where Ġ follows all letters"),
    (
        "str-ids",
        lambda _, pair: str((ord(pair[0]), ord(pair[1]))),
        "if str() writes its ids as a text, where 9 comes after 10",
    ),
    ("str-tokens", lambda at, pair: str(_halves(at, pair)), "in the alphabet, if str() writes its tokens"),
    ("right-token", lambda at, pair: _halves(at, pair)[::-1], "in the alphabet, right before left"),
    ("right-id", lambda _, pair: pair[::-1], "by its ids, right before left"),
)


def _other_ties() -> list[Tie]:
    """Return the tie rules that no recipe has."""
    ties = [
        Tie("greatest-ids", "with the greatest ids, left before right", _ids, greatest=True),
        Tie("smallest-tokens", "that comes first in the alphabet, left before right", _halves),
        Tie("first-counted", "that got into its counts first", lambda _, __: 0),
        Tie("last-seen", "whose first place in the text comes last", _position, greatest=True),
        Tie("last-counted", "that got into its counts last", lambda _, __: 0, greatest=True),
        Tie(
            "negated-bytes",
            "that comes last in the alphabet, but of a token and its beginning the beginning",
            _negated,
        ),
    ]
    for name, key, where in _ALPHABETS:
        ties.append(Tie(f"greatest-{name}", f"that comes last {where}", key, greatest=True))
        ties.append(Tie(f"smallest-{name}", f"that comes first {where}", key))
    ties += [
        Tie("greatest-joined", "whose token comes last in the alphabet", _then(_joined, _ids, reverse=True)),
        Tie("smallest-joined", "whose token comes first in the alphabet", _then(_joined, _ids)),
    ]
    for name, key, words in (
        ("first-seen", _position, "the first seen"),
        ("last-seen", lambda at, pair: _Reversed(_position(at, pair)), "the last seen"),
        ("smallest-ids", _ids, "the one with the smallest ids"),
        ("greatest-ids", lambda _, pair: _Reversed(pair), "the one with the greatest ids"),
        ("greatest-tokens", lambda at, pair: _Reversed(_halves(at, pair)), "the last in the alphabet"),
        ("smallest-tokens", _halves, "the first in the alphabet"),
    ):
        shortest = f"that makes the shortest token in bytes, of these {words}"
        ties.append(Tie(f"shortest-{name}", shortest, _then(_length, key)))
        longest = f"that makes the longest token, of these {words}"
        ties.append(Tie(f"longest-{name}", longest, _then(_length, key, reverse=True)))
    return ties


TIES: Mapping[str, Tie] = MappingProxyType(
    {
        tie.name: tie
        for tie in (
            Tie("first-seen", _WHICH["first-seen"], _position),
            Tie("smallest-ids", _WHICH["smallest-ids"], _ids),
            Tie("greatest-tokens", _WHICH["greatest-tokens"], _halves, greatest=True),
            Tie(
                "shortest-token",
                _WHICH["shortest-token"],
                lambda at, pair: (shortest_first(_joined(at, pair)), pair),
            ),
            *_other_ties(),
        )
    }
)
