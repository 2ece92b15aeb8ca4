"""Saved works by the id in the page's address, and their texts, in one SQLite file.

A work is a small document, its state, written at every click, and the long texts that the state refers to by
their SHA-256. Each text is written once, however many works need it. work_document.py knows what the state
means. work_room.py decides how long works are kept and what is removed first; database_file.py opens, refuses
or moves the file.
"""

import hashlib
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bpeviz.storage.database_file import DatabaseFile
from bpeviz.storage.errors import (
    DamagedWorkError,
    StorageError,
    TextDigestError,
    WorkChangedError,
    WorkIdError,
    WorkTooLargeError,
)
from bpeviz.storage.work_room import (
    SCHEMA,
    WorkLimits,
    advance,
    bytes_in_use,
    check_person,
    drop_deleted,
    drop_old,
    make_room,
)

__all__ = [
    "SavedWork",
    "WorkLimits",
    "WorkStore",
    "WorkSummary",
    "data_directory",
    "is_work_id",
    "new_work_id",
    "text_digest",
]

FILE_NAME = "bpeviz.sqlite3"
#: How many seconds to wait for another process that writes.
BUSY_SECONDS = 5.0
#: 16 bytes in base64url: the last character holds two bits only.
WORK_ID = re.compile(r"[A-Za-z0-9_-]{21}[AQgw]")
DIGEST = re.compile(r"[0-9a-f]{64}")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class SavedWork:
    """A work, last saved at ``changed_at`` (UTC); ``texts`` by their digests."""

    work_id: str
    title: str
    state: str
    texts: Mapping[str, bytes]
    changed_at: datetime


@dataclass(frozen=True)
class WorkSummary:
    """A work in a list; ``byte_total`` is the size of its title, state and texts, shared ones included."""

    work_id: str
    title: str
    changed_at: datetime
    byte_total: int


def new_work_id() -> str:
    """An id for a new work: 128 random bits, so it cannot be guessed, as 22 characters for a URL."""
    return secrets.token_urlsafe(16)


def is_work_id(text: str) -> bool:
    """Whether a text from anywhere has the form of a new_work_id()."""
    return WORK_ID.fullmatch(text) is not None


