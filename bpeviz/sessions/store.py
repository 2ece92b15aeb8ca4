"""All saved sessions of a server, in one SQLite file.

A session is a small document, saved at every change, and the long texts that the document names by their
SHA-256. A text is written once, however many sessions need it.
"""

import hashlib
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bpeviz.errors import SavedSessionError, SessionChangedError, SessionTooLargeError, StorageError
from bpeviz.sessions.database import Database, pragma

__all__ = [
    "SessionStore",
    "SessionSummary",
    "StoreLimits",
    "StoredSession",
    "data_directory",
    "is_saved_id",
    "new_saved_id",
    "text_digest",
]

FILE_NAME = "bpeviz.sqlite3"
#: 16 bytes in base64url: the last character holds two bits only.
SAVED_ID = re.compile(r"[A-Za-z0-9_-]{21}[AQgw]")
DAY = 24 * 60 * 60
REMOVE = "DELETE FROM sessions WHERE"

SIZES = """SELECT saved_id, coalesce(
        (SELECT name FROM names WHERE names.saved_id = sessions.saved_id), title), used_at, visitor,
        length(document) + (
        SELECT coalesce(sum(length(data)), 0) FROM uses JOIN texts USING (digest)
        WHERE uses.saved_id = sessions.saved_id)
    FROM sessions WHERE """


@dataclass(frozen=True)
class StoreLimits:
    """How much is kept: bytes of a session, of a visitor and of the file, and days since the last use."""

    session_bytes: int
    visitor_bytes: int
    total_bytes: int
    days: float


@dataclass(frozen=True)
class StoredSession:
    """A session as it was saved: its name or ``title``, its ``document`` as JSON, and ``texts`` by digest."""

    saved_id: str
    title: str
    document: str
    texts: Mapping[str, bytes]


@dataclass(frozen=True)
class SessionSummary:
    """A session in a list. ``title``: its name, if a person gave it one. ``used_at`` (UTC): when it was saved
    or opened last; ``byte_total``: of its document and texts, also those that other sessions share."""

    saved_id: str
    title: str
    used_at: datetime
    byte_total: int


def new_saved_id() -> str:
    """Return an id for a new session: 128 random bits, so it can't be guessed, as 22 characters for a URL."""
    return secrets.token_urlsafe(16)


def is_saved_id(text: str) -> bool:
    """Return whether a text from anywhere has the form of an id."""
    return SAVED_ID.fullmatch(text) is not None


