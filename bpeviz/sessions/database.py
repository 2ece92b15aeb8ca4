"""The SQLite file of saved sessions: opened, made, refused, or moved aside if it is damaged.

It is plain SQLite with a write-ahead log: threads and servers may share the file, and a killed server loses
nothing that was saved. Every transaction opens the file: one that was moved or deleted is simply made again.
"""

import errno
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from bpeviz.errors import StorageError
from bpeviz.sessions.rescue import rescue

__all__ = ["Database", "pragma"]

#: SQLite keeps this number in the file, to tell whose it is.
APPLICATION_ID = int.from_bytes(b"bpev")
#: Of the tables. A file with others is refused.
VERSION = 4
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
#: What SQLite keeps beside its file.
COMPANIONS = ("-wal", "-shm")

TABLES = (
    """CREATE TABLE sessions (
        saved_id TEXT NOT NULL PRIMARY KEY,
        title TEXT NOT NULL,
        visitor BLOB NOT NULL,  -- who saved it first, as a hash; empty if unknown
        used_at REAL NOT NULL,  -- when it was saved or opened last, in seconds since 1970
        deleted_at REAL,        -- NULL unless it is deleted and can be restored
        document BLOB NOT NULL
    )""",
    "CREATE INDEX sessions_by_use ON sessions (used_at)",
    "CREATE INDEX sessions_by_visitor ON sessions (visitor)",
    "CREATE TABLE texts (digest TEXT NOT NULL PRIMARY KEY, data BLOB NOT NULL)",
    """CREATE TABLE uses (
        saved_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
        digest TEXT NOT NULL REFERENCES texts,
        PRIMARY KEY (saved_id, digest)
    ) WITHOUT ROWID""",
    "CREATE INDEX uses_by_digest ON uses (digest)",
    """CREATE TRIGGER drop_unused_text AFTER DELETE ON uses BEGIN
        DELETE FROM texts WHERE digest = old.digest
        AND NOT EXISTS (SELECT 1 FROM uses WHERE digest = old.digest);
    END""",
    "CREATE TABLE secret AS SELECT randomblob(16) AS bytes",  # visitors are known by hashes with it
    """CREATE TABLE names (
        saved_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
        name TEXT NOT NULL  -- what a person calls the session
    ) WITHOUT ROWID""",
    # so that a save reads no session but its own
    "CREATE INDEX sessions_by_deletion ON sessions (deleted_at) WHERE deleted_at IS NOT NULL",
    "CREATE INDEX sessions_by_removal ON sessions (deleted_at IS NULL, used_at)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)


def pragma(connection: sqlite3.Connection, name: str) -> int:
    """Return a number that SQLite keeps in the file."""
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


class Database:
    """The file at ``path``. A damaged one is moved to ``set_aside``, and a new one is made with what can be
    read of it. If the server is ``public``, errors don't name the file: a log does."""

    def __init__(self, path: Path, busy_seconds: float, *, public: bool = False) -> None:
        """Check the file, or make it. ``busy_seconds``: how long to wait for another server that writes."""
        self.path, self._public = path, public
        self.set_aside: Path | None = None
        self._busy_seconds = busy_seconds
        try:
            with self.transaction("BEGIN") as connection:
                fault = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
                if fault != "ok":
                    raise _DamagedFileError(fault)
        except StorageError as error:
            if error.reason != "damaged":
                raise

    @contextmanager
    def transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[sqlite3.Connection]:
        """Yield the file in a transaction: all that the block changes is saved, or nothing if it raises."""
        with self._storage_errors():
            try:
                with closing(self._connect()) as connection:
                    connection.execute(begin)
                    with connection:
                        yield connection
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                # a message of SQLite that quotes a damaged file can't be decoded
                if isinstance(error, sqlite3.DatabaseError) and _code(error) not in DAMAGED:
                    raise
                self._move_aside()
                raise self._error("damaged", str(self.set_aside)) from error

    @contextmanager
    def _storage_errors(self) -> Iterator[None]:
        """Turn errors of SQLite and the system into StorageError."""
        try:
            yield
        except OSError as error:
            reason: StorageError.Reason = "full" if error.errno == errno.ENOSPC else "unavailable"
            raise self._error(reason, error.strerror or str(error)) from error
        except sqlite3.Error as error:
            reasons: dict[int, StorageError.Reason] = {
                sqlite3.SQLITE_FULL: "full",
                sqlite3.SQLITE_BUSY: "locked",
                sqlite3.SQLITE_LOCKED: "locked",
            }
            reason = reasons.get(_code(error), "unavailable")
            raise self._error(reason, str(error)) from error

    def _error(self, reason: StorageError.Reason, detail: str = "") -> StorageError:
        error = StorageError(str(self.path), reason, detail)
        if not self._public:
            return error
        logging.getLogger(__name__).error("%s", error)
        return StorageError(None, reason)

    def _connect(self) -> sqlite3.Connection:
        """Open the file, or make it, for its owner only."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path.touch(mode=0o600)
        connection = sqlite3.connect(self.path, timeout=self._busy_seconds, isolation_level=None)
        try:
            connection.text_factory = _readable
            connection.execute("PRAGMA foreign_keys = ON")
            if not self._is_made(connection):
                self._make(connection)
            with suppress(sqlite3.OperationalError):  # another server just opens it: the next call does this
                connection.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            connection.close()
            raise
        return connection

    def _is_made(self, connection: sqlite3.Connection) -> bool:
        """Return whether the tables are there. Raises StorageError if they aren't those of this version."""
        application, version = (pragma(connection, name) for name in ("application_id", "user_version"))
        if application == APPLICATION_ID and version > VERSION:
            raise self._error("newer")
        if application == APPLICATION_ID and version < VERSION:
            raise self._error("older")
        if application != APPLICATION_ID and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise self._error("foreign")
        return application == APPLICATION_ID

    def _make(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            if not self._is_made(connection):  # another server may have made them meanwhile
                for statement in TABLES:
                    connection.execute(statement)

    def _move_aside(self) -> None:
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        self.set_aside = self.path.with_name(f"{self.path.name}.corrupt-{moment}")
        for suffix in ("", *COMPANIONS):
            with suppress(FileNotFoundError):
                Path(f"{self.path}{suffix}").rename(f"{self.set_aside}{suffix}")
        with (
            suppress(sqlite3.Error, OSError, UnicodeDecodeError),
            closing(self._connect()) as connection,
            connection,
        ):
            connection.execute("BEGIN IMMEDIATE")
            rescue(self.set_aside, connection, VERSION)


class _DamagedFileError(sqlite3.DatabaseError):
    """The file has a fault that SQLite reports in words."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def _readable(data: bytes) -> str:
    """Return a text from a file that may be damaged."""
    return data.decode("utf-8", "replace")


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's primary code of an error."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
