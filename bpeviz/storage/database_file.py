"""One SQLite file that threads and processes share: opened, checked, refused, moved aside if it is corrupt.

work_store.py knows what the tables mean. Two things hold whatever happens to the file: this module loses no
committed transaction, and it never changes another program's file.
"""

import contextlib
import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from bpeviz.storage.errors import StorageError

__all__ = ["DatabaseFile", "Schema"]

Result = TypeVar("Result")
Identity = tuple[int, int]

#: How often a transaction is tried again on a fresh file, because its file was corrupt or gone.
MOST_ATTEMPTS = 3
#: The write-ahead log is cut to this many bytes after a large transaction.
MOST_LOG_BYTES = 4_000_000
#: The size of a file that keeps room on the disk, for a write that has to succeed on a full disk.
RESERVE_BYTES = 1_000_000
#: After so many pages SQLite copies the log into the file. Few, so that the reserve is enough for it.
CHECKPOINT_PAGES = 200
#: How many pages go back to a full disk at a time: giving them back takes that much of the reserve.
PAGES_AT_ONCE = 64
#: One page of the smallest size, in bytes.
SMALLEST_DATABASE = 512
#: Files that SQLite keeps beside a database; they must never end up beside another database.
COMPANIONS = ("-wal", "-shm", "-journal")
CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


@dataclass(frozen=True)
class Schema:
    """The tables of a file: ``script`` makes them, ``application_id`` says whose they are (a number of 31
    bits that SQLite keeps for that), ``version`` counts the changes of the script. A file of an older version
    is set aside."""

    application_id: int
    version: int
    script: str


