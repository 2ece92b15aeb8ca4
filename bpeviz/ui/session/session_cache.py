"""Results that one session may need again, up to a number of bytes."""

import itertools
import sys
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
import streamlit as st

from bpeviz.limits import limits
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["SessionCache", "session_cache", "tokenizer_number"]

T = TypeVar("T")

#: The bytes of an entry besides its arrays and strings.
ENTRY_BYTES = 500

_count = itertools.count(1)
_numbers: "WeakKeyDictionary[Tokenizer, int]" = WeakKeyDictionary()


class SessionCache:
    """Results by key. The least recently used are dropped first.

    Streamlit's own caches serve all sessions and count entries, not bytes: results of one visitor's file
    would stay there for ever.
    """

    def __init__(self) -> None:
        self._entries: dict[Hashable, tuple[object, int]] = {}

    def get(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return the result for the key; ``make`` computes it if it is not there.

        The arrays, tables and strings in the key and in the result count as its size.
        """
        if key in self._entries:
            self._entries[key] = self._entries.pop(key)  # the latest is the last
            return cast(T, self._entries[key][0])
        made = make()
        self._entries[key] = made, size_of(made) + size_of(key)
        self._drop()
        return made

    @property
    def byte_total(self) -> int:
        """The size of all results."""
        return sum(size for _, size in self._entries.values())

    def _drop(self) -> None:
        total, most = self.byte_total, limits().cache_bytes
        for key in [*self._entries]:
            if total <= most:
                break
            total -= self._entries.pop(key)[1]


def size_of(held: object) -> int:
    """Return about how many bytes a value takes: its arrays, tables and strings, and what holds them."""
    match held:
        case str() | bytes():
            return sys.getsizeof(held)
        case np.ndarray():
            return ENTRY_BYTES + held.nbytes
        case pd.DataFrame():
            return ENTRY_BYTES + int(held.memory_usage(deep=True).sum())
        case tuple():
            return ENTRY_BYTES + sum(map(size_of, held))
        case dict():
            return ENTRY_BYTES + sum(map(size_of, held.values()))
    fields: dict[str, Any] = getattr(held, "__dict__", {})
    return ENTRY_BYTES + sum(map(size_of, fields.values()))


def session_cache() -> SessionCache:
    """Return the cache of the current session."""
    if "session_cache" not in st.session_state:
        st.session_state["session_cache"] = SessionCache()
    return cast(SessionCache, st.session_state["session_cache"])


def tokenizer_number(tokenizer: Tokenizer) -> int:
    """Return a number for the keys of caches: always the same for one tokenizer, and never for another.

    Names and keys of tokenizers can repeat.
    """
    return _numbers.setdefault(tokenizer, next(_count))
