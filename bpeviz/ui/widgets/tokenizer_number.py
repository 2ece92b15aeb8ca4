"""A number for each tokenizer, by which Streamlit's caches tell them apart.

Names and keys will not do: those caches serve all sessions, and a tokenizer of one may be named as another's.
"""

import itertools
from weakref import WeakKeyDictionary

from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["tokenizer_number"]

_count = itertools.count(1)
_numbers: "WeakKeyDictionary[Tokenizer, int]" = WeakKeyDictionary()


def tokenizer_number(tokenizer: Tokenizer) -> int:
    """The same number for the same tokenizer, and never one that another had before."""
    return _numbers.setdefault(tokenizer, next(_count))
