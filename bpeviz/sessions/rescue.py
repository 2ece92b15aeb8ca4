"""What can be read of a damaged file of saved sessions: whole sessions, with all their texts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

__all__ = ["rescue"]

#: A damaged file may say any number.
MOST_SESSIONS = 1_000_000
#: All that reading a damaged file may raise; SQLite's own messages may quote bytes that are not text.
_FAULTS = (sqlite3.Error, UnicodeDecodeError)


def rescue(damaged: Path, into: sqlite3.Connection, version: int) -> None:
    """Copy the sessions that can be read into another file with the same tables.

    Raises sqlite3.Error if there is nothing to read, or no room.
    """
    with closing(sqlite3.connect(f"{damaged.absolute().as_uri()}?mode=ro", uri=True)) as file:
        if file.execute("PRAGMA user_version").fetchone()[0] != version:
            return
        for secret in _rows(file, "SELECT bytes FROM secret"):
            into.execute("UPDATE secret SET bytes = ?", secret)
        (last,) = file.execute("SELECT max(rowid) FROM sessions").fetchone()
        for row in range(1, min(last or 0, MOST_SESSIONS) + 1):
            for session in _rows(file, _SESSION, row):
                _copy(session, file, into)


_SESSION = """SELECT saved_id, title, visitor, used_at, deleted_at, document FROM sessions
    WHERE rowid = ?1 AND (SELECT s.rowid FROM sessions AS s WHERE s.saved_id = sessions.saved_id) = ?1"""


#: The texts of a session, and whether the index of texts says so too.
_TEXTS = """SELECT digest, data, (SELECT count(*) FROM uses AS u INDEXED BY uses_by_digest
        WHERE u.digest = uses.digest AND u.saved_id = uses.saved_id)
    FROM uses LEFT JOIN texts USING (digest) WHERE uses.saved_id = ?"""


def _copy(session: tuple[Any, ...], file: sqlite3.Connection, into: sqlite3.Connection) -> None:
    """Copy a session, unless one of its texts can't be read, isn't what was saved, or isn't its own."""
    try:
        texts = file.execute(_TEXTS, session[:1]).fetchall()
    except _FAULTS:
        return
    if all(own and type(data) is bytes and sha256(data).hexdigest() == digest for digest, data, own in texts):
        into.execute("INSERT OR IGNORE INTO sessions VALUES (?, ?, ?, ?, ?, ?)", session)
        into.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", [text[:2] for text in texts])
        uses = [(session[0], text[0]) for text in texts]
        into.executemany("INSERT OR IGNORE INTO uses VALUES (?, ?)", uses)
        for name in _rows(file, "SELECT saved_id, name FROM names WHERE saved_id = ?", session[0]):
            into.execute("INSERT OR IGNORE INTO names VALUES (?, ?)", name)


def _rows(file: sqlite3.Connection, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query up to the first one that can't be read."""
    try:
        yield from file.execute(query, values).fetchall()
    except _FAULTS:
        return
