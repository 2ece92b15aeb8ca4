"""Messages between two processes: structs and dataclasses in MessagePack, each after its length in 8 bytes.

Nothing in a message can run. A message that is cut off is an EOFError for the reader; one that is not of the
expected type is a ValueError.
"""

from typing import IO, Any

import msgspec

from bpeviz.decoders import as_msgpack, msgpack_decoder
from bpeviz.errors import BpevizError

__all__ = ["Failure", "read_message", "write_message"]

_LENGTH_BYTES = 8
_PART_BYTES = 2**20


class Failure(msgspec.Struct, frozen=True, tag="failure"):
    """An error of bpeviz: the name of its class, and its data."""

    name: str
    args: tuple[Any, ...]
    data: dict[str, Any]

    @classmethod
    def of(cls, error: BpevizError) -> "Failure":
        """Return the message that carries an error. Half of a surrogate pair in it becomes an escape."""
        return cls(type(error).__name__, _encodable(error.args), _encodable(error.__dict__))

    def error(self) -> BpevizError:
        """Return the error as it was raised. Raises ValueError for a class that bpeviz does not have."""
        kind = _error_classes().get(self.name)
        if kind is None:
            raise ValueError(f"no error of the class {self.name!r}")
        error = kind.__new__(kind, *self.args)
        error.__dict__.update({k: tuple(v) if isinstance(v, list) else v for k, v in self.data.items()})
        return error


def _encodable(value: Any) -> Any:
    """Return a value whose strings all have a UTF-8 form: an error may quote any text."""
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case dict():
            return {_encodable(key): _encodable(each) for key, each in value.items()}
        case tuple() | list():
            return tuple(map(_encodable, value))
    return value


def _error_classes() -> dict[str, type[BpevizError]]:
    found: list[type[BpevizError]] = [BpevizError]
    for kind in found:
        found += kind.__subclasses__()
    return {kind.__name__: kind for kind in found}


def write_message(message: object, pipe: IO[bytes]) -> None:
    """Send a message. Raises OSError if the reader has gone."""
    data = as_msgpack(message)
    pipe.write(len(data).to_bytes(_LENGTH_BYTES, "big"))
    pipe.write(data)
    pipe.flush()


def read_message(pipe: IO[bytes], kind: Any) -> Any:
    """Return the next message, of a type or of one of a union of types. Raises EOFError, ValueError,
    OSError."""
    length = int.from_bytes(_exactly(pipe, _LENGTH_BYTES), "big")
    return msgpack_decoder(kind).decode(_exactly(pipe, length))


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    """Exactly so many bytes, read in parts: a wrong length must not take that much memory at once."""
    parts: list[bytes] = []
    while length > 0:
        parts.append(pipe.read(min(length, _PART_BYTES)))
        if not parts[-1]:
            raise EOFError
        length -= len(parts[-1])
    return b"".join(parts)
