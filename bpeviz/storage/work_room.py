"""How long works are kept and what is removed first: the tables of the store, its clock, and how it makes
room.

Three rules decide what is removed. A work is removed by its age if nobody changed it for a long time. A
deleted work is removed some time later, or at once if room is needed. If that is not enough room, the store
removes only works that were not changed for some time; if there are none, it refuses the new work. So
somebody who saves much can fill the store, but never removes what others saved recently. Shares per person
make filling it hard.

Ages do not use the system's clock, which may jump. The store has a separate clock that moves with the
system's from one save to the next, but by at most a day and never back. So a jump costs a work at most one
day of its time, and a server that nobody uses does not age its works.
"""

import sqlite3
from dataclasses import dataclass

from bpeviz.storage.database_file import Schema
from bpeviz.storage.errors import NoRoomError

__all__ = [
    "DELETED_DAYS",
    "SCHEMA",
    "WorkLimits",
    "advance",
    "bytes_in_use",
    "check_person",
    "drop_deleted",
    "drop_old",
    "make_room",
]

DAY = 86_400_000_000
HOUR = DAY // 24
#: For how many days a deleted work can be restored. Two, because a clock that jumps may take one of them.
DELETED_DAYS = 2
#: New works and texts leave this share of the store for small changes of existing works.
CHANGES_SHARE = 0.05

_TABLES = """
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
        CREATE TABLE clock (
            seen INTEGER NOT NULL,  -- the system's time at the last save, microseconds since 1970, UTC
            now INTEGER NOT NULL,   -- the store's own time, microseconds: greater at every save
            secret BLOB NOT NULL    -- random; persons are known by hashes with it
        );
        -- every work has a life, which a trigger begins
        CREATE TABLE lives (
            work_id TEXT NOT NULL PRIMARY KEY REFERENCES works ON DELETE CASCADE,
            person BLOB NOT NULL,      -- who saved it first, as a hash; empty if unknown
            created INTEGER NOT NULL,  -- the store's own time, like the following
            changed INTEGER NOT NULL,
            deleted INTEGER            -- NULL unless it is deleted
        ) WITHOUT ROWID;
        CREATE INDEX lives_by_change ON lives (changed);
        CREATE INDEX lives_by_person ON lives (person, created);
        CREATE TRIGGER begin_life AFTER INSERT ON works BEGIN
            INSERT INTO lives SELECT new.work_id, x'', now, now, NULL FROM clock;
        END;
        INSERT INTO clock VALUES (0, 0, randomblob(16));
"""

#: A text is removed with the last work that uses it, for whatever reason: age, the limits, a change.
SCHEMA = Schema(
    application_id=int.from_bytes(b"bpev"),
    version=2,
    script=_TABLES,
)


@dataclass(frozen=True)
class WorkLimits:
    """How much is kept.

    - ``work_bytes``: the most for one work: title, state and texts together;
    - ``total_bytes``: the most for the file;
    - ``age_days``: how long a work is kept after its last change, in days of the store's own clock;
    - ``safe_days``: for how long after its last change a work never makes room for another;
    - ``person_share``: how much of ``total_bytes`` the works that one person began may take;
    - ``works_per_hour``: how many works one person may begin within an hour.
    """

    work_bytes: int
    total_bytes: int
    age_days: float
    safe_days: float = 7
    person_share: float = 1.0
    works_per_hour: int = 1_000


def advance(connection: sqlite3.Connection, system_now: int) -> int:
    """Move the store's clock to a save at the system's time; returns the new time of the store's clock."""
    seen, now = connection.execute("SELECT seen, now FROM clock").fetchone()
    now += max(1, min(system_now - seen, DAY))
    connection.execute("UPDATE clock SET seen = ?, now = ?", (system_now, now))
    return int(now)


def drop_old(connection: sqlite3.Connection, limits: WorkLimits, now: int, saved: str) -> None:
    """Remove what is too old, and what was deleted long enough ago; never the work just saved."""
    _drop(connection, "changed < ? AND work_id <> ?", (now - int(limits.age_days * DAY), saved))
    _drop(connection, "deleted < ? AND work_id <> ?", (now - DELETED_DAYS * DAY, saved))


def drop_deleted(connection: sqlite3.Connection) -> None:
    """Remove all deleted works, and the texts that only they need."""
    _drop(connection, "deleted IS NOT NULL", ())


def make_room(
    connection: sqlite3.Connection, limits: WorkLimits, now: int, saved: str, before: int, *, grows: bool
) -> None:
    """Remove works until the file is within its limit; never the one just ``saved``.

    ``before`` is the size before it was saved; ``grows`` says whether it is a new work or has new texts.

    -> NoRoomError if works that were changed recently would have to be removed; a change that takes no more
    room than before is never refused
    """
    most = limits.total_bytes * (1 - CHANGES_SHARE) if grows else limits.total_bytes
    stale = now - int(limits.safe_days * DAY)
    while (size := bytes_in_use(connection)) > most:
        oldest = connection.execute(
            """SELECT work_id FROM lives WHERE work_id <> ? AND (deleted IS NOT NULL OR changed < ?)
            ORDER BY deleted IS NULL, changed LIMIT 1""",
            (saved, stale),
        ).fetchone()
        if oldest is None:
            if size > before:
                raise NoRoomError("full", limits.total_bytes)
            return
        _drop(connection, "work_id = ?", oldest)


def check_person(connection: sqlite3.Connection, limits: WorkLimits, now: int, person: bytes) -> None:
    """Check, after a new work or text of a person is written, that the person is within the limits.

    The person's deleted works are removed first if there is too much.

    -> NoRoomError
    """
    begun = connection.execute(
        "SELECT count(*) FROM lives WHERE person = ? AND created > ?", (person, now - HOUR)
    ).fetchone()[0]
    if begun > limits.works_per_hour:
        raise NoRoomError("often", limits.works_per_hour)
    most = int(limits.total_bytes * limits.person_share)
    if _bytes_of(connection, person) > most:
        _drop(connection, "person = ? AND deleted IS NOT NULL", (person,))
        if _bytes_of(connection, person) > most:
            raise NoRoomError("share", most)


def _bytes_of(connection: sqlite3.Connection, person: bytes) -> int:
    """The size of all works that a person began; a text in several of them counts once."""
    states, texts = connection.execute(
        """SELECT
            (SELECT coalesce(sum(length(title) + length(state)), 0) FROM works JOIN lives USING (work_id)
                WHERE person = :person),
            (SELECT coalesce(sum(length(data)), 0) FROM texts WHERE digest IN (
                SELECT digest FROM uses JOIN lives USING (work_id) WHERE person = :person))""",
        {"person": person},
    ).fetchone()
    return int(states + texts)


def bytes_in_use(connection: sqlite3.Connection) -> int:
    """The size of the file after the transaction is committed and the log is copied into it."""
    pages, free, page_size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * page_size)


def _drop(connection: sqlite3.Connection, lives: str, values: tuple[object, ...]) -> None:
    connection.execute(
        f"DELETE FROM works WHERE work_id IN (SELECT work_id FROM lives WHERE {lives})",  # noqa: S608
        values,
    )
