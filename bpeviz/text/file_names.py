"""Paths from users: a name that no file can have is an OSError, like the name of a missing file."""

import errno
import os
from pathlib import Path

__all__ = ["as_path"]


def as_path(name: str | os.PathLike[str]) -> Path:
    """``name`` as a Path. Raises OSError for a name for which Python's functions raise ValueError."""
    path = Path(name)
    try:
        if b"\0" in os.fsencode(path):
            raise OSError(errno.EINVAL, "its name holds U+0000, which no file name can")
    except UnicodeEncodeError:
        raise OSError(errno.EINVAL, "its name holds half of a surrogate pair") from None
    return path