def text_digest(data: bytes) -> str:
    """Return the SHA-256 of a text in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def data_directory() -> Path:
    """Return the folder of saved sessions: BPEVIZ_DATA in the environment, or the system's folder for user
    data."""
    if chosen := os.environ.get("BPEVIZ_DATA"):
        return Path(chosen).expanduser()
    import platformdirs  # not needed if the folder is given

    return platformdirs.user_data_path("bpeviz", appauthor=False)


class SessionStore:
    """The saved sessions in a folder.

    All methods raise StorageError if the file can't be used, and change nothing then.

    >>> store = SessionStore(Path("/tmp/sessions"), StoreLimits(10**6, 10**7, 10**8, days=30))
    >>> store.save(saved_id := new_saved_id(), "the cat", "{}", {})
    >>> store.load(saved_id).title
    'the cat'
    """

    def __init__(
        self, directory: Path, limits: StoreLimits, *, busy_seconds: float = 5.0, public: bool = False
    ) -> None:
        """Open the store of a folder, or make both. ``busy_seconds``: how long to wait for another server
        that writes; ``public``: errors don't say where the folder is."""
        self._database = Database(directory / FILE_NAME, busy_seconds, public=public)
        self._limits = limits

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    @property
    def set_aside(self) -> Path | None:
        """Where a damaged file was moved; None if there was none."""
        return self._database.set_aside

    @property
    def was_damaged(self) -> bool:
        """Whether a damaged file is still in the folder, perhaps from an earlier run of the server."""
        return any(self.path.parent.glob(f"{FILE_NAME}.corrupt-*"))

    def save(
        self,
        saved_id: str,
        title: str,
        document: str,
        texts: Mapping[str, Callable[[], bytes]],
        *,
        replaces: str | None = None,
        visitor: str = "",
    ) -> None:
        """Save a session under its id, in place of what was saved before; then make room.

        ``texts``: all texts that the document names, by digest, each as a function that returns the bytes. It
        is called only for a text that is not stored. ``replaces``: the document that the caller believes is
        saved. ``visitor``: anything that tells visitors apart; only a hash of it is kept, and only for the
        first save of a session. Saving a deleted session restores it.

        Raises SessionChangedError if somebody else saved in the meantime, SessionTooLargeError, StorageError.
        """
        with self._database.transaction() as connection:
            if replaces is not None:
                _check_unchanged(connection, saved_id, replaces.encode())
            connection.execute(
                """INSERT INTO sessions VALUES (?, ?, ?, ?, NULL, ?) ON CONFLICT DO UPDATE SET
                title = excluded.title, used_at = excluded.used_at, deleted_at = NULL,
                document = excluded.document""",
                (saved_id, _valid(title), _hashed(connection, visitor), time.time(), document.encode()),
            )
            _save_texts(connection, saved_id, texts)
            self._make_room(connection, saved_id)

    def load(self, saved_id: str) -> StoredSession | None:
        """Return a session as it was last saved, and note that it was opened; None if there is none.

        Raises SavedSessionError if a text isn't what was saved, StorageError.
        """
        with self._database.transaction("BEGIN") as connection:
            row = connection.execute(
                """SELECT coalesce(name, title), document FROM sessions LEFT JOIN names USING (saved_id)
                WHERE saved_id = ? AND deleted_at IS NULL""",
                (saved_id,),
            ).fetchone()
            texts = dict(
                connection.execute(
                    "SELECT digest, data FROM uses JOIN texts USING (digest) WHERE saved_id = ?", (saved_id,)
                )
            )
        if row is None:
            return None
        # SQLite finds no fault in a file in which the disk changed a part of a text
        if any(text_digest(data) != digest for digest, data in texts.items()):
            raise SavedSessionError("it is damaged, perhaps by a failing disk; check the disk")
        with (
            suppress(StorageError),
            self._database.transaction() as connection,
        ):  # on a full disk it opens too
            connection.execute("UPDATE sessions SET used_at = ? WHERE saved_id = ?", (time.time(), saved_id))
        return StoredSession(saved_id, row[0], row[1].decode("utf-8", "replace"), texts)

    def recent(self, most: int) -> list[SessionSummary]:
        """Return at most so many sessions, the one used last first, without deleted ones."""
        return self._listed("deleted_at IS NULL ORDER BY used_at DESC LIMIT ?", most)

    def deleted(self, most: int) -> list[SessionSummary]:
        """Return at most so many deleted sessions that can be restored, the one deleted last first."""
        return self._listed("deleted_at IS NOT NULL ORDER BY deleted_at DESC LIMIT ?", most)

    def title(self, saved_id: str) -> str:
        """Return the name that a person gave a session, or else its title; empty if there is no session."""
        found = self._listed("saved_id = ?", saved_id)
        return found[0].title if found else ""

    def rename(self, saved_id: str, name: str) -> None:
        """Name a session; an empty name removes its name. Do nothing if there is no such session."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM names WHERE saved_id = ?", (saved_id,))
            if name:
                connection.execute(
                    "INSERT INTO names SELECT saved_id, ? FROM sessions WHERE saved_id = ?",
                    (_valid(name), saved_id),
                )

    def _listed(self, which: str, value: str | int) -> list[SessionSummary]:
        with self._database.transaction("BEGIN") as connection:
            rows = connection.execute(f"{SIZES}{which}", (value,)).fetchall()
        return [
            SessionSummary(saved_id, title, datetime.fromtimestamp(used_at, UTC), size)
            for saved_id, title, used_at, _, size in rows
        ]

    def delete(self, saved_id: str) -> None:
        """Delete a session; it can be restored for a day. Do nothing if there is none."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE sessions SET deleted_at = ? WHERE saved_id = ? AND deleted_at IS NULL",
                (time.time(), saved_id),
            )

    def restore(self, saved_id: str) -> bool:
        """Undo the deletion of a session; return whether it is there now."""
        with self._database.transaction() as connection:
            restored = connection.execute(
                "UPDATE sessions SET deleted_at = NULL WHERE saved_id = ?", (saved_id,)
            )
            return restored.rowcount > 0

    def is_deleted(self, saved_id: str) -> bool:
        """Return whether a session is deleted and can be restored."""
        query = "SELECT 1 FROM sessions WHERE saved_id = ? AND deleted_at IS NOT NULL"
        with self._database.transaction("BEGIN") as connection:
            return connection.execute(query, (saved_id,)).fetchone() is not None

    def byte_total(self) -> int:
        """Return the size of everything that is kept, in bytes of the file."""
        with self._database.transaction("BEGIN") as connection:
            return _bytes_in_use(connection)

    def _make_room(self, connection: sqlite3.Connection, saved_id: str) -> None:
        """Remove what is too old, then deleted sessions and those longest unopened while there is too much.

        The session just saved stays. Raises SessionTooLargeError if it is too large even alone.
        """
        limits, now = self._limits, time.time()
        for old, days in (("used_at < ?", limits.days), ("deleted_at < ?", 1)):
            connection.execute(f"{REMOVE} {old} AND saved_id <> ?", (now - days * DAY, saved_id))
        *_, visitor, size = connection.execute(f"{SIZES}saved_id = ?", (saved_id,)).fetchone()
        if size > limits.session_bytes:
            raise SessionTooLargeError(size, limits.session_bytes)
        rest = "SELECT saved_id FROM sessions WHERE saved_id <> ?"
        order = "ORDER BY deleted_at IS NULL, used_at LIMIT 1"
        while visitor and (size := _bytes_of(connection, visitor)) > limits.visitor_bytes:
            longest = connection.execute(f"{rest} AND visitor = ? {order}", (saved_id, visitor)).fetchone()
            _remove(connection, longest, SessionTooLargeError(size, limits.visitor_bytes))
        while (size := _bytes_in_use(connection)) > limits.total_bytes:
            longest = connection.execute(f"{rest} {order}", (saved_id,)).fetchone()
            _remove(connection, longest, SessionTooLargeError(size, limits.total_bytes))


