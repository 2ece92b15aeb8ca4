"""msgspec's decoders by type, made by one thread at a time; NumPy arrays in MessagePack.

A decoder knows what a type and all types in it look like. msgspec 0.22 crashes the process if two threads
find that out for one type at the same time, as when two visitors open the page of a new server.
"""

import threading
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, TypeVar, get_origin

import msgspec
import numpy as np

__all__ = ["as_msgpack", "converted", "json_decoder", "msgpack_decoder", "read_toml"]

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


def as_msgpack(value: object) -> bytes:
    """Return structs, dataclasses and plain values as MessagePack, with NumPy arrays in them."""
    return msgspec.msgpack.encode(value, enc_hook=_plain)


def _plain(value: object) -> object:
    match value:
        case np.ndarray():
            return value.dtype.str, value.shape, value.tobytes()
        case Mapping():
            return dict(value)
    raise NotImplementedError(f"{type(value).__name__} has no form in MessagePack")


def _array(kind: Any, value: Any) -> object:
    """Return a new array, which the caller may change."""
    if get_origin(kind) is not np.ndarray:
        raise NotImplementedError(f"{kind} has no form in MessagePack")
    dtype, shape, data = value
    return np.frombuffer(data, dtype).reshape(shape).copy()


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
_msgpack_decoder: Any = cache(partial(msgspec.msgpack.Decoder, dec_hook=_array))
