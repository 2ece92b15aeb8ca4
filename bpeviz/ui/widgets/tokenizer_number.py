"""A number for each tokenizer, for the keys of caches: names and keys of tokenizers can repeat."""

import itertools
from weakref import WeakKeyDictionary

from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["tokenizer_number"]

_count = itertools.count(1)
_numbers: "WeakKeyDictionary[Tokenizer, int]" = WeakKeyDictionary()


def tokenizer_number(tokenizer: Tokenizer) -> int:
    """Always the same number for the same tokenizer; no other tokenizer ever gets it."""
    return _numbers.setdefault(tokenizer, next(_count))
