"""Errors of saving sessions."""

from collections.abc import Sequence
from typing import Literal

from bpeviz.base_error import BpevizError

__all__ = [
    "DamagedWorkError",
    "NoRoomError",
    "StorageError",
    "TextDigestError",
    "WorkChangedError",
    "WorkDocumentError",
    "WorkIdError",
    "WorkTooLargeError",
]


class StorageError(BpevizError):
    """The file of saved sessions, ``path``, cannot be used, for a ``reason``; ``detail`` is the system's
    message.

    The reasons: it cannot be read or written (unavailable), the disk is full, another process keeps it
    locked, a newer bpeviz made it, or another application did (foreign).
    """

    Reason = Literal["unavailable", "full", "locked", "newer", "foreign"]

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
        }
        super().__init__(messages[reason])
        self.path = path
        self.reason = reason
        self.detail = detail


class WorkTooLargeError(BpevizError):
    """A session over the size limit: its ``byte_total`` and the ``limit``."""

    def __init__(self, byte_total: int, limit: int) -> None:
        super().__init__(
            f"This session has {byte_total:,} bytes; the limit is {limit:,}. The last saved version stays. "
            "Delete runs on other texts, or use a shorter text."
        )
        self.byte_total = byte_total
        self.limit = limit


class NoRoomError(BpevizError):
    """A session that had no room among the saved ones: the ``reason``, and the ``limit``.

    The reasons: all sessions take ``limit`` bytes (full), those of one person do (share), or one person
    started that many sessions within an hour (often).
    """

    Reason = Literal["full", "share", "often"]

    def __init__(self, reason: Reason, limit: int) -> None:
        size = f"{limit / 1_000_000:,.0f} MB"
        remedy = "Download it as a file, or delete saved sessions that you no longer need."
        messages = {
            "full": f"Saved sessions may take {size} together, and that is used up. {remedy}",
            "share": f"Sessions from your network address may take {size}, and that is used up. {remedy}",
            "often": f"Your network address saved {limit:,} new sessions within an hour, which is the limit. "
            "Download this one as a file, or wait for an hour.",
        }
        super().__init__(messages[reason])
        self.reason = reason
        self.limit = limit


class WorkChangedError(BpevizError):
    """A session, ``work_id``, that somebody else saved in the meantime."""

    def __init__(self, work_id: str) -> None:
        super().__init__("This session was changed in another tab. Save it as a new session.")
        self.work_id = work_id


class WorkIdError(BpevizError):
    """A text, ``work_id``, that can't be the id of a saved session."""

    def __init__(self, work_id: str) -> None:
        shown = work_id if len(work_id) <= 40 else work_id[:40] + "…"
        super().__init__(
            f"There is no saved session with the id {shown!r}. Copy the whole address again, or start "
            "with an empty page."
        )
        self.work_id = work_id


class TextDigestError(BpevizError):
    """A text that does not have its ``digest``, or a digest that is not a SHA-256 in hexadecimal."""

    def __init__(self, digest: str) -> None:
        shown = digest if len(digest) <= 64 else digest[:64] + "…"
        super().__init__(
            f"The text doesn't have the SHA-256 {shown!r}, so nothing was saved. Give its text_digest()."
        )
        self.digest = digest


class DamagedWorkError(BpevizError):
    """A saved session, ``work_id``, that is damaged, for example because a disk failed. ``digests``: of the
    damaged texts; empty if its state is damaged."""

    def __init__(self, work_id: str, digests: Sequence[str]) -> None:
        super().__init__(
            "This saved session is damaged, perhaps by a failing disk. Start a new one, and check the disk."
        )
        self.work_id = work_id
        self.digests = tuple(digests)


class WorkDocumentError(BpevizError):
    """Data that should be a saved session and is not, for a ``reason``."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This saved session can't be opened: {reason}.")
        self.reason = reason
