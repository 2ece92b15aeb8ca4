"""msgspec's decoders by type, made by one thread at a time.

A decoder knows what a type and all types in it look like. msgspec 0.22 crashes the process if two threads
find that out for one type at the same time, as when two visitors open the page of a new server.
"""

import threading
import tomllib
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import msgspec

__all__ = ["converted", "json_decoder", "msgpack_decoder", "read_toml"]

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


def read_toml(text: str, kind: type[T]) -> T:
    """Return a TOML document as a type. Raises tomllib.TOMLDecodeError, msgspec.ValidationError."""
    return converted(tomllib.loads(text), kind)


def converted(
    values: object,
    kind: type[T],
    dec_hook: Callable[[type, Any], Any] | None = None,
    *,
    str_keys: bool = False,
) -> T:
    """Return plain values, such as those of JSON, as a type: see msgspec.convert.

    Raises msgspec.ValidationError.
    """
    with _making:
        return msgspec.convert(values, kind, dec_hook=dec_hook, str_keys=str_keys)


_json_decoder: Any = cache(msgspec.json.Decoder)
_msgpack_decoder: Any = cache(msgspec.msgpack.Decoder)
