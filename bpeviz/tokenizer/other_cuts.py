"""Other ways to cut a text into the tokens of a vocabulary than byte-pair encoding takes.

The fewest tokens that spell it: byte-pair encoding merges by rank and never looks back.

    bo|ath|ouse      GPT-2's tokens of "boathouse"
    boat|house       two that it has would do

And BPE-dropout: a text in other tokens at each reading, so that a model sees a word in several ways. At each
step every merge is left out with some probability (Provilkov et al. 2020, arXiv 1910.13267).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import TypeVar

from bpeviz.tokenizer.encoding import PreTokenEncoding
from bpeviz.tokenizer.symbol_merger import in_making_order
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["MOST_SYMBOLS", "can_be_cut", "cut_with_dropout", "fewest_tokens", "shortest_cut"]

#: The search takes time in proportion to the square of the length of a pre-token.
MOST_SYMBOLS = 500
SEPARATOR = "\0"

Symbols = tuple[int, ...]
S = TypeVar("S", bytes, str)


def shortest_cut(text: S, tokens: Collection[S]) -> list[S] | None:
    """Return one of the shortest ways to spell ``text`` with ``tokens``; None if there is no way.

    A dynamic programme: the best cut of the first n symbols is a token after the best cut of fewer symbols.
    It tries every part of the text, so the text should be a pre-token.

        b"abcd" with a, b, c, d, ab, abc, cd  ->  [b"ab", b"cd"]
    """
    longest = max(map(len, tokens), default=0)
    fewest: list[int | None] = [0]
    last: list[S] = [text[:0]]
    for end in range(1, len(text) + 1):
        best: int | None = None
        choice = text[:0]
        for start in range(max(0, end - longest), end):
            before = fewest[start]
            if before is not None and (best is None or before + 1 < best) and text[start:end] in tokens:
                best, choice = before + 1, text[start:end]
        fewest.append(best)
        last.append(choice)
    if fewest[-1] is None:
        return None
    cut: list[S] = []
    end = len(text)
    while end:
        cut.append(last[end])
        end -= len(last[end])
    return cut[::-1]


def fewest_tokens(tokenizer: Tokenizer, encodings: Sequence[PreTokenEncoding]) -> list[tuple[int, ...]]:
    """Return for each pre-token the bytes at which the fewest tokens begin, with the end of the last.

    Special tokens, tokens that only a whole pre-token becomes, and pre-tokens of more than MOST_SYMBOLS
    symbols stay as they are.
    """
    texts = _as_texts(e.symbols for e in encodings if can_be_cut(e))
    tokens = _tokens_in(tokenizer, texts)
    cuts = {symbols: shortest_cut(text, tokens) or [] for symbols, text in texts.items()}
    return [
        tuple(e.offsets[place] for place in (0, *accumulate(map(len, cuts[e.symbols]))))
        if can_be_cut(e)
        else e.token_offsets
        for e in encodings
    ]


def can_be_cut(encoding: PreTokenEncoding) -> bool:
    """Return whether another way to cut a pre-token is looked for."""
    return bool(encoding.steps) and len(encoding.symbols) <= MOST_SYMBOLS


def _as_texts(pre_tokens: Iterable[Symbols]) -> dict[Symbols, str]:
    """Write each distinct pre-token as a text with one character for each symbol: texts search quickly."""
    distinct = dict.fromkeys(pre_tokens)
    characters: dict[int, str] = {}
    for symbols in distinct:
        for symbol in symbols:
            characters.setdefault(symbol, chr(len(characters) + 1))
    return {symbols: "".join(map(characters.__getitem__, symbols)) for symbols in distinct}


def _tokens_in(tokenizer: Tokenizer, texts: Mapping[Symbols, str]) -> set[str]:
    """Return the tokens that some pre-token holds, written as it. Both halves of such a token are in it too:
    no other merge needs to be looked at."""
    everything = SEPARATOR.join(texts.values())
    written = {
        symbol: character
        for symbols, text in texts.items()
        for symbol, character in zip(symbols, text, strict=True)
    }
    for rank in in_making_order(tokenizer.base.symbol_ids, tokenizer.ranked):
        pair, token_id = tokenizer.ranked[rank]
        if pair is not None and pair[0] in written and pair[1] in written:
            made = written[pair[0]] + written[pair[1]]
            if made in everything:
                written.setdefault(token_id, made)
    return set(written.values())


def cut_with_dropout(
    tokenizer: Tokenizer, encodings: Sequence[PreTokenEncoding], probability: float, seed: int
) -> list[tuple[int, ...]]:
    """Return for each pre-token the bytes at which its tokens begin, with the end of the last. The same seed
    gives the same tokens.

    Pre-tokens that can't be cut in another way, and very long ones, stay as they are; see fewest_tokens.
    """
    random = Random(seed)  # noqa: S311 - no secret
    return [
        tuple(e.offsets[end] for end in (0, *tokenizer.merge_with_dropout(e.symbols, probability, random)))
        if can_be_cut(e)
        else e.token_offsets
        for e in encodings
    ]