class DatabaseFile:
    """An open SQLite file in write-ahead mode.

    - ``path``: the file, symbolic links resolved;
    - ``set_aside``: where a corrupt file was moved, with SQLite's files beside it; None if there was none.
      This module never changes or deletes it.

    There is one connection, behind a lock. Transactions take a fraction of a millisecond, and SQLite has one
    writer at a time anyway. A connection for each thread would stay open as long as its thread; one for each
    call would copy the whole log into the file at every call. Between processes, SQLite's locks do the work.

    The log is synchronised at every commit (``synchronous = FULL``): committed data survives the end of the
    process, and a power failure if the disk writes what it reports as written.
    """

    def __init__(self, path: Path, schema: Schema, busy_seconds: float) -> None:
        """Open the file, or make it.

        -> StorageError
        """
        self._connection: sqlite3.Connection | None = None
        self.path = Path(os.path.realpath(path))
        self.set_aside: Path | None = None
        self._schema = schema
        self._busy_seconds = busy_seconds
        self._lock = threading.Lock()
        self._identity: Identity | None = None
        self._closed = False
        with self._storage_errors():
            self._open()
        self._keep_reserve()

    def read(self, do: Callable[[sqlite3.Connection], Result]) -> Result:
        """Call ``do`` in a transaction that sees the file at one moment; returns what ``do`` returns.

        -> StorageError
        """
        return self._transaction("BEGIN", do)

    def write(self, do: Callable[[sqlite3.Connection], Result], *, on_full_disk: bool = False) -> Result:
        """Call ``do`` in a transaction that changes everything or, if anything is raised, nothing.

        ``do`` is called again if the file turns out to be corrupt or replaced, and must not use this object.
        ``on_full_disk`` is for changes that make room: they may use the reserve.

        -> StorageError
        """
        try:
            return self._transaction("BEGIN IMMEDIATE", do)
        except StorageError as error:
            if error.reason != "full" or not on_full_disk or not self._release_reserve():
                raise
        try:
            # A full vacuum moves pages, and a checkpoint makes the file longer: both need room at once.
            self._set("auto_vacuum = INCREMENTAL", "wal_autocheckpoint = 0")
            result = self._transaction("BEGIN IMMEDIATE", do)
            self._give_back()
        finally:
            self._set("auto_vacuum = FULL", f"wal_autocheckpoint = {CHECKPOINT_PAGES}")
            self._keep_reserve()
        return result

    def close(self) -> None:
        """Close the file; closing it again does nothing. Any other use afterwards raises ValueError."""
        with self._lock, self._storage_errors():
            self._closed = True
            self._disconnect()

    def __del__(self) -> None:
        """Close the file if it is still open: Python 3.13 warns about connections that were never closed."""
        if self._connection is not None:
            self._disconnect()

    def _keep_reserve(self) -> None:
        """Make the reserve, or as much of it as the disk has room for."""
        path = _beside(self.path, ".reserve")
        with contextlib.suppress(OSError):
            _make_private(path)
            with path.open("ab") as reserve:
                while reserve.tell() < RESERVE_BYTES:
                    reserve.write(os.urandom(RESERVE_BYTES // 50))  # zeros take no room on some disks
                    reserve.flush()

    def _release_reserve(self) -> bool:
        """Delete the reserve; returns whether there was any."""
        try:
            _beside(self.path, ".reserve").unlink()
        except OSError:
            return False
        return True

    def _set(self, *settings: str) -> None:
        with self._lock, contextlib.suppress(sqlite3.Error):
            for setting in settings:
                if self._connection is not None:
                    self._connection.execute(f"PRAGMA {setting}").fetchall()

    def _give_back(self) -> None:
        """Give free pages and the log back to the disk, a few pages at a time, as far as possible."""
        with self._lock, contextlib.suppress(sqlite3.Error):
            while self._connection is not None and (free := _pragma(self._connection, "freelist_count")):
                self._connection.execute(f"PRAGMA incremental_vacuum({PAGES_AT_ONCE})").fetchall()
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                if _pragma(self._connection, "freelist_count") >= free:
                    return

    def _transaction(self, begin: str, do: Callable[[sqlite3.Connection], Result]) -> Result:
        with self._lock, self._storage_errors():
            if self._closed:
                raise ValueError("This database file is closed.")
            for _ in range(MOST_ATTEMPTS):
                if self._identity is None or self._identity != self._identity_now():
                    self._open()
                try:
                    result = self._once(begin, do)
                except sqlite3.DatabaseError as error:
                    if _code(error) not in CORRUPT:
                        raise
                    self._open(corrupt=self._identity)
                    continue
                # Another process may have moved the file aside meanwhile: then this went to the moved file.
                if self._identity == self._identity_now():
                    return result
            raise StorageError(str(self.path), "unavailable", "another process keeps replacing it")

    def _once(self, begin: str, do: Callable[[sqlite3.Connection], Result]) -> Result:
        connection = self._connection
        assert connection is not None  # noqa: S101  (only _open and _disconnect change it)
        connection.execute(begin)
        try:
            result = do(connection)
            connection.execute("COMMIT")
        except BaseException:
            # A failed rollback must not hide the first error; SQLite rolls back when the file is reopened.
            with contextlib.suppress(sqlite3.Error):
                connection.rollback()
            raise
        return result

    def _open(self, corrupt: Identity | None = None) -> None:
        """Open the file at the path; if it is still the ``corrupt`` one, move that away first."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._opening():
            now = self._identity_now()
            # A log without its database is left over from an interrupted move, or from a deletion.
            orphans = now is None and any(_beside(self.path, c).exists() for c in COMPANIONS)
            if orphans or (now is not None and now == corrupt):
                self._move_aside()
            self._disconnect()
            try:
                self._connect()
            except _CorruptError:
                self._connect()

    @contextlib.contextmanager
    def _opening(self) -> Iterator[None]:
        """Lock: only one process opens, makes or moves the file at a time. SQLite locks the same way on every
        system, so the lock is an empty database. It ends with its process."""
        path = _beside(self.path, ".lock")
        _make_private(path)
        with contextlib.closing(
            sqlite3.connect(path, timeout=self._busy_seconds, isolation_level=None)
        ) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            yield

    def _connect(self) -> None:
        """Connect to the file. A corrupt one is moved away, and _CorruptError raised."""
        self._refuse_untouched()
        _make_private(self.path)
        connection = sqlite3.connect(
            self.path, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare(connection)
            self._identity = self._identity_now()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # from a message that quotes the file
            # Moved before it is closed: SQLite leaves a moved file alone. Otherwise it would copy the log
            # into the file and delete the log.
            if isinstance(error, UnicodeDecodeError) or _code(error) in CORRUPT:
                self._move_aside()
                raise _CorruptError(str(error)) from error
            raise
        finally:
            if self._identity is None:
                connection.close()
        self._connection = connection

    def _disconnect(self) -> None:
        connection, self._connection, self._identity = self._connection, None, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):  # of a file that is corrupt
                connection.close()

    def _refuse_untouched(self) -> None:
        """Refuse a file that is not ours without changing a byte of it or of its log.

        Other problems appear when it is opened for use. Only SQLite reads it: closing a file drops all locks
        that this process has on it.
        """
        if self._identity_now() is None or self.path.stat().st_size == 0:
            return
        log = _beside(self.path, "-wal")
        uri = f"{self.path.as_uri()}?{'mode=ro' if log.exists() else 'immutable=1'}"
        with (
            contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError),
            contextlib.closing(sqlite3.connect(uri, timeout=self._busy_seconds, uri=True)) as connection,
        ):
            self._is_made(connection)

    def _is_made(self, connection: sqlite3.Connection) -> bool:
        """Whether the tables are there.

        -> StorageError if they are another application's, or of a newer version
        """
        application_id, version = (_pragma(connection, name) for name in ("application_id", "user_version"))
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application_id == self._schema.application_id:
            if version > self._schema.version:
                raise StorageError(str(self.path), "newer")
            return bool(tables)
        if tables:
            raise StorageError(str(self.path), "foreign")
        return False

    def _prepare(self, connection: sqlite3.Connection) -> None:
        if 0 < self.path.stat().st_size < SMALLEST_DATABASE:  # SQLite would think that it is empty
            raise _CorruptError("It is shorter than any database.")
        connection.text_factory = _decode
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA journal_size_limit = {MOST_LOG_BYTES}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        if not self._is_made(connection):
            # Before the log is switched on, so that the file itself says from the start whose it is. Free
            # pages go back to the disk at every commit: deletions are rare and large.
            connection.execute("PRAGMA auto_vacuum = FULL")
            connection.executescript(
                f"BEGIN EXCLUSIVE; {self._schema.script}"
                f"PRAGMA application_id = {self._schema.application_id};"
                f"PRAGMA user_version = {self._schema.version}; COMMIT"
            )
        elif _pragma(connection, "user_version") < self._schema.version:
            raise _CorruptError("Its tables are those of an older version.")
        connection.execute("PRAGMA journal_mode = WAL")
        # Refuse a read-only file now, not at the first save.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA user_version = {self._schema.version}")
        connection.execute("ROLLBACK")
        self._check(connection)

    def _check(self, connection: sqlite3.Connection) -> None:
        """Check the file for damage, except in the middle of a long value.

        This runs once per server: 0.2 s for 500 MB of long texts, 0.7 s for short works, and as much again if
        they come from the disk. A quick_check takes half of that, but misses rows that no index finds.

        -> _CorruptError
        """
        fault = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if fault != "ok":
            raise _CorruptError(fault)
        with contextlib.closing(sqlite3.connect(":memory:")) as model:
            model.executescript(self._schema.script)
            if missing := _definitions(model) - _definitions(connection):
                raise _CorruptError(f"It lacks {sorted(missing)[0]}.")

    def _move_aside(self) -> None:
        """Rename the file and those beside it. One process does this at a time, so nothing is overwritten."""
        time = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        count = 0
        while True:
            count += 1
            aside = _beside(self.path, f".corrupt-{time}" + (f"-{count}" if count > 1 else ""))
            if not any(os.path.lexists(_beside(aside, c)) for c in ("", *COMPANIONS)):
                break
        for companion in ("", *COMPANIONS):
            with contextlib.suppress(FileNotFoundError):
                _beside(self.path, companion).rename(_beside(aside, companion))
        self.set_aside = aside

    def _identity_now(self) -> Identity | None:
        """The identity of the file at the path, different for a file that replaces it; None if there is
        none."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    @contextlib.contextmanager
    def _storage_errors(self) -> Iterator[None]:
        """Turn errors of SQLite and the system into StorageError."""
        try:
            yield
        except sqlite3.Error as error:
            reasons: dict[int, StorageError.Reason] = {
                sqlite3.SQLITE_FULL: "full",
                sqlite3.SQLITE_BUSY: "locked",
                sqlite3.SQLITE_LOCKED: "locked",
            }
            reason = reasons.get(_code(error), "unavailable")
            raise StorageError(str(self.path), reason, str(error)) from error
        except OSError as error:
            full = error.errno == errno.ENOSPC
            detail = error.strerror or str(error)
            raise StorageError(str(self.path), "full" if full else "unavailable", detail) from error


class _CorruptError(sqlite3.DatabaseError):
    """The file is damaged, or its tables are not those of the schema."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary code of an error, without the details in the rest of the code."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _decode(data: bytes) -> str:
    """A text from a file that may be damaged; invalid UTF-8 does not stop the reading."""
    return data.decode("utf-8", "replace")


def _definitions(connection: sqlite3.Connection) -> set[str]:
    """The definitions of the tables."""
    return {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _make_private(path: Path) -> None:
    """Make an empty file that only its owner may read, if there is none: SQLite's files get its mode."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
