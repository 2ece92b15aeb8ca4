"""What two processes say to each other: JSON and arrays, nothing that could run.

    one line of JSON, {"kind": …, "arrays": [[type, length], …], …}, then the bytes of the arrays

A message that is cut off, or is none at all, is an EOFError or a ValueError for whoever reads it.
"""

import json
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from bpeviz.base_error import BpevizError

__all__ = ["Arrays", "read_error", "read_frame", "write_error", "write_frame"]

Arrays = list[npt.NDArray[Any]]


def write_error(error: BpevizError, pipe: IO[bytes]) -> None:
    """Send an error, as a message of the kind "error"."""
    write_frame(pipe, "error", {"class": type(error).__name__, "args": error.args, "data": error.__dict__})


def read_error(fields: dict[str, Any]) -> BpevizError:
    """The error as it was raised; it gives its words and its data, not what it was made from."""
    kind = _error_classes().get(fields["class"])
    if kind is None:
        raise ValueError(f"no error of the class {fields['class']!r}")
    error = kind.__new__(kind, *fields["args"])
    data = {name: tuple(v) if isinstance(v, list) else v for name, v in fields["data"].items()}
    error.__dict__.update(data)
    return error


def _error_classes() -> dict[str, type[BpevizError]]:
    found: list[type[BpevizError]] = [BpevizError]
    for kind in found:
        found += kind.__subclasses__()
    return {kind.__name__: kind for kind in found}


def write_frame(pipe: IO[bytes], kind: str, fields: dict[str, Any], arrays: Arrays | None = None) -> None:
    """Send a message of a kind: its fields, which are JSON values, and arrays of one dimension."""
    arrays = arrays or []
    described = [(array.dtype.str, len(array)) for array in arrays]
    pipe.write(json.dumps({"kind": kind, "arrays": described, **fields}).encode("ascii") + b"\n")
    for array in arrays:
        pipe.write(array.tobytes())
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> tuple[str, dict[str, Any], Arrays]:
    """The kind, the fields and the arrays of the next message. Raises EOFError, ValueError."""
    line = pipe.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    fields = json.loads(line)
    if not isinstance(fields, dict) or not {"kind", "arrays"} <= fields.keys():
        raise ValueError("no message")
    arrays = [_read_array(pipe, np.dtype(name), length) for name, length in fields.pop("arrays")]
    return fields.pop("kind"), fields, arrays


def _read_array(pipe: IO[bytes], kind: "np.dtype[Any]", length: int) -> npt.NDArray[Any]:
    data = pipe.read(kind.itemsize * length)
    if len(data) < kind.itemsize * length:
        raise EOFError
    return np.frombuffer(data, kind).copy()
