"""What people's browser addresses keep, in one SQLite file: works, and the texts they refer to.

A work is a small document, its state, written at every click, and the long texts that the state refers to by
their SHA-256, each written once however many works need it. What the state and the texts mean is not known
here, and how the file is opened, refused or set aside is in database_file.py.
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

from bpeviz.database_file import DatabaseFile, Schema
from bpeviz.errors import (
    DamagedWorkError,
    TextDigestError,
    WorkChangedError,
    WorkIdError,
    WorkTooLargeError,
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
#: For how many seconds another process is waited for that writes.
BUSY_SECONDS = 5.0
#: 16 bytes in base64url: the last character holds two bits only.
WORK_ID = re.compile(r"[A-Za-z0-9_-]{21}[AQgw]")
DIGEST = re.compile(r"[0-9a-f]{64}")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

#: A text goes with the last work that uses it, whatever takes that away: a deletion, the limits, a change.
SCHEMA = Schema(
    application_id=int.from_bytes(b"bpev"),
    version=1,
    script="""
        CREATE TABLE works (
            work_id TEXT NOT NULL PRIMARY KEY,
            changed_at INTEGER NOT NULL,  -- microseconds since 1970, UTC
            checksum BLOB NOT NULL,       -- SHA-256 of title, state and the digests of its texts
            title BLOB NOT NULL,          -- UTF-8, lone surrogates as they are
            state BLOB NOT NULL           -- likewise
        );
        CREATE INDEX works_by_change ON works (changed_at);
        CREATE TABLE texts (
            digest TEXT NOT NULL PRIMARY KEY,  -- SHA-256 of data
            data BLOB NOT NULL
        );
        CREATE TABLE uses (
            work_id TEXT NOT NULL REFERENCES works ON DELETE CASCADE,
            digest TEXT NOT NULL REFERENCES texts,
            PRIMARY KEY (work_id, digest)
        ) WITHOUT ROWID;
        CREATE INDEX uses_by_digest ON uses (digest);
        CREATE TRIGGER drop_unused_text AFTER DELETE ON uses BEGIN
            DELETE FROM texts WHERE digest = old.digest
            AND NOT EXISTS (SELECT 1 FROM uses WHERE digest = old.digest);
        END;
    """,
)


@dataclass(frozen=True)
class WorkLimits:
    """How much is kept.

    - ``work_bytes``: at most, of one work: title, state and texts together;
    - ``total_bytes``: at most, of the file: where it grows above, the works that were changed longest ago go;
    - ``age_days``: how long a work is kept after its last change.
    """

    work_bytes: int
    total_bytes: int
    age_days: float


@dataclass(frozen=True)
class SavedWork:
    """A work as it was saved last, at ``changed_at`` (UTC); ``texts`` by their digests."""

    work_id: str
    title: str
    state: str
    texts: Mapping[str, bytes]
    changed_at: datetime


@dataclass(frozen=True)
class WorkSummary:
    """A work in a list: ``byte_total`` is the size of its title, state and texts, also of those it shares."""

    work_id: str
    title: str
    changed_at: datetime
    byte_total: int


def new_work_id() -> str:
    """A name for a new work that nobody can guess: 128 random bits, as 22 characters fit for a URL."""
    return secrets.token_urlsafe(16)


def is_work_id(text: str) -> bool:
    """Whether a text, from anywhere, is of the form that new_work_id() gives."""
    return WORK_ID.fullmatch(text) is not None


def text_digest(data: bytes) -> str:
    """The name of a text: its SHA-256 in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def data_directory() -> Path:
    """Where works are kept: the environment's BPEVIZ_DATA, or else what the system has for a user's data."""
    if chosen := os.environ.get("BPEVIZ_DATA"):
        return Path(chosen).expanduser()
    import platformdirs  # not needed where the directory is given

    return platformdirs.user_data_path("bpeviz", appauthor=False)