def _check_unchanged(connection: sqlite3.Connection, saved_id: str, document: bytes) -> None:
    row = connection.execute("SELECT document FROM sessions WHERE saved_id = ?", (saved_id,)).fetchone()
    if row is not None and row[0] != document:
        raise SessionChangedError


def _save_texts(
    connection: sqlite3.Connection, saved_id: str, texts: Mapping[str, Callable[[], bytes]]
) -> None:
    """Save the texts of a session that are not there yet, and drop those that no session needs any more."""
    used = {row[0] for row in connection.execute("SELECT digest FROM uses WHERE saved_id = ?", (saved_id,))}
    for digest in texts.keys() - used:
        if not connection.execute("SELECT 1 FROM texts WHERE digest = ?", (digest,)).fetchone():
            connection.execute("INSERT INTO texts VALUES (?, ?)", (digest, texts[digest]()))
        connection.execute("INSERT INTO uses VALUES (?, ?)", (saved_id, digest))
    for digest in used - texts.keys():
        connection.execute("DELETE FROM uses WHERE saved_id = ? AND digest = ?", (saved_id, digest))


def _remove(connection: sqlite3.Connection, row: tuple[str] | None, error: SessionTooLargeError) -> None:
    if row is None:
        raise error
    connection.execute("DELETE FROM sessions WHERE saved_id = ?", row)


def _bytes_of(connection: sqlite3.Connection, visitor: bytes) -> int:
    """Return the size of all sessions of a visitor; a text in several of them counts once."""
    documents, texts = connection.execute(
        """SELECT
            (SELECT coalesce(sum(length(document)), 0) FROM sessions WHERE visitor = :visitor),
            (SELECT coalesce(sum(length(data)), 0) FROM texts WHERE digest IN (
                SELECT digest FROM uses JOIN sessions USING (saved_id) WHERE visitor = :visitor))""",
        {"visitor": visitor},
    ).fetchone()
    return int(documents + texts)


def _bytes_in_use(connection: sqlite3.Connection) -> int:
    """Return the size of the file without its free pages, in bytes."""
    pages, free, size = (pragma(connection, name) for name in ("page_count", "freelist_count", "page_size"))
    return (pages - free) * size


def _hashed(connection: sqlite3.Connection, visitor: str) -> bytes:
    if not visitor:
        return b""
    secret = connection.execute("SELECT bytes FROM secret").fetchone()[0]
    return hashlib.blake2b(visitor.encode(), key=secret, digest_size=16).digest()


def _valid(title: str) -> str:
    """Return a title without halves of surrogate pairs, which SQLite doesn't take."""
    return title.encode("utf-8", "replace").decode()
