"""Which saved sessions are removed first, and which never: ages, clocks that jump, shares, older files."""

import dataclasses
import sqlite3
import time
from contextlib import closing

import pytest

from bpeviz.errors import NoRoomError
from bpeviz.storage.work_room import DELETED_DAYS
from bpeviz.storage.work_store import WorkLimits, WorkStore, new_work_id, text_digest

LIMITS = WorkLimits(work_bytes=1_000_000, total_bytes=3_000_000, age_days=30, safe_days=7)
DAY = 86_400 * 10**9


class Clock:
    """The system's time in these tests, in nanoseconds."""

    def __init__(self, monkeypatch):
        self.now = time.time_ns()
        monkeypatch.setattr("bpeviz.storage.work_store.time.time_ns", lambda: self.now)

    def go_on(self, days):
        self.now += int(days * DAY)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


@pytest.fixture
def store(tmp_path):
    with closing(WorkStore.open(tmp_path, LIMITS)) as store:
        yield store


def save(store, size=0, work_id="", **more):
    """Save a work with a text of so many bytes that no other work uses."""
    work_id = work_id or new_work_id()
    data = work_id.encode() * (size // 22)
    store.save(work_id, "", "", {text_digest(data): lambda: data}, **more)
    return work_id


def attempt(store, size, person=""):
    """The error of saving a work, if any."""
    try:
        save(store, size, person=person)
    except NoRoomError as error:
        return error
    return None


def use_daily(store, clock, days):
    for _ in range(days):
        clock.go_on(1)
        save(store, work_id="u" * 21 + "A")


class TestBulk:
    def test_bulk_never_removes_what_was_changed_lately(self, store):
        mine = [save(store, 200_000, person="me") for _ in range(3)]
        (refused,) = {
            str(fault) for fault in (attempt(store, 900_000, f"attacker {n}") for n in range(67)) if fault
        }
        assert refused.startswith("Saved sessions may take 3 MB together, and that is used up.")
        assert "Download it as a file" in refused
        assert all(store.load(work_id) for work_id in mine)
        assert store.byte_total() <= LIMITS.total_bytes

    def test_a_work_can_still_be_changed_when_the_store_is_full(self, store):
        mine = save(store, 200_000)
        while attempt(store, 50_000) is None:
            pass
        for step in range(200):
            store.save(mine, "title", f"state {step}" * 100, {})
        assert store.load(mine).state.startswith("state 199")

    def test_what_nobody_changed_for_long_makes_room_the_oldest_first(self, store, clock):
        old = [save(store, 900_000) for _ in range(3)]
        use_daily(store, clock, 8)
        new = save(store, 900_000)
        assert [bool(store.load(work_id)) for work_id in (*old, new)] == [False, True, True, True]

    def test_deleted_works_make_room_before_all_others(self, store, clock):
        old, *_, deleted = (save(store, 900_000) for _ in range(3))
        use_daily(store, clock, 8)
        store.delete(deleted)
        save(store, 900_000)
        assert store.load(old)
        assert store.deleted(9) == []

    def test_a_store_made_smaller_still_takes_changes(self, tmp_path):
        with closing(WorkStore.open(tmp_path, LIMITS)) as store:
            mine = save(store, 900_000)
        with closing(WorkStore.open(tmp_path, dataclasses.replace(LIMITS, total_bytes=1))) as store:
            save(store, 900_000, mine)
            assert store.load(mine)
            with pytest.raises(NoRoomError):
                save(store, 900_000)


class TestPersons:
    LIMITS = dataclasses.replace(LIMITS, total_bytes=10_000_000, person_share=0.1, works_per_hour=20)

    @pytest.fixture
    def store(self, tmp_path):
        with closing(WorkStore.open(tmp_path, self.LIMITS)) as store:
            yield store

    def test_one_person_has_a_share_and_the_others_theirs(self, store):
        save(store, 900_000, person="a")
        with pytest.raises(NoRoomError) as caught:
            save(store, 900_000, person="a")
        assert (caught.value.reason, caught.value.limit) == ("share", 1_000_000)
        assert save(store, 900_000, person="b")
        assert len(store.recent(9)) == 2

    def test_a_work_that_grows_counts_for_who_began_it(self, store):
        mine = save(store, 100_000, person="a")
        save(store, 800_000, person="a")
        data = b"x" * 300_000
        with pytest.raises(NoRoomError):
            store.save(mine, "", "", {text_digest(data): lambda: data}, person="b")
        assert store.load(mine).texts

    def test_what_one_deletes_makes_room_for_what_one_saves(self, store):
        store.delete(save(store, 900_000, person="a"))
        assert save(store, 900_000, person="a")
        assert store.deleted(9) == []

    def test_a_text_that_several_works_use_counts_once(self, store):
        data = b"x" * 900_000
        for _ in range(5):
            store.save(new_work_id(), "", "", {text_digest(data): lambda: data}, person="a")
        assert len(store.recent(9)) == 5

    def test_one_person_begins_so_many_works_within_an_hour(self, store, clock):
        for _ in range(20):
            mine = save(store, person="a")
        with pytest.raises(NoRoomError, match="20 new sessions"):
            save(store, person="a")
        save(store, work_id=mine, person="a")
        save(store, person="b")
        clock.go_on(1 / 20)
        save(store, person="a")

    def test_who_saved_is_not_in_the_file(self, store):
        save(store, person="192.0.2.17")
        store.close()
        assert all(b"192.0.2.17" not in path.read_bytes() for path in store.path.parent.iterdir())


class TestClocks:
    @pytest.mark.parametrize("days", [2, 40, 400, 40_000])
    @pytest.mark.parametrize("saves", [1, 5])
    def test_a_clock_that_jumps_ahead_and_back_removes_nothing(self, store, clock, days, saves):
        works = [save(store) for _ in range(50)]
        clock.go_on(days)
        for _ in range(saves):
            works.append(save(store))
            clock.go_on(0.001)
        clock.go_on(-days)
        works.append(save(store))
        assert [summary.work_id for summary in store.recent(99)] == works[::-1]

    def test_a_server_that_nobody_used_for_long_keeps_its_works(self, store, clock):
        works = [save(store) for _ in range(5)]
        clock.go_on(300)
        save(store)
        assert all(store.load(work_id) for work_id in works)

    def test_a_work_goes_when_nobody_changed_it_for_too_long(self, store, clock):
        old = save(store)
        use_daily(store, clock, 5)
        young = save(store)
        use_daily(store, clock, 24)
        assert store.load(old)
        use_daily(store, clock, 2)
        assert store.load(old) is None
        assert store.load(young)

    def test_works_age_by_the_day_also_where_they_are_saved_often(self, store, clock):
        old = save(store)
        for _ in range(31 * 8):
            clock.go_on(1 / 8)
            save(store, work_id="u" * 21 + "A")
        assert store.load(old) is None


class TestDeleted:
    def test_a_deleted_work_is_gone_and_comes_back_as_it_was(self, store):
        work_id = save(store, 1_000)
        before = store.load(work_id)
        store.delete(work_id)
        assert store.load(work_id) is None
        assert store.is_deleted(work_id)
        assert store.recent(9) == []
        assert [summary.work_id for summary in store.deleted(9)] == [work_id]
        assert store.restore(work_id)
        assert store.load(work_id) == before
        assert not store.is_deleted(work_id)
        assert store.deleted(9) == []

    def test_a_deletion_can_be_undone_for_a_day_also_after_the_clock_jumped(self, store, clock):
        work_id = save(store)
        store.delete(work_id)
        clock.go_on(40)
        save(store)
        clock.go_on(0.9)
        save(store)
        assert store.restore(work_id)

    def test_after_that_it_is_gone_for_good(self, store, clock):
        work_id = save(store, 500_000)
        store.delete(work_id)
        use_daily(store, clock, DELETED_DAYS + 1)
        assert not store.restore(work_id)
        assert not store.is_deleted(work_id)
        assert store.byte_total() < 200_000

    def test_what_was_never_there_is_neither_deleted_nor_restored(self, store):
        work_id = new_work_id()
        store.delete(work_id)
        assert not store.is_deleted(work_id)
        assert not store.restore(work_id)


class TestFilesOfAnOlderVersion:
    def test_one_is_set_aside(self, tmp_path):
        with closing(WorkStore.open(tmp_path, LIMITS)) as store:
            work_id = save(store)
        with closing(sqlite3.connect(store.path)) as connection:
            connection.execute("PRAGMA user_version = 1")
        with closing(WorkStore.open(tmp_path, LIMITS)) as store:
            assert store.set_aside
            assert store.load(work_id) is None
            assert save(store)
