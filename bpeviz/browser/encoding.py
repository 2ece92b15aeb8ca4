"""Pack the encoding of a text, two orders of it, or variants of a word, for the parts ``encoder``, ``orders``
and ``variants``; and how a word grows into its tokens in each of several tokenizers, for ``biography``.

The data is JSON. It holds each distinct pre-token once, and each token by its id, with its hue and its bytes
in hexadecimal (shortened if there are many). The components draw text with ``textContent`` only.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bpeviz.text.token_text import shorten, token_hue, visible
from bpeviz.tokenizer.encoding import EncodingStep, PreTokenEncoding, encode_step_by_step
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "MOST_SYMBOLS",
    "Growth",
    "grown",
    "pack_encoding",
    "pack_growth",
    "pack_orders",
    "pack_variants",
    "packed_steps",
    "packed_tokens",
]


NO_MERGE = -1
LABEL_LIMIT = 60
MOST_DRAWN_BYTES = 4 * LABEL_LIMIT


#: Says in sentences why a word is not one token, the verdict first.
Answer = Callable[[PreTokenEncoding], Sequence[str]]


def pack_encoding(
    tokenizer: Tokenizer, text: str, encodings: Sequence[PreTokenEncoding], answer: Answer, *, first: int = 0
) -> dict[str, Any]:
    """Pack ``text``: the number of each pre-token's kind, the kinds with the ``answer`` for each, the tokens
    in them, how many bytes the text has, and which word is picked ``first``."""
    encoded = text.encode("utf-8")
    numbers: dict[tuple[bytes, tuple[int, ...], bool], int] = {}
    kinds: list[dict[str, Any]] = []
    pieces: list[int] = []
    for encoding in encodings:
        spelled = encoded[encoding.start : encoding.end]
        number = numbers.setdefault((spelled, encoding.symbols, encoding.special), len(kinds))
        if number == len(kinds):
            becomes = _becomes(tokenizer, spelled, encoding)
            kinds.append(_kind(spelled, encoding) | {"becomes": becomes, "why": list(answer(encoding))})
        pieces.append(number)
    tokens = packed_tokens(tokenizer, encodings)
    return {"tokens": tokens, "kinds": kinds, "pieces": pieces, "bytes": len(encoded), "first": first}


def packed_tokens(tokenizer: Tokenizer, encodings: Iterable[PreTokenEncoding]) -> dict[str, list[Any]]:
    """Return the tokens of pre-tokens, from their symbols to their last ones."""
    return _tokens(tokenizer, {i for e in encodings for i in (*e.symbols, *(s.token_id for s in e.steps))})


def packed_steps(encoding: PreTokenEncoding) -> dict[str, list[Any]]:
    """Return the symbols of a pre-token, the ranks of their pairs, and the merges."""
    return {
        "symbols": list(encoding.symbols),
        "ranks": [_rank(rank) for rank in encoding.ranks],
        "steps": [_step(step) for step in encoding.steps],
    }


def _becomes(tokenizer: Tokenizer, spelled: bytes, encoding: PreTokenEncoding) -> str:
    """Return what a library makes of a pre-token before it is merged; empty if that is the text itself."""
    if tokenizer.pipeline is None or encoding.special:
        return ""
    made = b"".join(map(tokenizer.token_bytes, encoding.symbols))
    return "" if made == spelled[encoding.offsets[0] - encoding.start :] else visible(made, LABEL_LIMIT)


def _kind(spelled: bytes, encoding: PreTokenEncoding) -> dict[str, Any]:
    skipped = spelled[: encoding.offsets[0] - encoding.start]
    return {
        "text": visible(spelled, LABEL_LIMIT),
        "line_end": spelled.endswith(b"\n"),
        "special": encoding.special,
        "whole": encoding.whole,
        "skipped": visible(skipped),
        **packed_steps(encoding),
    }


def _step(step: EncodingStep) -> list[int]:
    """Return the fields of a step, in the order that ``readStep`` in pre_token.js expects."""
    before, after = _rank(step.rank_before), _rank(step.rank_after)
    return [step.rank, step.token_id, *step.pair, step.start, step.middle, step.end, before, after]


def _rank(rank: int | None) -> int:
    return NO_MERGE if rank is None else rank


def pack_orders(
    tokenizer: Tokenizer,
    text: str,
    encodings: Sequence[PreTokenEncoding],
    other: Sequence[tuple[int, ...]],
    *,
    most: int,
) -> dict[str, Any]:
    """Pack the distinct pre-tokens whose ids by merge rank differ from the ``other`` ids, with how often each
    occurs; at most ``most`` of them."""
    encoded = text.encode("utf-8")
    counted = Counter(
        (encoded[e.start : e.end], e.ids, ids)
        for e, ids in zip(encodings, other, strict=True)
        if e.ids != ids
    )
    rows = list(counted.items())[:most]
    return {
        "tokens": _tokens(tokenizer, {i for (_, a, b), _ in rows for i in (*a, *b)}),
        "more": len(counted) - len(rows),
        "rows": [
            {"text": visible(spelled, LABEL_LIMIT), "times": times, "by_rank": a, "left_to_right": b}
            for (spelled, a, b), times in rows
        ],
    }


def pack_variants(tokenizer: Tokenizer, variants: Mapping[str, Sequence[int] | None]) -> dict[str, Any]:
    """Pack variants of a word with the ids of each; None for one that can't be encoded."""
    return {
        "tokens": _tokens(tokenizer, {i for ids in variants.values() for i in ids or ()}),
        "variants": [
            {
                "text": visible(text.encode("utf-8", "replace"), LABEL_LIMIT),
                "ids": ids if ids is None else list(ids),
            }
            for text, ids in variants.items()
        ],
    }


