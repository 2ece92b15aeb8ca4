"""Tie rules: which of several pairs with the same count a trainer takes.

The first four are those of the recipes. The others are what people write, such as the greatest ids where the
rule compares bytes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Protocol

from bpeviz.core.pair_index import shortest_first
from bpeviz.formats.byte_level import in_byte_characters
from bpeviz.training.recipes import RECIPES

__all__ = ["TIES", "Pair", "Places", "Tie"]

#: Two characters, one for each token: chr(id).
Pair = str


class Places(Protocol):
    """What a tie rule may look at: the bytes of both tokens, and where a pair first occurs."""

    def first_position(self, pair: Pair) -> tuple[int, int]: ...
    def halves(self, pair: Pair) -> tuple[bytes, bytes]: ...


Key = Callable[[Places, Pair], Any]


@dataclass(frozen=True)
class Tie:
    """A tie rule: ``which`` pair it takes, to follow "the one". It compares by ``keys``, the first one first;
    each takes the smallest, or with True the greatest. Of equals it takes the first in the counts, or the
    last if its first key takes the greatest."""

    name: str
    which: str
    keys: tuple[tuple[Key, bool], ...]

    def sorted(self, at: Places, pairs: Sequence[Pair]) -> list[Pair]:
        """Return pairs in the order in which the rule takes them, given in the order of the counts."""
        ordered = [*(reversed(pairs) if self.keys[0][1] else pairs)]
        if len(ordered) > 1:
            for key, greatest in reversed(self.keys):
                ordered.sort(key=partial(key, at), reverse=greatest)
        return ordered


def _joined(at: Places, pair: Pair) -> bytes:
    return b"".join(at.halves(pair))


#: What pairs can be compared by. Characters sort as the ids that they stand for.
_KEYS: Mapping[str, Key] = {
    "counted": lambda _, __: 0,
    "ids": lambda _, pair: pair,
    "seen": lambda at, pair: at.first_position(pair),
    "tokens": lambda at, pair: at.halves(pair),
    "joined": _joined,
    "length": lambda at, pair: len(_joined(at, pair)),
    "shortest": lambda at, pair: (shortest_first(_joined(at, pair)), pair),
    "negated": lambda at, pair: [[-byte for byte in half] for half in at.halves(pair)],
    "gpt2-text": lambda at, pair: [*map(in_byte_characters, at.halves(pair))],
    "str-ids": lambda _, pair: str((ord(pair[0]), ord(pair[1]))),
    "str-tokens": lambda at, pair: str(at.halves(pair)),
    "right-token": lambda at, pair: at.halves(pair)[::-1],
    "right-id": lambda _, pair: pair[::-1],
}
_WHICH = {recipe.tie: recipe.tie_words.which for recipe in RECIPES.values()}
_NEGATED = "that comes last in the alphabet, but of a token and its beginning the beginning"
#: The name, the key, whether the greatest is taken, and which one that is.
_BY_ONE_KEY: tuple[tuple[str, str, bool, str], ...] = (
    ("first-seen", "seen", False, _WHICH["first-seen"]),
    ("smallest-ids", "ids", False, _WHICH["smallest-ids"]),
    ("greatest-tokens", "tokens", True, _WHICH["greatest-tokens"]),
    ("shortest-token", "shortest", False, _WHICH["shortest-token"]),
    ("greatest-ids", "ids", True, "with the greatest ids, left before right"),
    ("smallest-tokens", "tokens", False, "that comes first in the alphabet, left before right"),
    ("first-counted", "counted", False, "that got into its counts first"),
    ("last-seen", "seen", True, "whose first place in the text comes last"),
    ("last-counted", "counted", True, "that got into its counts last"),
    ("negated-bytes", "negated", False, _NEGATED),
)
_ALPHABETS = {
    "gpt2-text": "in the alphabet of GPT-2's characters, where Ġ follows all letters",
    "str-ids": "if str() writes its ids as a text, where 9 comes after 10",
    "str-tokens": "in the alphabet, if str() writes its tokens",
    "right-token": "in the alphabet, right before left",
    "right-id": "by its ids, right before left",
}
#: What decides among tokens of the same length.
_AFTER_LENGTH = {
    "first-seen": "the first seen",
    "last-seen": "the last seen",
    "smallest-ids": "the one with the smallest ids",
    "greatest-ids": "the one with the greatest ids",
    "greatest-tokens": "the last in the alphabet",
    "smallest-tokens": "the first in the alphabet",
}
_GREATEST_OR_SMALLEST = (("greatest", True, "last"), ("smallest", False, "first"))


def _ties() -> Iterator[Tie]:
    keys = {name: (_KEYS[key], greatest) for name, key, greatest, _ in _BY_ONE_KEY}
    for name, _, _, which in _BY_ONE_KEY:
        yield Tie(name, which, (keys[name],))
    for name, where in _ALPHABETS.items():
        for which, greatest, place in _GREATEST_OR_SMALLEST:
            yield Tie(f"{which}-{name}", f"that comes {place} {where}", ((_KEYS[name], greatest),))
    for which, greatest, place in _GREATEST_OR_SMALLEST:
        by_token, then = (_joined, greatest), keys["smallest-ids"]
        yield Tie(f"{which}-joined", f"whose token comes {place} in the alphabet", (by_token, then))
    for name, words in _AFTER_LENGTH.items():
        for which, greatest, token in (("shortest", False, "token in bytes"), ("longest", True, "token")):
            what = f"that makes the {which} {token}, of these {words}"
            yield Tie(f"{which}-{name}", what, ((_KEYS["length"], greatest), keys[name]))


TIES: Mapping[str, Tie] = MappingProxyType({tie.name: tie for tie in _ties()})
