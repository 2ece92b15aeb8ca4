"""Paths from users, and files that are written atomically."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["as_path", "replacing"]


def as_path(name: str | os.PathLike[str]) -> Path:
    """``name`` as a Path. Raises OSError for a name that no file can have, as for a missing file; Python's
    functions raise ValueError."""
    path = Path(name)
    try:
        if b"\0" in os.fsencode(path):
            raise OSError(errno.EINVAL, "its name holds U+0000, which no file name can")
    except UnicodeEncodeError:
        raise OSError(errno.EINVAL, "its name holds half of a surrogate pair") from None
    return path


@contextmanager
def replacing(place: Path) -> Iterator[BinaryIO]:
    """Open a new file that replaces ``place`` at the end of the block, unless the block raises.

    Raises OSError.
    """
    if not place.name:  # such as "." and "/"
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    beside = place.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with beside.open("xb") as file:
            yield file
        beside.replace(place)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
