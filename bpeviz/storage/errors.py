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
            "unavailable": f"Work cannot be saved in {path} ({detail}). Make it a file that can be read and "
            f"written, or {elsewhere}.",
            "full": f"Work cannot be saved in {path}, as the disk is full; what was saved before is still "
            f"there. Make room, or {elsewhere}.",
            "locked": f"Another process keeps {path} locked. Try again in a moment, or end that process.",
            "newer": f"A newer bpeviz made {path}, which is left as it is. Update bpeviz, or {elsewhere}.",
            "foreign": f"Another application made {path}, which is left as it is. Move it, or {elsewhere}.",
        }
        super().__init__(messages[reason])
        self.path = path
        self.reason = reason
        self.detail = detail


class WorkTooLargeError(BpevizError):
    """A work over the size limit: its ``byte_total`` and the ``limit``."""

    def __init__(self, byte_total: int, limit: int) -> None:
        super().__init__(
            f"This work has {byte_total:,} bytes and at most {limit:,} are saved, so it stays as it was "
            "saved before. Drop runs on other texts, or take a shorter text."
        )
        self.byte_total = byte_total
        self.limit = limit


class NoRoomError(BpevizError):
    """A work that was not saved because others would have to be deleted: the ``reason``, and the ``limit``.

    The reasons: everything saved takes ``limit`` bytes (full), everything of one person does (share), or one
    person began that many works within an hour (often).
    """

    Reason = Literal["full", "share", "often"]

    def __init__(self, reason: Reason, limit: int) -> None:
        size = f"{limit / 1_000_000:,.0f} MB"
        remedy = "It stays on this page: download it as a file, or delete saved work that you no longer need."
        messages = {
            "full": f"All saved work together may take {size}, and there is no room for this. {remedy}",
            "share": f"Saved work from your address may take {size}, and there is no room for this. {remedy}",
            "often": f"From your address {limit:,} new works were saved within an hour, and no more are "
            "taken. It stays on this page: download it as a file, or wait for an hour.",
        }
        super().__init__(messages[reason])
        self.reason = reason
        self.limit = limit


class WorkChangedError(BpevizError):
    """A work, ``work_id``, that somebody else saved in the meantime."""

    def __init__(self, work_id: str) -> None:
        super().__init__("This work was changed elsewhere, as in another tab. Save it as another work.")
        self.work_id = work_id


class WorkIdError(BpevizError):
    """A text, ``work_id``, that is not the id of any work."""

    def __init__(self, work_id: str) -> None:
        shown = work_id if len(work_id) <= 40 else work_id[:40] + "…"
        super().__init__(
            f"There is no work with the id {shown!r}. Copy the whole address again, or begin anew."
        )
        self.work_id = work_id


class TextDigestError(BpevizError):
    """A text that does not have its ``digest``, or a digest that is not a SHA-256 in hexadecimal."""

    def __init__(self, digest: str) -> None:
        shown = digest if len(digest) <= 64 else digest[:64] + "…"
        super().__init__(
            f"The text is not the one with the SHA-256 {shown!r}, so nothing was saved. "
            "Give text_digest() of it."
        )
        self.digest = digest


class DamagedWorkError(BpevizError):
    """A saved work, ``work_id``, that is not what was saved, for example because a disk failed; ``digests``
    of the damaged texts, none if it is the state."""

    def __init__(self, work_id: str, digests: Sequence[str]) -> None:
        super().__init__(
            "This work was damaged on the disk and cannot be shown as it was. Begin a new one, and have the "
            "disk checked."
        )
        self.work_id = work_id
        self.digests = tuple(digests)


class WorkDocumentError(BpevizError):
    """Something that should be a saved work and is not, for a ``reason``."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This is no work that can be opened here: {reason}.")
        self.reason = reason
