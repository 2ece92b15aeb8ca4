"""How much a tokenizer file may hold. Every reader checks this before it builds anything.

The limits are generous: XLM-V's vocabulary has 901,629 tokens, the longest tokens have some hundred bytes,
and AI21's Jurassic-2 has 26,089 added tokens.
"""

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

from bpeviz.formats.source import FaultError

__all__ = [
    "MAX_MERGES",
    "MAX_SPECIAL_CHARACTERS",
    "MAX_SPECIAL_LENGTH",
    "MAX_SPECIAL_TOKENS",
    "MAX_TOKENS",
    "MAX_TOKEN_BYTES",
    "MAX_TOTAL_BYTES",
    "check_lengths",
    "check_special_tokens",
    "check_total",
]

#: Each takes some 500 bytes of memory.
MAX_TOKENS = 1_000_000
#: Files made from ranks or SentencePiece models name several merges for one token: Gemma's 262,144 tokens
#: have some 580,000 merges.
MAX_MERGES = 700_000
#: Bytes of one token: each merge may double them, so forty merges could make a terabyte.
MAX_TOKEN_BYTES = 65_536
#: Bytes of all tokens together: tables and pages show them all.
MAX_TOTAL_BYTES = 20_000_000
#: Special tokens, and all their characters together: every text is searched for each of them.
MAX_SPECIAL_TOKENS = 40_000
MAX_SPECIAL_CHARACTERS = 1_000_000
#: Characters of one special token: encoding looks at so many wherever one may begin in a text.
MAX_SPECIAL_LENGTH = 1_000

Key = TypeVar("Key")

_LOOK = "Check that it is the right file."


def check_total(*, tokens: int = 0, merges: int = 0) -> None:
    """Raise FaultError if there are too many tokens or merges."""
    for total, limit, what in ((tokens, MAX_TOKENS, "tokens"), (merges, MAX_MERGES, "merges")):
        if total > limit:
            raise FaultError(
                f"it has {total:,} {what}; at most {limit:,} are read, more than any common tokenizer has. "
                f"{_LOOK}"
            )


def check_lengths(lengths: Iterable[tuple[Key, int]], place: Callable[[Key], str]) -> None:
    """Raise FaultError if tokens are too long. Each is given by a key and its length in bytes.

    ``place`` turns a key into words that say which token it is.
    """
    total = 0
    for key, length in lengths:
        total += length
        if length > MAX_TOKEN_BYTES:
            raise FaultError(
                f"{place(key)} has {length:,} bytes; at most {MAX_TOKEN_BYTES:,} are read. {_LOOK}"
            )
        if total > MAX_TOTAL_BYTES:
            raise FaultError(
                f"{place(key)}: its tokens up to this one hold more than {MAX_TOTAL_BYTES:,} bytes, more "
                f"than any common tokenizer's. {_LOOK}"
            )


def check_special_tokens(tokens: Collection[str]) -> None:
    """Raise FaultError if there are too many special tokens, or if they are too long."""
    if len(tokens) > MAX_SPECIAL_TOKENS or sum(map(len, tokens)) > MAX_SPECIAL_CHARACTERS:
        raise FaultError(
            f"it has {len(tokens):,} special tokens of {sum(map(len, tokens)):,} characters; at most "
            f"{MAX_SPECIAL_TOKENS:,} tokens of {MAX_SPECIAL_CHARACTERS:,} characters in all are read. Remove "
            "those that are not used."
        )
    longest = max(tokens, key=len, default="")
    if len(longest) > MAX_SPECIAL_LENGTH:
        raise FaultError(
            f"the special token {longest[:40]!r}… has {len(longest):,} characters; at most "
            f"{MAX_SPECIAL_LENGTH:,} are read. Remove it if it is not used."
        )
