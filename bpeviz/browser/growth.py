"""Pack how a word grows into its tokens, in each of several tokenizers, for the part ``biography``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bpeviz.browser.encoding import packed_steps, packed_tokens
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.encoding import PreTokenEncoding, encode_step_by_step
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["Growth", "grown", "pack_growth"]

#: A longer word is not drawn: its tree would be wider than several screens.
MOST_SYMBOLS = 60
LABEL_LIMIT = 40


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
        "word": visible(word.encode("utf-8"), LABEL_LIMIT),
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
