"""Errors of saving sessions."""

from typing import Literal

from bpeviz.base_error import BpevizError

__all__ = [
    "DamagedSessionError",
    "SavedSessionError",
    "SessionChangedError",
    "SessionTooLargeError",
    "StorageError",
]


class StorageError(BpevizError):
    """The file of saved sessions can't be used, for a ``reason``.

    The reasons: it can't be read or written (unavailable), the disk is full, another process keeps it
    locked, a newer bpeviz made it, another application did (foreign), or it was damaged. ``detail`` is the
    system's message, or where the damaged file is now.
    """

    Reason = Literal["unavailable", "full", "locked", "newer", "foreign", "damaged"]

    def __init__(self, path: str, reason: Reason, detail: str = "") -> None:
        elsewhere = "set BPEVIZ_DATA to another directory"
        messages = {
            "unavailable": f"Sessions can't be saved in {path} ({detail}). Make that file readable and "
            f"writable, or {elsewhere}.",
            "full": f"Nothing can be saved in {path}: the disk is full. Earlier saves are still there. "
            f"Free some space, or {elsewhere}.",
            "locked": f"Another process has locked {path}. Try again in a moment, or stop that process.",
            "newer": f"A newer bpeviz made {path}. It was not changed. Update bpeviz, or {elsewhere}.",
            "foreign": f"Another application made {path}. It was not changed. Move it, or {elsewhere}.",
            "damaged": f"The file {path} was damaged. It is now {detail}, and a new one is in use.",
        }
        super().__init__(messages[reason])
        self.reason = reason


class SessionTooLargeError(BpevizError):
    """A session of ``byte_total`` bytes is over the ``limit``."""

    def __init__(self, byte_total: int, limit: int) -> None:
        super().__init__(
            f"This session needs {byte_total:,} bytes; the limit is {limit:,}. The last saved version stays. "
            "Delete runs on other texts, or use a shorter text."
        )


class SessionChangedError(BpevizError):
    """Somebody else saved the session in the meantime."""

    def __init__(self) -> None:
        super().__init__("This session was changed in another tab. Save it as a new session.")


class DamagedSessionError(BpevizError):
    """A saved session is damaged, for example because a disk failed."""

    def __init__(self) -> None:
        super().__init__(
            "This saved session is damaged, perhaps by a failing disk. Start a new one, and check the disk."
        )


class SavedSessionError(BpevizError):
    """Data that should be a saved session is none, for a ``reason``."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This saved session can't be opened: {reason}.")
        self.reason = reason
