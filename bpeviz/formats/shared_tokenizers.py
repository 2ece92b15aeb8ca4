"""Tokenizers read from files, shared by all sessions: the same files are read once.

A tokenizer never changes, so any number of sessions can use one object. It lives as long as a session uses
it. The ones used last stay longer, up to a number of bytes: whoever reloads the page finds them.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from weakref import WeakValueDictionary

from bpeviz.formats.isolated import read_in_worker
from bpeviz.limits import limits
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["SharedTokenizers", "read_shared"]

#: The memory of one token or merge, in bytes, as measured with 262,144 tokens and 437,000 merges.
TOKEN_BYTES = 300


class SharedTokenizers:
    """Tokenizers by a key. Those used last are kept, up to ``most_bytes`` of memory together."""

    def __init__(self, most_bytes: Callable[[], int]) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._in_use: WeakValueDictionary[bytes, Tokenizer] = WeakValueDictionary()
        self._latest: OrderedDict[bytes, tuple[Tokenizer, int]] = OrderedDict()
        self._turns: WeakValueDictionary[bytes, threading.Lock] = WeakValueDictionary()

    def get(self, key: bytes, read: Callable[[], Tokenizer]) -> Tokenizer:
        """Return the tokenizer of a key; ``read`` reads it if it is not there.

        If others read it already, waits for them.
        """
        if found := self._found(key):
            return found
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        with turn:
            return self._found(key) or self._keep(key, read())

    def _found(self, key: bytes) -> Tokenizer | None:
        with self._lock:
            found = self._in_use.get(key)
            if found is not None and key in self._latest:
                self._latest.move_to_end(key)
            return found

    def _keep(self, key: bytes, tokenizer: Tokenizer) -> Tokenizer:
        size = TOKEN_BYTES * (tokenizer.n_vocab + len(tokenizer.merges))
        with self._lock:
            self._in_use[key] = tokenizer
            self._latest[key] = tokenizer, size
            while sum(size for _, size in self._latest.values()) > self._most_bytes():
                self._latest.popitem(last=False)
        return tokenizer


_shared = SharedTokenizers(lambda: limits().shared_tokenizer_bytes)


def read_shared(files: Mapping[str, bytes], *, split: str | None, split_timeout: float) -> Tokenizer:
    """Read a tokenizer as ``read_in_worker`` does; the same files only once. Raises what it raises."""
    return _shared.get(
        _key(files, split, split_timeout),
        lambda: read_in_worker(files, split=split, split_timeout=split_timeout),
    )


def _key(files: Mapping[str, bytes], split: str | None, split_timeout: float) -> bytes:
    """Return a hash of all that decides what is read. Names are in it: they can say the split pattern."""
    content = [(name, hashlib.sha256(data).hexdigest()) for name, data in files.items()]
    return hashlib.sha256(repr((content, split, split_timeout)).encode("utf-8", "surrogatepass")).digest()