class WorkStore:
    """The works in one directory. Any number of threads may share it, and any number of processes the file.

    What save and delete have returned from outlives the end of the process. All methods raise StorageError
    where the file cannot be used, and nothing is changed then.
    """

    def __init__(self, file: DatabaseFile, limits: WorkLimits) -> None:
        self._file = file
        self._limits = limits
        # Texts known to be in the file as their digests say: written or read by this object.
        self._sound: set[str] = set()

    @classmethod
    def open(cls, directory: Path, limits: WorkLimits, *, busy_seconds: float = BUSY_SECONDS) -> "WorkStore":
        """Open the store of a directory, or make both. A corrupt file is set aside, and a fresh one begun.

        -> StorageError
        """
        return cls(DatabaseFile(directory / FILE_NAME, SCHEMA, busy_seconds), limits)

    @property
    def path(self) -> Path:
        """The file that holds all."""
        return self._file.path

    @property
    def set_aside(self) -> Path | None:
        """Where a file went that was found corrupt, at opening or later; None where none was."""
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
    ) -> None:
        """Save a work in place of what was saved under its id, then drop what the limits leave no room for.

        ``texts`` are all that the work refers to now: by digest, a function that gives the bytes. It is
        called only for a text that is not stored, in the middle of saving, and must not use the store.
        ``replaces`` is the state that the caller takes to be saved; where it is another, somebody else saved.

        -> WorkChangedError, WorkTooLargeError, WorkIdError, TextDigestError, StorageError; all that was saved
        before is then as it was
        """
        _check_work_id(work_id)
        for digest in texts:
            if DIGEST.fullmatch(digest) is None:
                raise TextDigestError(digest)

        def write(connection: sqlite3.Connection) -> None:
            if replaces is not None:
                _check_unchanged(connection, work_id, _encode(replaces))
            self._save(connection, work_id, _encode(title), _encode(state), texts)

        self._file.write(write)
        self._sound.update(texts)

    def load(self, work_id: str) -> SavedWork | None:
        """A work as it was saved last; None where there is none.

        -> DamagedWorkError, WorkIdError, StorageError
        """
        _check_work_id(work_id)
        row, texts = self._file.read(lambda connection: _rows_of(connection, work_id))
        if row is None:
            return None
        changed_at, checksum, title, state = row
        # A file that is sound to SQLite may still hold other bytes than were written.
        damaged = [digest for digest, data in texts.items() if data is None or text_digest(data) != digest]
        self._sound.difference_update(damaged)
        if damaged or _checksum(title, state, texts) != checksum:
            raise DamagedWorkError(work_id, damaged)
        self._sound.update(texts)
        return SavedWork(work_id, _decode(title), _decode(state), texts, _moment(changed_at))

    def recent(self, most: int) -> list[WorkSummary]:
        """At most so many works, the one changed last first.

        -> StorageError
        """
        query = """
            SELECT work_id, title, changed_at, length(title) + length(state) + (
                SELECT coalesce(sum(length(data)), 0) FROM uses JOIN texts USING (digest)
                WHERE uses.work_id = works.work_id)
            FROM works ORDER BY changed_at DESC, rowid DESC LIMIT ?
        """
        rows = self._file.read(lambda connection: connection.execute(query, (max(most, 0),)).fetchall())
        return [WorkSummary(i, _decode(title), _moment(changed), size) for i, title, changed, size in rows]

    def delete(self, work_id: str) -> None:
        """Forget a work, and the texts that no other needs; of one that is not there, nothing.

        -> WorkIdError, StorageError
        """
        _check_work_id(work_id)
        self._file.write(lambda connection: _delete(connection, work_id))

    def byte_total(self) -> int:
        """The size of all that is kept, in bytes of the file.

        -> StorageError
        """
        return self._file.read(_bytes_in_use)

    def _save(
        self,
        connection: sqlite3.Connection,
        work_id: str,
        title: bytes,
        state: bytes,
        texts: Mapping[str, Callable[[], bytes]],
    ) -> None:
        byte_total = len(title) + len(state)
        for digest, get in texts.items():
            byte_total += self._keep_text(connection, digest, get, self._limits.work_bytes - byte_total)
        if byte_total > self._limits.work_bytes:
            raise WorkTooLargeError(byte_total, self._limits.work_bytes)
        now = time.time_ns() // 1000
        connection.execute(
            """INSERT INTO works (work_id, changed_at, checksum, title, state) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (work_id) DO UPDATE SET changed_at = excluded.changed_at,
            checksum = excluded.checksum, title = excluded.title, state = excluded.state""",
            (work_id, now, _checksum(title, state, texts), title, state),
        )
        used = {row[0] for row in connection.execute("SELECT digest FROM uses WHERE work_id = ?", (work_id,))}
        connection.executemany("INSERT INTO uses VALUES (?, ?)", [(work_id, d) for d in texts.keys() - used])
        connection.executemany(
            "DELETE FROM uses WHERE work_id = ? AND digest = ?", [(work_id, d) for d in used - texts.keys()]
        )
        self._prune(connection, work_id, now)

    def _keep_text(
        self, connection: sqlite3.Connection, digest: str, get: Callable[[], bytes], room: int
    ) -> int:
        """Write a text of at most ``room`` bytes unless it is stored; gives its size."""
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

    def _prune(self, connection: sqlite3.Connection, saved: str, now: int) -> None:
        """Let works go that are too old, then the oldest until the rest fits; never the one just saved."""
        oldest_kept = now - self._limits.age_days * 86_400e6
        connection.execute("DELETE FROM works WHERE changed_at < ? AND work_id <> ?", (oldest_kept, saved))
        while _bytes_in_use(connection) > self._limits.total_bytes:
            query = "SELECT work_id FROM works WHERE work_id <> ? ORDER BY changed_at, rowid LIMIT 1"
            oldest = connection.execute(query, (saved,)).fetchone()
            if oldest is None:
                return
            _delete(connection, oldest[0])


def _rows_of(
    connection: sqlite3.Connection, work_id: str
) -> tuple[tuple[int, bytes, bytes, bytes] | None, dict[str, bytes]]:
    row = connection.execute(
        "SELECT changed_at, checksum, title, state FROM works WHERE work_id = ?", (work_id,)
    ).fetchone()
    texts = connection.execute(
        "SELECT digest, data FROM uses LEFT JOIN texts USING (digest) WHERE work_id = ?", (work_id,)
    )
    return row, dict(texts)


def _check_unchanged(connection: sqlite3.Connection, work_id: str, state: bytes) -> None:
    row = connection.execute("SELECT state FROM works WHERE work_id = ?", (work_id,)).fetchone()
    if row is not None and row[0] != state:
        raise WorkChangedError(work_id)


def _delete(connection: sqlite3.Connection, work_id: str) -> None:
    connection.execute("DELETE FROM works WHERE work_id = ?", (work_id,))


def _is_sound(connection: sqlite3.Connection, digest: str) -> bool:
    data = connection.execute("SELECT data FROM texts WHERE digest = ?", (digest,)).fetchone()[0]
    return text_digest(data) == digest


def _bytes_in_use(connection: sqlite3.Connection) -> int:
    """The size that the file will have once the transaction is committed and the log copied into it."""
    pages, free, page_size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * page_size)


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
    return EPOCH + timedelta(microseconds=microseconds)
