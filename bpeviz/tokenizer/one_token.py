"""Why a part of a text, such as a word, is not one token.

    " that's"  in GPT-2     the split pattern cuts it before 's
    "hat" of " hat"         the merge ␣ + h joins a byte of it to one outside: "hat" itself is a token
    "hotel"                 ends as hot + el, which no merge joins: it was never made

The parts are of one encoding by merge rank, with special tokens as plain text. The reasons are data; the page
has the words for them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from bpeviz.cached import cached_property
from bpeviz.core.token_chain import Pair
from bpeviz.tokenizer.encoding import EncodingStep, PreTokenEncoding, encode_step_by_step
from bpeviz.tokenizer.symbol_merger import in_making_order
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "Making",
    "Makings",
    "PlacedMerge",
    "Reason",
    "WhyNotOneToken",
    "why_not_one_token",
    "why_of_pre_token",
]

#: - ``one-token``: it is one token;
#: - ``wall``: the split pattern cuts it;
#: - ``skipped``: it holds white space that the recipe drops;
#: - ``symbol``: it begins or ends inside a base symbol;
#: - ``crossing``: a merge joined a byte of it to one outside;
#: - ``never-made``: the vocabulary lacks the token;
#: - ``out-of-reach``: the vocabulary has the token, but other merges come first;
#: - ``whole-only``: no merge makes the token, and only a whole pre-token becomes it;
#: - ``no-merges``: the model has no merges, and cuts by rules of another kind.
Reason = Literal[
    "one-token",
    "wall",
    "skipped",
    "symbol",
    "crossing",
    "never-made",
    "out-of-reach",
    "whole-only",
    "no-merges",
]


@dataclass(frozen=True)
class Making:
    """A token of the vocabulary, and the ``rank`` of the merge that first made it: None for a base symbol,
    and for a token that only a ``whole`` pre-token becomes."""

    token_id: int
    rank: int | None
    whole: bool = False


@dataclass(frozen=True)
class PlacedMerge:
    """A merge of an encoding: ``rank``, ``pair`` and ``token_id``; its left half begins at byte ``start`` of
    the text, its right half at ``middle``, and both end before ``end``."""

    rank: int
    pair: Pair
    token_id: int
    start: int
    middle: int
    end: int


@dataclass(frozen=True)
class WhyNotOneToken:
    """The answer for the bytes from ``start`` to ``end`` (excluded).

    ``reason`` says which case it is. ``token_ids`` are the tokens that hold these bytes; the first and last
    may reach beyond them. ``making`` is the token with the same bytes, None if there is none. ``walls`` are
    the places inside where the split pattern cuts. ``merge`` is the first merge that crosses an edge; for a
    token out of reach, the first merge inside that does not lead to the token, and ``elsewhere`` says whether
    the token has the token of this merge at another place. ``ends_word`` says whether the bytes end a word
    and the vocabulary marks such ends; ``unreachable``, for a token that a merge crosses, that it is one
    token in no text. ``spelled`` has the bytes of the base symbols that stand for the part: "fi" for "ﬁ" if
    the tokenizer normalizes the text.
    """

    reason: Reason
    start: int
    end: int
    token_ids: tuple[int, ...]
    making: Making | None = None
    walls: tuple[int, ...] = ()
    merge: PlacedMerge | None = None
    ends_word: bool = False
    elsewhere: bool = False
    unreachable: bool = False
    spelled: bytes = field(default=b"", compare=False)


def why_not_one_token(tokenizer: Tokenizer, text: str, start: int, end: int) -> WhyNotOneToken:
    """Why the bytes of ``text`` from ``start`` to ``end`` (excluded) are not one token, if they are not.

    Raises ValueError if they are not a part of the text, and what Tokenizer.encode raises.
    """
    if not 0 <= start < end <= len(text.encode("utf-8")):
        raise ValueError(f"the bytes from {start} to {end} are not a part of this text")
    held = _holding(encode_step_by_step(tokenizer, text), start, end)
    token_ids = tuple(token_id for encoding in held for token_id in _tokens_in(encoding, start, end))
    if _has_no_merges(tokenizer):
        return _without_merges(held, start, end, token_ids)
    if len(held) == 1:
        makings = Makings(tokenizer, [_spelled(tokenizer, held[0], start, end)])
        return _within(makings, held[0], start, end)
    walls = tuple(sorted({e.start for e in held} - {start, held[0].start}))
    spelled = b"".join(_spelled(tokenizer, encoding, start, end) for encoding in held)
    return WhyNotOneToken("wall", start, end, token_ids, walls=walls, spelled=spelled)


def why_of_pre_token(makings: "Makings", encoding: PreTokenEncoding) -> WhyNotOneToken:
    """Return the same for a whole pre-token that is already encoded, by the ``makings`` of its tokenizer."""
    start, end = encoding.start, encoding.end
    if _has_no_merges(makings.tokenizer):
        return _without_merges([encoding], start, end, encoding.ids)
    return _within(makings, encoding, start, end)


class Makings:
    """How some tokens of a tokenizer are made.

    Finding them takes a pass over the whole vocabulary, so ask for all words of a text together."""

    def __init__(self, tokenizer: Tokenizer, tokens: Iterable[bytes]) -> None:
        self.tokenizer = tokenizer
        self._first = _first_makings(tokenizer, tokens)

    @classmethod
    def of_words(cls, tokenizer: Tokenizer, words: Iterable[PreTokenEncoding]) -> "Makings":
        """For the tokens that would be whole pre-tokens."""
        return cls(tokenizer, {_spelled(tokenizer, word, word.start, word.end) for word in words})

    def of(self, token: bytes) -> Making | None:
        """Return the first token with these bytes, one of those asked for; None if there is none."""
        return self._first.get(token)

    def parts_of(self, token_id: int) -> set[int]:
        """Return the tokens that a token is made of, and the token."""
        halves, _ = self._halves
        parts, unfolding = set[int](), [token_id]
        while unfolding:
            part = unfolding.pop()
            if part not in parts:
                parts.add(part)
                unfolding += halves.get(part, ())
        return parts

    def is_reached(self, making: Making) -> bool:
        """Return whether a token alone becomes one token, so that some text has it."""
        if making.rank is None:
            return True
        halves, _ = self._halves
        symbols, unfolding = list[int](), [making.token_id]
        while unfolding:
            token = unfolding.pop()
            if token in halves:
                unfolding += reversed(halves[token])
            else:
                symbols.append(token)
        merged = [*self.tokenizer.merge_symbols(symbols)]
        return bool(merged) and (merged[-1][1:], merged[-1][0]) == ((0, len(symbols)), making.rank)

    def merges_of(self, token_id: int, first: int) -> Iterator[tuple[int, int, int]]:
        """Yield the merges that make a token whose first symbol is ``first``: the symbols at which each
        begins, has its middle and ends (excluded)."""
        halves, lengths = self._halves
        unfolding = [(token_id, first)]
        while unfolding:
            whole, start = unfolding.pop()
            if whole in halves:
                left, right = halves[whole]
                middle = start + lengths[left]
                yield start, middle, start + lengths[whole]
                unfolding += [(left, start), (right, middle)]

    @cached_property
    def _halves(self) -> tuple[dict[int, Pair], dict[int, int]]:
        """By token the two that it is first made of, and how many symbols it has."""
        ids, ranked = self.tokenizer.base.symbol_ids, self.tokenizer.ranked
        lengths, halves = dict.fromkeys(ids, 1), dict[int, Pair]()
        for rank in in_making_order(ids, ranked):
            pair, made = ranked[rank]
            if pair is not None and made not in lengths:
                halves[made] = pair
                lengths[made] = lengths[pair[0]] + lengths[pair[1]]
        return halves, lengths


def _first_makings(tokenizer: Tokenizer, tokens: Iterable[bytes]) -> dict[bytes, Making]:
    """By its bytes the first token, base symbols before merges."""
    wanted = {token for token in tokens if tokenizer.token_to_id(token) is not None}
    first = dict[bytes, Making]()
    if wanted:
        for token_id in tokenizer.base.symbol_ids:
            if (token := tokenizer.token_bytes(token_id)) in wanted:
                first.setdefault(token, Making(token_id, None))
        for rank, (pair, token_id) in enumerate(tokenizer.ranked):
            if (token := tokenizer.token_bytes(token_id)) in wanted:
                made = Making(token_id, None, whole=True) if pair is None else Making(token_id, rank)
                first.setdefault(token, made)
    return first


def _holding(encodings: Sequence[PreTokenEncoding], start: int, end: int) -> list[PreTokenEncoding]:
    """Return the pre-tokens that hold a byte from ``start`` to ``end``, with those that stand for a part of
    it but hold no byte: "½" can become the three pre-tokens 1, ⁄ and 2."""
    text_end = encodings[-1].end if encodings else 0
    return [
        e
        for e in encodings
        if (e.start < end and e.end > start)
        or (e.start == e.end and (start <= e.start < end or e.start == end == text_end))
    ]


def _has_no_merges(tokenizer: Tokenizer) -> bool:
    """Return whether a library cuts texts by rules of another kind."""
    return tokenizer.pipeline is not None and not tokenizer.merges


def _without_merges(
    held: Sequence[PreTokenEncoding], start: int, end: int, token_ids: tuple[int, ...]
) -> WhyNotOneToken:
    is_one = len(token_ids) == 1 and (start, end) in pairwise(held[0].token_offsets)
    return WhyNotOneToken("one-token" if is_one else "no-merges", start, end, token_ids)


def _within(makings: Makings, encoding: PreTokenEncoding, start: int, end: int) -> WhyNotOneToken:
    """Return the answer for a part of one pre-token."""
    token_ids = tuple(_tokens_in(encoding, start, end))
    if encoding.offsets[0] > start:
        return WhyNotOneToken("skipped", start, end, token_ids)
    if not {start, end} <= set(encoding.offsets):
        return WhyNotOneToken("symbol", start, end, token_ids)
    why = _why_of_symbols(makings, encoding, start, end)
    spelled = _spelled(makings.tokenizer, encoding, start, end)
    return replace(why, ends_word=_ends_word(makings.tokenizer, spelled), spelled=spelled)


def _why_of_symbols(makings: Makings, encoding: PreTokenEncoding, start: int, end: int) -> WhyNotOneToken:
    """Return the answer for a part that begins and ends with base symbols."""
    token_ids = tuple(_tokens_in(encoding, start, end))
    making = makings.of(_spelled(makings.tokenizer, encoding, start, end))
    first, after = _symbols_in(encoding, start, end)
    # Each gap closes once, by the merge that has its middle there.
    crossing = next((step for step in encoding.steps if step.middle in (first, after)), None)
    if crossing:
        unreachable = making is not None and not makings.is_reached(making)
        placed = _placed(encoding, crossing)
        return WhyNotOneToken(
            "crossing", start, end, token_ids, making, merge=placed, unreachable=unreachable
        )
    if len(token_ids) == 1:
        return WhyNotOneToken("one-token", start, end, token_ids, making)
    if making is None:
        return WhyNotOneToken("never-made", start, end, token_ids)
    return _not_reached(makings, encoding, making, start, end)


def _not_reached(
    makings: Makings, encoding: PreTokenEncoding, making: Making, start: int, end: int
) -> WhyNotOneToken:
    """Return the answer for a token of the vocabulary that the part does not become."""
    token_ids = tuple(_tokens_in(encoding, start, end))
    if making.whole:
        return WhyNotOneToken("whole-only", start, end, token_ids, making)
    first, after = _symbols_in(encoding, start, end)
    own = set(makings.merges_of(making.token_id, first))
    inside = (step for step in encoding.steps if first <= step.start and step.end <= after)
    other = next((step for step in inside if (step.start, step.middle, step.end) not in own), None)
    merge = _placed(encoding, other) if other else None
    elsewhere = other is not None and other.token_id in makings.parts_of(making.token_id)
    return WhyNotOneToken("out-of-reach", start, end, token_ids, making, merge=merge, elsewhere=elsewhere)


def _ends_word(tokenizer: Tokenizer, spelled: bytes) -> bool:
    mark = tokenizer.base.end_of_word
    return bool(mark) and spelled.endswith(mark.encode("utf-8"))


def _symbols_in(encoding: PreTokenEncoding, start: int, end: int) -> tuple[int, int]:
    """Return the first base symbol that holds a byte from ``start`` to ``end``, and the one after the last.

    A symbol without bytes counts with the next one that has some, or at the end of the pre-token with the one
    before: "ﬁ" becomes f + i, of which i has the bytes.
    """
    offsets = encoding.offsets
    first = bisect_left(offsets, offsets[max(0, bisect_right(offsets, start) - 1)])
    after = bisect_left(offsets, end)
    return first, len(encoding.symbols) if after >= bisect_left(offsets, offsets[-1]) else after


def _tokens_in(encoding: PreTokenEncoding, start: int, end: int) -> Iterator[int]:
    """Yield the ids of the tokens that hold a base symbol of the bytes from ``start`` to ``end``."""
    first, after = _symbols_in(encoding, start, end)
    merged_away = {step.middle for step in encoding.steps}
    starts = [i for i in range(len(encoding.symbols)) if i not in merged_away]
    for token_id, (begins, ends) in zip(
        encoding.ids, pairwise([*starts, len(encoding.symbols)]), strict=True
    ):
        if begins < after and ends > first:
            yield token_id


def _placed(encoding: PreTokenEncoding, step: EncodingStep) -> PlacedMerge:
    start, middle, end = (encoding.offsets[i] for i in (step.start, step.middle, step.end))
    return PlacedMerge(step.rank, step.pair, step.token_id, start, middle, end)


def _spelled(tokenizer: Tokenizer, encoding: PreTokenEncoding, start: int, end: int) -> bytes:
    """Return the bytes of the base symbols from ``start`` to ``end``, with the mark of an end of word."""
    first, after = _symbols_in(encoding, start, end)
    return b"".join(map(tokenizer.token_bytes, encoding.symbols[first:after]))