def text_digest(data: bytes) -> str:
    """The name of a text: its SHA-256 in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def data_directory() -> Path:
    """The folder of saved works: BPEVIZ_DATA in the environment, or else the system's folder for user
    data."""
    if chosen := os.environ.get("BPEVIZ_DATA"):
        return Path(chosen).expanduser()
    import platformdirs  # not needed if the folder is given

    return platformdirs.user_data_path("bpeviz", appauthor=False)


class WorkStore:
    """The works in one directory. Any number of threads may share it, and any number of processes the file.

    When save and delete return, the change survives the end of the process. All methods raise StorageError if
    the file cannot be used, and change nothing then.
    """

    def __init__(self, file: DatabaseFile, limits: WorkLimits) -> None:
        self._file = file
        self._limits = limits
        # Digests of texts that this object has written or read, so they are in the file and not damaged.
        self._sound: set[str] = set()

    @classmethod
    def open(cls, directory: Path, limits: WorkLimits, *, busy_seconds: float = BUSY_SECONDS) -> "WorkStore":
        """Open the store of a directory, or make both. A corrupt file is moved aside for a fresh one.

        -> StorageError
        """
        return cls(DatabaseFile(directory / FILE_NAME, SCHEMA, busy_seconds), limits)

    @property
    def path(self) -> Path:
        """The file that holds everything."""
        return self._file.path

    @property
    def set_aside(self) -> Path | None:
        """Where a corrupt file was moved, at opening or later; None if there was none."""
        return self._file.set_aside

    def close(self) -> None:
        """Close the file; closing it again does nothing. Any other use afterwards is a ValueError."""
        self._file.close()

    def save(
        self,
        work_id: str,
        title: str,
        state: str,
        texts: Mapping[str, Callable[[], bytes]],
        *,
        replaces: str | None = None,
        person: str = "",
    ) -> None:
        """Save a work under its id, replacing what was saved before; then remove what is over the limits.

        Saving a deleted work restores it.

        ``texts`` are all texts that the work refers to now: by digest, a function that returns the bytes. It
        is called only for a text that is not stored, in the middle of saving, and must not use the store.
        ``replaces`` is the state that the caller believes is saved; if it is another, somebody else saved.
        ``person`` is anything that identifies who saves; only a hash of it is kept, and only for the first
        save of a work.

        -> WorkChangedError, WorkTooLargeError, NoRoomError, WorkIdError, TextDigestError, StorageError;
        nothing that was saved before changes then
        """
        _check_work_id(work_id)
        for digest in texts:
            if DIGEST.fullmatch(digest) is None:
                raise TextDigestError(digest)

        def write(connection: sqlite3.Connection) -> None:
            if replaces is not None:
                _check_unchanged(connection, work_id, _encode(replaces))
            self._save(connection, work_id, _encode(title), _encode(state), texts, person=person)

        try:
            self._file.write(write)
        except StorageError as error:
            if error.reason != "full" or not self.deleted(1):
                raise
            self._file.write(drop_deleted, on_full_disk=True)
            self._file.write(write)
        self._sound.update(texts)

    def load(self, work_id: str) -> SavedWork | None:
        """A work as last saved; None if there is none.

        -> DamagedWorkError, WorkIdError, StorageError
        """
        _check_work_id(work_id)
        row, texts = self._file.read(lambda connection: _rows_of(connection, work_id))
        if row is None:
            return None
        changed_at, checksum, title, state = row
        # A file that SQLite finds sound may still hold other bytes than were written.
        damaged = [digest for digest, data in texts.items() if data is None or text_digest(data) != digest]
        self._sound.difference_update(damaged)
        if damaged or _checksum(title, state, texts) != checksum:
            raise DamagedWorkError(work_id, damaged)
        self._sound.update(texts)
        return SavedWork(work_id, _decode(title), _decode(state), texts, _moment(changed_at))

    def recent(self, most: int) -> list[WorkSummary]:
        """At most so many works, the last changed first, without deleted ones.

        -> StorageError
        """
        return self._listed("deleted IS NULL ORDER BY changed DESC", most)

    def deleted(self, most: int) -> list[WorkSummary]:
        """At most so many deleted works that can be restored, the last deleted first.

        -> StorageError
        """
        return self._listed("deleted IS NOT NULL ORDER BY deleted DESC", most)

    def _listed(self, which: str, most: int) -> list[WorkSummary]:
        query = f"""
            SELECT work_id, title, changed_at, length(title) + length(state) + (
                SELECT coalesce(sum(length(data)), 0) FROM uses JOIN texts USING (digest)
                WHERE uses.work_id = works.work_id)
            FROM works JOIN lives USING (work_id) WHERE {which} LIMIT ?
        """  # noqa: S608
        rows = self._file.read(lambda connection: connection.execute(query, (max(most, 0),)).fetchall())
        return [WorkSummary(i, _decode(title), _moment(changed), size) for i, title, changed, size in rows]

    def delete(self, work_id: str) -> None:
        """Delete a work; it can be restored for a day or more. Does nothing if there is none.

        This works on a full disk too.

        -> WorkIdError, StorageError
        """
        _check_work_id(work_id)

        def write(connection: sqlite3.Connection) -> None:
            now = advance(connection, time.time_ns() // 1000)
            connection.execute(
                "UPDATE lives SET deleted = ? WHERE work_id = ? AND deleted IS NULL", (now, work_id)
            )

        self._file.write(write, on_full_disk=True)

    def restore(self, work_id: str) -> bool:
        """Undo the deletion of a work; returns whether it is there now.

        -> WorkIdError, StorageError
        """
        _check_work_id(work_id)

        def write(connection: sqlite3.Connection) -> bool:
            restored = connection.execute("UPDATE lives SET deleted = NULL WHERE work_id = ?", (work_id,))
            return restored.rowcount > 0

        return self._file.write(write, on_full_disk=True)

    def is_deleted(self, work_id: str) -> bool:
        """Whether a work is deleted and can be restored.

        -> WorkIdError, StorageError
        """
        _check_work_id(work_id)
        query = "SELECT 1 FROM lives WHERE work_id = ? AND deleted IS NOT NULL"
        return self._file.read(lambda c: c.execute(query, (work_id,)).fetchone()) is not None

    def byte_total(self) -> int:
        """The size of everything that is kept, in bytes of the file.

        -> StorageError
        """
        return self._file.read(bytes_in_use)

    def _save(
        self,
        connection: sqlite3.Connection,
        work_id: str,
        title: bytes,
        state: bytes,
        texts: Mapping[str, Callable[[], bytes]],
        *,
        person: str,
    ) -> None:
        before = bytes_in_use(connection)
        system_now = time.time_ns() // 1000
        now = advance(connection, system_now)
        used = {row[0] for row in connection.execute("SELECT digest FROM uses WHERE work_id = ?", (work_id,))}
        byte_total = len(title) + len(state)
        for digest, get in texts.items():
            byte_total += self._keep_text(connection, digest, get, self._limits.work_bytes - byte_total)
        if byte_total > self._limits.work_bytes:
            raise WorkTooLargeError(byte_total, self._limits.work_bytes)
        connection.execute(
            """INSERT INTO works (work_id, changed_at, checksum, title, state) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (work_id) DO UPDATE SET changed_at = excluded.changed_at,
            checksum = excluded.checksum, title = excluded.title, state = excluded.state""",
            (work_id, system_now, _checksum(title, state, texts), title, state),
        )
        connection.executemany("INSERT INTO uses VALUES (?, ?)", [(work_id, d) for d in texts.keys() - used])
        connection.executemany(
            "DELETE FROM uses WHERE work_id = ? AND digest = ?", [(work_id, d) for d in used - texts.keys()]
        )
        created = self._live(connection, work_id, now, person)
        drop_old(connection, self._limits, now, work_id)
        grows = created == now or bool(texts.keys() - used)
        make_room(connection, self._limits, now, work_id, before, grows=grows)

    def _live(self, connection: sqlite3.Connection, work_id: str, now: int, person: str) -> int:
        """Note that a work changed now, and who began it if it is new; returns when it was created.

        -> NoRoomError
        """
        created, by = connection.execute(
            "SELECT created, person FROM lives WHERE work_id = ?", (work_id,)
        ).fetchone()
        if created == now and person:
            secret = connection.execute("SELECT secret FROM clock").fetchone()[0]
            by = hashlib.blake2b(_encode(person), key=secret, digest_size=16).digest()
        connection.execute(
            "UPDATE lives SET changed = ?, deleted = NULL, person = ? WHERE work_id = ?", (now, by, work_id)
        )
        if by:
            check_person(connection, self._limits, now, by)
        return int(created)

    def _keep_text(
        self, connection: sqlite3.Connection, digest: str, get: Callable[[], bytes], room: int
    ) -> int:
        """Write a text of at most ``room`` bytes unless it is stored; returns its size."""
        stored = connection.execute("SELECT length(data) FROM texts WHERE digest = ?", (digest,)).fetchone()
        if stored and (digest in self._sound or _is_sound(connection, digest)):
            return int(stored[0])
        data = get()
        if text_digest(data) != digest:
            raise TextDigestError(digest)
        if len(data) <= room:
            connection.execute(
                "INSERT INTO texts VALUES (?, ?) ON CONFLICT (digest) DO UPDATE SET data = excluded.data",
                (digest, data),
            )
        return len(data)


def _rows_of(
    connection: sqlite3.Connection, work_id: str
) -> tuple[tuple[int, bytes, bytes, bytes] | None, dict[str, bytes]]:
    row = connection.execute(
        """SELECT changed_at, checksum, title, state FROM works JOIN lives USING (work_id)
        WHERE work_id = ? AND deleted IS NULL""",
        (work_id,),
    ).fetchone()
    texts = connection.execute(
        "SELECT digest, data FROM uses LEFT JOIN texts USING (digest) WHERE work_id = ?", (work_id,)
    )
    return row, dict(texts)


def _check_unchanged(connection: sqlite3.Connection, work_id: str, state: bytes) -> None:
    row = connection.execute("SELECT state FROM works WHERE work_id = ?", (work_id,)).fetchone()
    if row is not None and row[0] != state:
        raise WorkChangedError(work_id)


def _is_sound(connection: sqlite3.Connection, digest: str) -> bool:
    data = connection.execute("SELECT data FROM texts WHERE digest = ?", (digest,)).fetchone()[0]
    return text_digest(data) == digest


def _check_work_id(work_id: str) -> None:
    if not is_work_id(work_id):
        raise WorkIdError(work_id)


def _checksum(title: bytes, state: bytes, digests: Iterable[str]) -> bytes:
    parts = [title, state, *(digest.encode() for digest in sorted(digests))]
    return hashlib.sha256(b"\xff".join(parts)).digest()  # a byte that UTF-8 never has


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def _moment(microseconds: int) -> datetime:
    try:
        return EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:  # not a date for Python: another program wrote it
        return EPOCH
