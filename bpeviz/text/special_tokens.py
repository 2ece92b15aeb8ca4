"""Finds special tokens in a text: from left to right, the longest that begins at each place.

    {"<|end|>", "<|endoftext|>"}    "a<|endoftext|>b"  ->  "a", "<|endoftext|>", "b"

A library may search twice: for some tokens first, and for the others between these.

The tokens are sorted. At a place where one may begin, the finder looks up the last token that does not come
after the text there in the alphabet. The longest token that begins there is this one, or one that this one
begins with. The time grows with the text times the longest token, but only with the logarithm of the number
of tokens.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from bpeviz.errors import TrainingSettingsError
from bpeviz.words import in_short

__all__ = ["MOST_IN_TURN", "UNKNOWN", "SpecialTokenFinder", "SpecialTokenPlace", "listed_special_tokens"]

#: SentencePiece's token for characters that its vocabulary lacks.
UNKNOWN = "<unk>"

#: Where the ids of special tokens are: before the base vocabulary, after it, or after the merges.
SpecialTokenPlace = Literal["first", "after-base", "last"]


def listed_special_tokens(special_tokens: Iterable[str]) -> tuple[str, ...]:
    """Return special tokens that a caller gives in a list, or in anything that can be read once.

    Raises TrainingSettingsError for a plain text, whose letters would each be a token, and for anything else
    that is no list of texts.
    """
    if isinstance(special_tokens, str | bytes):
        raise TrainingSettingsError(f"special_tokens takes a list: [{special_tokens!r}].")
    try:
        tokens = tuple(special_tokens)
    except TypeError:
        raise TrainingSettingsError(
            f"special_tokens takes a list of texts, not {type(special_tokens).__name__}. Write ['<s>', …]."
        ) from None
    if other := next((token for token in tokens if not isinstance(token, str)), None):
        raise TrainingSettingsError(
            f"special_tokens takes a list of texts; one of them is {in_short(repr(other))}."
        )
    return tokens


class SpecialTokenFinder:
    """Cuts texts at the given special tokens; those of ``last`` are searched for between the others.

    Tokens in ``as_text`` are found too, but stay text: no other token of the same search begins inside one.
    ``tokenizers`` does so if it encodes special tokens as text.

        SpecialTokenFinder(["<|"], as_text=["<|end|>"])     "<|end|><|"  ->  "<|end|>", "<|"
    """

    def __init__(
        self, tokens: Collection[str], *, last: Collection[str] = (), as_text: Collection[str] = ()
    ) -> None:
        later = frozenset(last)
        first, second = frozenset(tokens) - later, later.intersection(tokens)
        searches = (first, {*as_text} - later), (second, later.intersection(as_text))
        self._searches = [_Search(found, beside) for found, beside in searches if found]

    def cut(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the parts of ``text``, none of them empty, and whether each is a special token."""
        parts: Iterable[tuple[str, bool]] = [(text, False)] if text else []
        for search in self._searches:
            parts = search.cut_each(parts)
        yield from parts


#: So many tokens are tried one after the other: an expression does that in a tenth of the time.
MOST_IN_TURN = 64


class _Search:
    """One search from left to right for ``tokens``, and for those that stay text."""

    def __init__(self, tokens: Collection[str], as_text: Collection[str]) -> None:
        self._as_text = frozenset(as_text) - frozenset(tokens)
        self._tokens = sorted(filter(None, {*tokens, *as_text}))
        self._longest = max(map(len, self._tokens), default=0)
        self._beginnings = _beginnings(self._tokens)
        first = {token[0] for token in self._tokens}
        by_length = sorted(self._tokens, key=len, reverse=True)
        few = 0 < len(by_length) <= MOST_IN_TURN
        self._few = re.compile("|".join(map(re.escape, by_length))) if few else None
        self._may_begin = re.compile(f"[{''.join(map(re.escape, sorted(first)))}]") if first else None

    def cut_each(self, parts: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
        """Cut the parts that are no special token yet."""
        for part, special in parts:
            if special:
                yield part, True
            else:
                yield from self._cut(part)

    def _cut(self, text: str) -> Iterator[tuple[str, bool]]:
        done = 0
        for start, end in self._places(text):
            if text[start:end] in self._as_text:
                continue
            if start > done:
                yield text[done:start], False
            done = end
            yield text[start:end], True
        if done < len(text):
            yield text[done:], False

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where each token begins and ends."""
        if self._few is not None:
            yield from (found.span() for found in self._few.finditer(text))
            return
        place = 0
        while self._may_begin and (found := self._may_begin.search(text, place)):
            length = self._length_at(text, found.start())
            place = found.start() + (length or 1)
            if length:
                yield found.start(), place

    def _length_at(self, text: str, start: int) -> int:
        """Return the length of the longest token that begins at ``start``; 0 if none does."""
        here = text[start : start + self._longest]
        index = bisect_right(self._tokens, here) - 1
        if index < 0:
            return 0
        return max(_standing(self._tokens[index], self._beginnings[index], here), default=0)


def _beginnings(tokens: list[str]) -> list[tuple[int, ...]]:
    """For each of the sorted tokens: the lengths of the tokens that it begins with, its own at the end."""
    beginnings: list[tuple[int, ...]] = []
    for index, token in enumerate(tokens):
        # the token before it in the alphabet is, or begins with, everything that this token begins with
        before, its_lengths = (tokens[index - 1], beginnings[index - 1]) if index else ("", ())
        beginnings.append((*_standing(before, its_lengths, token), len(token)))
    return beginnings


def _standing(token: str, lengths: tuple[int, ...], text: str) -> tuple[int, ...]:
    """Those of the ascending ``lengths`` at which ``token``, cut to that length, begins ``text``."""
    # if a short beginning does not match, no longer one does
    return lengths[: bisect_left(lengths, True, key=lambda length: not text.startswith(token[:length]))]
