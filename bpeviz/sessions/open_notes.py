"""Notes about the saved sessions that a server is working on.

If the server ends meanwhile, the page asks before it opens such a session again, because that may end the
server once more.

A note is an empty file. It is there only while the server works on a page of the session; one that another
server left behind says that this server ended in the middle of it.
"""

import itertools
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["OpenNotes"]


class OpenNotes:
    """The notes of this server in a folder, and those that others left there."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._server = secrets.token_hex(8)
        self._numbers = itertools.count()

    @contextmanager
    def noted(self, saved_id: str) -> Iterator[None]:
        """Note during a block that this server works on a session. Without an id there is nothing to note."""
        if not saved_id:
            yield
            return
        note = self._directory / f"{saved_id}.{self._server}.{next(self._numbers)}"
        with suppress(OSError):  # on a full disk it works without
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            note.touch(mode=0o600)
        try:
            yield
        finally:
            with suppress(OSError):
                note.unlink()

    def left(self, saved_id: str) -> bool:
        """Return whether another server ended while it worked on a session."""
        return bool(self._left(saved_id))

    def clear(self, saved_id: str) -> None:
        """Forget that."""
        for note in self._left(saved_id):
            with suppress(OSError):
                note.unlink()

    def _left(self, saved_id: str) -> list[Path]:
        own = f"{saved_id}.{self._server}."
        return [note for note in self._directory.glob(f"{saved_id}.*") if not note.name.startswith(own)]
