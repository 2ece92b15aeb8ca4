"""A short text that a person types, in the tokens of several tokenizers."""

from copy import copy
from dataclasses import dataclass
from itertools import islice

from bpeviz.errors import BpevizError, SplitPatternBusyError
from bpeviz.text.split_patterns import CUSTOM
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["MOST_TYPED_BYTES", "TokenRow", "fits", "missing_row", "token_row"]

#: The field takes no longer text: to show it in tokens while a person types would take too long.
MOST_TYPED_BYTES = 30_000
MOST_TOKENS_SHOWN = 300
#: A person's own split pattern has this much time: the page waits for it.
SPLIT_SECONDS = 0.2


@dataclass(frozen=True)
class TokenRow:
    """A text in the tokens of the tokenizer ``name``: how many there are, and the bytes of the first ones; or
    ``missing``, why it can't be shown so, in sentences."""

    name: str
    token_total: int
    tokens: tuple[bytes, ...]
    missing: str = ""


def fits(text: str) -> bool:
    """Return whether the field takes this text."""
    return len(text.encode("utf-8", "surrogatepass")) <= MOST_TYPED_BYTES


def token_row(name: str, tokenizer: Tokenizer, text: str) -> TokenRow:
    """Return the text in the tokens of a tokenizer, or why it can't be encoded.

    Raises SplitPatternBusyError if it can't be encoded now.
    """
    try:
        ids = _hurried(tokenizer).encode_ordinary(text)
    except SplitPatternBusyError:
        raise
    except BpevizError as error:
        return missing_row(name, error)
    first = tuple(tokenizer.token_bytes(token_id) for token_id in islice(ids, MOST_TOKENS_SHOWN))
    return TokenRow(name, len(ids), first)


def missing_row(name: str, error: BpevizError) -> TokenRow:
    """Return a row that says why there are no tokens."""
    return TokenRow(name, 0, (), f"Not counted. {error}")


def _hurried(tokenizer: Tokenizer) -> Tokenizer:
    """Return the same tokenizer, with little time for a person's own split pattern."""
    if tokenizer.split.name != CUSTOM:
        return tokenizer
    hurried = copy(tokenizer)
    hurried.split = tokenizer.split.within(SPLIT_SECONDS)
    return hurried
