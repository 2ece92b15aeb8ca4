"""msgspec's decoders by type, made by one thread at a time.

A decoder knows what a type and all types in it look like. msgspec 0.22 crashes the process if two threads
find that out for one type at the same time, as when two visitors open the page of a new server.
"""

import threading
from functools import cache
from typing import Any, TypeVar

import msgspec

__all__ = ["json_decoder", "msgpack_decoder"]

T = TypeVar("T")

_making = threading.Lock()


def json_decoder(kind: type[T]) -> "msgspec.json.Decoder[T]":
    """Return the decoder of JSON for a type."""
    with _making:
        decoder: msgspec.json.Decoder[T] = _json_decoder(kind)
        return decoder


def msgpack_decoder(kind: type[T]) -> "msgspec.msgpack.Decoder[T]":
    """Return the decoder of MessagePack for a type."""
    with _making:
        decoder: msgspec.msgpack.Decoder[T] = _msgpack_decoder(kind)
        return decoder


_json_decoder: Any = cache(msgspec.json.Decoder)
_msgpack_decoder: Any = cache(msgspec.msgpack.Decoder)