def _tokens(tokenizer: Tokenizer, ids: Iterable[int]) -> dict[str, list[Any]]:
    """Return the tokens by id, each with its fields in the order that ``knownTokens`` in cells.js expects."""
    base = set(tokenizer.base.symbol_ids)
    spelled = {token_id: tokenizer.token_bytes(token_id) for token_id in sorted(ids)}
    return {
        str(token_id): [_drawn(token).hex(), token_hue(token), visible(token), token_id in base]
        for token_id, token in spelled.items()
    }


def _drawn(token: bytes) -> bytes:
    """Return the bytes that a cell shows: only the ends of a long token."""
    if len(token) <= MOST_DRAWN_BYTES:
        return token
    try:
        return shorten(token.decode("utf-8"), LABEL_LIMIT).encode("utf-8")
    except UnicodeDecodeError:
        return token[: LABEL_LIMIT // 2] + token[-LABEL_LIMIT // 2 :]


#: A longer word is not drawn: its tree would be wider than several screens.
MOST_SYMBOLS = 60
WORD_CHARACTERS = 40


@dataclass(frozen=True, eq=False)
class Growth:
    """A word in one tokenizer: the name that people know it by, and the word's pre-tokens."""

    name: str
    tokenizer: Tokenizer
    parts: Sequence[PreTokenEncoding]


def grown(name: str, tokenizer: Tokenizer, word: str) -> Growth:
    """Return the growth of a word that stands alone. Raises what Tokenizer.encode raises."""
    return Growth(name, tokenizer, encode_step_by_step(tokenizer, word))


def pack_growth(word: str, growths: Sequence[Growth], *, follows: int | None = None) -> dict[str, Any]:
    """Pack the growths of a word as JSON. They show the step of the player while it shows the run
    numbered ``follows``."""
    return {
        "word": visible(word.encode("utf-8"), WORD_CHARACTERS),
        "growths": [_packed(growth) for growth in growths],
        "follows": follows,
    }


def _packed(growth: Growth) -> dict[str, Any]:
    long = sum(len(part.symbols) for part in growth.parts) > MOST_SYMBOLS
    parts = () if long else growth.parts
    return {
        "title": growth.name,
        "merges": len(growth.tokenizer.ranked),
        "long": long,
        "tokens": packed_tokens(growth.tokenizer, parts),
        "parts": [packed_steps(part) for part in parts],
    }
