"""Saved sessions when things go wrong: nothing is lost, and nothing damaged is returned."""

import contextlib
import errno
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from bpeviz.errors import DamagedWorkError, StorageError
from bpeviz.storage import database_file
from bpeviz.storage.work_store import WorkLimits, WorkStore, new_work_id, text_digest
from tests.support import work_saving
from tests.support.paths import ROOT
from tests.support.work_saving import save, state_of, texts_of

pytestmark = pytest.mark.full

LIMITS = WorkLimits(work_bytes=10_000_000, total_bytes=100_000_000, age_days=30)
PROGRAM = Path(work_saving.__file__)
SEED = int(os.environ.get("BPEVIZ_SEED", random.randrange(2**32)))
KILLS = 100


def opened(directory, limits=LIMITS, **options):
    return closing(WorkStore.open(directory, limits, **options))


@pytest.fixture
def directory(tmp_path):
    """A folder with three saved works, of versions 1 to 3."""
    with opened(tmp_path) as store:
        for version in (1, 2, 3):
            save(store, work_id_of(version), version)
    return tmp_path


def work_id_of(version):
    return f"{version:021d}A"


def file_in(directory):
    return directory / "bpeviz.sqlite3"


def files_of(directory):
    """The files in a folder and their contents, without the files that SQLite locks."""
    return {
        path.name: path.read_bytes()
        for path in directory.iterdir()
        if not path.name.endswith((".lock", "-shm", ".reserve"))
    }


def assert_whole(saved):
    version = int(saved.title)
    assert saved.state == state_of(version)
    assert saved.texts == {text_digest(text): text for text in texts_of(version)}


def assert_all_there(store):
    for version in (1, 2, 3):
        assert_whole(store.load(work_id_of(version)))


def assert_works(store):
    """A work can be saved and loaded."""
    save(store, work_id := new_work_id(), 7)
    assert_whole(store.load(work_id))


def refuse_files(monkeypatch, code):
    """Let the system make no file, with the error of this code."""

    def refuse(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(database_file.os, "open", refuse)


class TestTheFileCannotBeUsed:
    @staticmethod
    def assert_unavailable(directory):
        with pytest.raises(StorageError, match="BPEVIZ_DATA") as caught:
            WorkStore.open(directory, LIMITS)
        assert caught.value.reason == "unavailable"
        assert caught.value.path == str(file_in(directory))

    def test_a_file_in_the_place_of_the_directory(self, tmp_path):
        (tmp_path / "file").write_text("a")
        self.assert_unavailable(tmp_path / "file")
        self.assert_unavailable(tmp_path / "file" / "below")

    def test_a_directory_in_the_place_of_the_file(self, tmp_path):
        file_in(tmp_path).mkdir()
        self.assert_unavailable(tmp_path)

    def test_a_directory_in_the_place_of_the_lock(self, tmp_path):
        (tmp_path / "bpeviz.sqlite3.lock").mkdir()
        self.assert_unavailable(tmp_path)

    @pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
    def test_a_place_where_no_directory_can_be_made(self):
        self.assert_unavailable(Path("/proc/bpeviz"))

    @pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.EIO])
    def test_a_disk_that_cannot_be_written(self, tmp_path, monkeypatch, code):
        refuse_files(monkeypatch, code)
        self.assert_unavailable(tmp_path / "here")

    def test_a_file_that_may_only_be_read(self, directory, monkeypatch):
        connect = sqlite3.connect

        def connect_to_read(path, *rest, **options):
            if path == file_in(directory):
                return connect(f"{path.as_uri()}?mode=ro", *rest, uri=True, **options)
            return connect(path, *rest, **options)

        before = files_of(directory)
        monkeypatch.setattr(database_file.sqlite3, "connect", connect_to_read)
        self.assert_unavailable(directory)
        assert files_of(directory)["bpeviz.sqlite3"] == before["bpeviz.sqlite3"]

    def test_a_path_that_no_file_can_have(self, tmp_path):
        self.assert_unavailable(tmp_path / ("x" * 300))

    def test_a_directory_deleted_under_a_running_store(self, directory):
        with opened(directory) as store:
            shutil.rmtree(directory)
            assert store.load(work_id_of(1)) is None
            assert_works(store)
            assert file_in(directory).exists()

    def test_a_file_deleted_under_a_running_store(self, directory):
        with opened(directory) as store:
            save(store, work_id_of(1), 1)
            file_in(directory).unlink()
            assert_works(store)
            assert store.set_aside.with_name(store.set_aside.name + "-wal").exists()
        with opened(directory) as store:
            assert len(store.recent(9)) == 1

    def test_a_file_that_comes_back_is_used_again(self, directory):
        with opened(directory) as store:
            directory.rename(away := directory.with_name("away"))
            directory.write_text("a file")
            with pytest.raises(StorageError):
                store.recent(1)
            directory.unlink()
            away.rename(directory)
            assert_all_there(store)


class TestTheDiskIsFull:
    def test_what_was_saved_stays_and_saving_goes_on_when_there_is_room(self, directory):
        with opened(directory) as store:
            ours = store._file._connection
            ours.execute("PRAGMA max_page_count = 100")
            large = b"x" * 1_000_000
            for _ in range(3):
                with pytest.raises(StorageError, match="full") as caught:
                    store.save(work_id_of(1), "4", "", {text_digest(large): lambda: large})
                assert caught.value.reason == "full"
                assert_all_there(store)
            ours.execute("PRAGMA max_page_count = 100000")
            store.save(work_id_of(4), "4", "", {text_digest(large): lambda: large})
            assert_all_there(store)
            assert store.load(work_id_of(4)).texts == {text_digest(large): large}

    def test_no_more_than_a_file_may_have(self, directory):
        """The system refuses to make the file longer."""
        program = f"""
import resource, sys
sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from bpeviz.errors import StorageError
from bpeviz.storage.work_store import WorkLimits, WorkStore, text_digest
store = WorkStore.open(Path({str(directory)!r}), WorkLimits(10**7, 10**8, 30))
resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))
large = b"x" * 1_000_000
for _ in range(3):
    try:
        store.save({work_id_of(1)!r}, "4", "", {{text_digest(large): lambda: large}})
    except StorageError as error:
        print(error.reason)
store.save({work_id_of(2)!r}, "small", "", {{}})
print(store.load({work_id_of(1)!r}).title, store.load({work_id_of(2)!r}).title)
"""
        run = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
        )
        assert run.stdout.split() == ["unavailable"] * 3 + ["1", "small"]
        with opened(directory) as store:
            assert_whole(store.load(work_id_of(1)))
            assert store.load(work_id_of(2)).title == "small"
            assert store.set_aside is None

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount a disk")
    @pytest.mark.parametrize("megabytes", [4, 12])
    def test_works_can_be_deleted_and_their_room_used_again(self, tmp_path, megabytes):
        """On a small disk that is filled to the last byte."""
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(tmp_path)]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("no disk can be mounted here")
        try:
            with opened(tmp_path / "data") as store:
                works = self.fill(store, tmp_path)
                with pytest.raises(StorageError, match="full"):
                    self.save_bytes(store, 400_000)
                for work_id in works[:4]:
                    store.delete(work_id)
                    assert store.load(work_id) is None
                assert store.restore(works[0])
                assert store.load(works[0])
                store.delete(works[0])
                more = self.save_until_full(store)
                assert len(more) >= 2
                assert store.deleted(9) == []
                assert all(store.load(work_id) for work_id in (*works[4:], *more))
        finally:
            subprocess.run(["umount", str(tmp_path)], check=True)

    def fill(self, store, disk):
        works = self.save_until_full(store)
        with contextlib.suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
            while filler.write(b"x" * 4096):
                pass
        return works

    def save_until_full(self, store):
        works = []
        with contextlib.suppress(StorageError):
            while len(works) < 1_000:
                works.append(self.save_bytes(store, 200_000))
        return works

    @staticmethod
    def save_bytes(store, size):
        data = random.randbytes(size)
        store.save(work_id := new_work_id(), "title", "state", {text_digest(data): lambda: data})
        return work_id

    def test_a_system_that_has_no_room_for_a_directory(self, tmp_path, monkeypatch):
        refuse_files(monkeypatch, errno.ENOSPC)
        with pytest.raises(StorageError, match="full"):
            WorkStore.open(tmp_path, LIMITS)


class TestTheFileIsNotOurs:
    @staticmethod
    def assert_left_alone(directory, reason):
        before = files_of(directory)
        with pytest.raises(StorageError, match="was not changed") as caught:
            WorkStore.open(directory, LIMITS)
        assert caught.value.reason == reason
        assert files_of(directory) == before

    @pytest.mark.parametrize("journal", ["wal", "delete"])
    def test_a_newer_version_is_left_byte_for_byte(self, directory, journal):
        with closing(sqlite3.connect(file_in(directory))) as connection:
            connection.execute("PRAGMA user_version = 99")
            connection.execute("ALTER TABLE works ADD COLUMN colour TEXT")
            connection.execute(f"PRAGMA journal_mode = {journal}")
        self.assert_left_alone(directory, "newer")

    @pytest.mark.parametrize("journal", ["wal", "delete"])
    @pytest.mark.parametrize("application_id", [0, 1, 0x62706577])
    def test_another_applications_tables_are_left_byte_for_byte(self, tmp_path, application_id, journal):
        with closing(sqlite3.connect(file_in(tmp_path))) as connection:
            connection.execute(f"PRAGMA application_id = {application_id}")
            connection.execute(f"PRAGMA journal_mode = {journal}")
            connection.execute("CREATE TABLE bookmarks (url TEXT)")
        self.assert_left_alone(tmp_path, "foreign")

    @pytest.mark.parametrize(
        ("statement", "reason"),
        [("PRAGMA user_version = 99", "newer"), ("PRAGMA application_id = 7", "foreign")],
    )
    def test_what_only_the_log_says_counts_and_the_log_is_left_too(self, directory, statement, reason):
        with closing(sqlite3.connect(file_in(directory))) as connection:
            connection.execute(statement)
            shutil.copytree(directory, there := directory / "there")
        assert (there / "bpeviz.sqlite3-wal").stat().st_size
        self.assert_left_alone(there, reason)

    def test_another_application_that_has_it_open_goes_on(self, tmp_path):
        with closing(sqlite3.connect(file_in(tmp_path), isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE bookmarks (url TEXT)")
            self.assert_left_alone(tmp_path, "foreign")
            connection.execute("INSERT INTO bookmarks VALUES ('x')")
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)

    def test_a_newer_version_that_takes_over_under_a_running_store(self, directory):
        with opened(directory) as store:
            newer = directory / "newer"
            shutil.copy(file_in(directory), newer)
            with closing(sqlite3.connect(newer)) as connection:
                connection.execute("PRAGMA user_version = 99")
            newer.rename(file_in(directory))
            with pytest.raises(StorageError, match="newer"):
                save(store, work_id_of(1), 2)

    @pytest.mark.parametrize("make", [lambda path: path.touch(), lambda path: sqlite3.connect(path).close()])
    def test_an_empty_file_is_taken(self, tmp_path, make):
        make(file_in(tmp_path))
        with opened(tmp_path) as store:
            assert_works(store)
            assert store.set_aside is None


def overwrite(path, offset, data):
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


GARBAGE = random.Random(1).randbytes(4096)
CORRUPTIONS = {
    "garbage": lambda path: path.write_bytes(GARBAGE * 5),
    "a text file": lambda path: path.write_text("not a database\n" * 1000),
    "one byte": lambda path: path.write_bytes(b"x"),
    "half of it": lambda path: os.truncate(path, path.stat().st_size // 2),
    "the header alone": lambda path: os.truncate(path, 100),
    "not a whole page at the end": lambda path: os.truncate(path, path.stat().st_size - 4000),
    "the header overwritten": lambda path: overwrite(path, 0, GARBAGE[:100]),
    "the schema overwritten": lambda path: overwrite(path, 100, GARBAGE[:3996]),
    "the tables overwritten": lambda path: overwrite(path, 4096 * 2, GARBAGE * 5),
}
CORRUPTED = pytest.mark.parametrize("corrupt", CORRUPTIONS.values(), ids=CORRUPTIONS.keys())


class TestTheFileIsCorrupt:
    @CORRUPTED
    def test_it_is_set_aside_as_it_is_and_a_fresh_one_begun(self, directory, corrupt):
        corrupt(file_in(directory))
        before = file_in(directory).read_bytes()
        with opened(directory) as store:
            assert re.fullmatch(r"bpeviz\.sqlite3\.corrupt-\d{8}T\d{6}Z", store.set_aside.name)
            assert store.set_aside.read_bytes() == before
            assert store.recent(9) == []
            assert_works(store)
        with opened(directory) as store:
            assert len(store.recent(9)) == 1
            assert store.set_aside is None

    def test_several_in_one_second_are_all_kept(self, directory):
        kept = []
        for n in range(3):
            file_in(directory).write_bytes(b"garbage %d" % n * 1000)
            with opened(directory) as store:
                kept.append(store.set_aside)
        assert [path.read_bytes()[:9] for path in kept] == [b"garbage 0", b"garbage 1", b"garbage 2"]

    @pytest.mark.parametrize("damage", [b"\0" * 32, GARBAGE], ids=["no header", "garbage"])
    def test_its_log_goes_with_it(self, directory, damage):
        self.leave_a_log(directory)
        overwrite(file_in(directory), 0, GARBAGE)
        overwrite(directory / "bpeviz.sqlite3-wal", 0, damage)
        before = files_of(directory)
        with opened(directory) as store:
            aside = store.set_aside
            assert aside.read_bytes() == before["bpeviz.sqlite3"]
            log = aside.with_name(aside.name + "-wal")
            assert log.read_bytes() == before["bpeviz.sqlite3-wal"]
            assert store.recent(9) == []
            assert_works(store)

    def test_a_page_that_the_log_holds_too_is_mended_from_it(self, directory):
        self.leave_a_log(directory)
        overwrite(file_in(directory), 0, GARBAGE)
        with opened(directory) as store:
            assert store.set_aside is None
            assert_whole(store.load(work_id_of(1)))
            assert int(store.load(work_id_of(1)).title) >= 5

    @staticmethod
    def leave_a_log(directory):
        """Save in a process that is killed, so that its log stays."""
        with saving(directory, work_id_of(1), 1, 10**9) as child:
            for line in child.stdout:
                if line == "saved 5\n":
                    child.kill()

    def test_a_log_of_a_file_that_is_gone_is_kept_and_not_taken_for_the_next_ones(self, directory):
        with opened(directory) as store:
            save(store, work_id_of(1), 2)
            log = (directory / "bpeviz.sqlite3-wal").read_bytes()
            shutil.copytree(directory, there := directory / "there")
        file_in(there).unlink()
        with opened(there) as store:
            assert store.set_aside.with_name(store.set_aside.name + "-wal").read_bytes() == log
            assert store.recent(9) == []
            assert_works(store)

    def test_tables_that_are_not_as_they_were_made(self, directory):
        whole = file_in(directory).read_bytes()
        file_in(directory).write_bytes(whole.replace(b"checksum BLOB", b"chocksum BLOB"))
        with opened(directory) as store:
            assert store.set_aside
            assert_works(store)

    def test_a_page_overwritten_under_a_running_store(self, directory):
        """SQLite keeps what it has read; the rest is garbage."""
        with opened(directory) as store:
            store._file._connection.execute("PRAGMA cache_size = 1")
            overwrite(file_in(directory), 4096, GARBAGE * (file_in(directory).stat().st_size // 4096 - 1))
            save(store, work_id_of(9), 9)
            assert store.set_aside
            assert [summary.work_id for summary in store.recent(9)] == [work_id_of(9)]
            assert_whole(store.load(work_id_of(9)))

    def test_another_store_of_the_file_goes_on_with_the_fresh_one(self, directory):
        with opened(directory) as first, opened(directory) as second:
            overwrite(file_in(directory), 4096, GARBAGE * (file_in(directory).stat().st_size // 4096 - 1))
            with opened(directory) as third:
                assert third.set_aside
                save(first, work_id_of(1), 1)
                save(second, work_id_of(2), 2)
                for store in (first, second, third):
                    assert_whole(store.load(work_id_of(1)))
                    assert_whole(store.load(work_id_of(2)))
                    assert len(store.recent(9)) == 2
        assert len(list(directory.glob("*.corrupt-*Z"))) == 1
        with opened(directory) as store:
            assert len(store.recent(9)) == 2

    def test_what_is_saved_while_the_file_is_moved_away_is_saved_in_the_fresh_one_too(self, directory):
        text, given = b"text", []

        def give():
            given.append(text)
            if len(given) == 1:
                file_in(directory).rename(directory / "moved")
            return text

        with opened(directory) as store:
            store.save(work_id_of(1), "title", "state", {text_digest(text): give})
            assert len(given) == 2
        with opened(directory) as store:
            assert store.load(work_id_of(1)).texts == {text_digest(text): text}

    def test_many_that_find_it_corrupt_at_once_set_one_file_aside(self, directory):
        file_in(directory).write_bytes(GARBAGE)
        programs = [
            [sys.executable, str(PROGRAM), str(directory), work_id_of(n), "", f"{n}", "1"] for n in range(6)
        ]
        children = [subprocess.Popen(program, stdout=subprocess.DEVNULL) for program in programs]
        assert [child.wait(60) for child in children] == [0] * 6
        assert len(list(directory.glob("*.corrupt-*Z"))) == 1
        with opened(directory) as store:
            for n in range(6):
                assert_whole(store.load(work_id_of(n)))

    def test_no_byte_changed_anywhere_is_taken_for_what_was_saved(self, directory, tmp_path_factory):
        """One byte changes at a time, in many places: the store returns what was saved, or an error."""
        places = random.Random(SEED)
        whole = file_in(directory).read_bytes()
        outcomes = set()
        for n in range(150):
            # Every other one in the first pages, where most of the structure is.
            offset = places.randrange(4096 * 12 if n % 2 else len(whole))
            changed = bytearray(whole)
            changed[offset] ^= places.randrange(1, 256)
            directory = tmp_path_factory.mktemp("changed")
            file_in(directory).write_bytes(changed)
            outcomes.add(self.outcome(directory, f"byte {offset} with BPEVIZ_SEED={SEED}"))
            shutil.rmtree(directory)
        assert {"whole", "damaged", "set aside"} <= outcomes

    @staticmethod
    def outcome(directory, where):
        try:
            store = WorkStore.open(directory, LIMITS)
        except StorageError as error:
            return error.reason
        outcome = "whole"
        with closing(store):
            for version in (1, 2, 3):
                try:
                    saved = store.load(work_id_of(version))
                except DamagedWorkError:
                    outcome = "damaged"
                else:
                    assert saved or store.set_aside, where
                    if saved:
                        assert_whole(saved)
            store.recent(9)
            assert_works(store)
            return "set aside" if store.set_aside else outcome


class TestAWorkIsDamaged:
    @staticmethod
    def damage(directory, text):
        whole = file_in(directory).read_bytes()
        overwrite(file_in(directory), whole.index(text[:50]) + 20, b"#")

    def test_a_text_that_changed_on_the_disk_is_not_given(self, directory):
        text = max(texts_of(3), key=len)
        self.damage(directory, text)
        with opened(directory) as store, pytest.raises(DamagedWorkError) as caught:
            store.load(work_id_of(3))
        assert text_digest(text) in caught.value.digests
        assert caught.value.work_id == work_id_of(3)

    def test_it_is_written_again_when_it_is_saved_again(self, directory):
        self.damage(directory, max(texts_of(3), key=len))
        with opened(directory) as store:
            save(store, new := new_work_id(), 3)
            assert_whole(store.load(new))
            assert_whole(store.load(work_id_of(3)))

    def test_a_state_that_changed_on_the_disk_is_not_given(self, tmp_path):
        with opened(tmp_path) as store:
            store.save(work_id_of(1), "title", "state " * 2000, {})
        whole = file_in(tmp_path).read_bytes()
        overwrite(file_in(tmp_path), whole.rindex(b"state state") + 2, b"#")
        with opened(tmp_path) as store, pytest.raises(DamagedWorkError) as caught:
            store.load(work_id_of(1))
        assert caught.value.digests == ()


class TestItIsLocked:
    def test_for_longer_than_is_waited(self, directory):
        with (
            opened(directory, busy_seconds=0.2) as store,
            closing(sqlite3.connect(file_in(directory), isolation_level=None)) as other,
        ):
            other.execute("BEGIN IMMEDIATE")
            start = time.monotonic()
            with pytest.raises(StorageError, match="locked") as caught:
                save(store, work_id_of(1), 2)
            assert 0.1 < time.monotonic() - start < 5
            assert caught.value.reason == "locked"
            assert_all_there(store)  # a writer blocks no reader
            other.execute("ROLLBACK")
            assert_works(store)

    def test_for_less(self, directory):
        with (
            opened(directory) as store,
            closing(
                sqlite3.connect(file_in(directory), isolation_level=None, check_same_thread=False)
            ) as other,
        ):
            other.execute("BEGIN IMMEDIATE")
            timer = threading.Timer(0.3, other.execute, ["ROLLBACK"])
            timer.start()
            save(store, work_id_of(1), 2)
            timer.join()
            assert store.load(work_id_of(1)).title == "2"

    def test_while_it_is_opened(self, directory):
        with closing(sqlite3.connect(directory / "bpeviz.sqlite3.lock", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(StorageError, match="locked"):
                WorkStore.open(directory, LIMITS, busy_seconds=0.1)
        with opened(directory) as store:
            assert_all_there(store)


def saving(directory, work_id, first, versions, seed=""):
    program = [sys.executable, str(PROGRAM), str(directory), work_id, f"{seed}", f"{first}", f"{versions}"]
    return subprocess.Popen(program, stdout=subprocess.PIPE, text=True)


def killed(directory, work_id, first, seconds, seed):
    """Save until killed; returns the last version that was reported saved, and the last that was begun."""
    with saving(directory, work_id, first, 10**9, seed) as child:
        assert child.stdout.readline() == "opening\n"
        time.sleep(seconds)
        child.send_signal(signal.SIGKILL)
        lines = child.stdout.read().splitlines(keepends=True)
    reports = [line.split() for line in lines if line.endswith("\n")]
    assert child.returncode == -signal.SIGKILL
    return [
        max((int(version) for word, version in reports if word == which), default=None)
        for which in ("saved", "saving")
    ]


def test_what_was_saved_outlives_a_kill_at_any_moment(tmp_path_factory):
    print(f"BPEVIZ_SEED={SEED}")
    chance = random.Random(SEED)
    begun_only = opened_only = 0
    for kill in range(KILLS):
        if kill % 10 == 0:  # so that some kills come while the file is made
            directory, work_id, last = tmp_path_factory.mktemp("killed"), new_work_id(), None
        saved, begun = killed(
            directory, work_id, (last or 0) + 1, chance.uniform(0, 0.08) * chance.random(), chance.random()
        )
        opened_only += begun is None
        with opened(directory, work_saving.LIMITS) as store:
            where = f"kill {kill} with BPEVIZ_SEED={SEED}"
            assert store.set_aside is None, where
            work = store.load(work_id)
            found = int(work.title) if work else None
            assert found in ({saved} if saved else {last}) | ({begun} if begun else set()), where
            begun_only += found is not None and found not in (saved, last)
            for summary in store.recent(1000):
                assert_whole(store.load(summary.work_id))
            assert store.byte_total() <= work_saving.LIMITS.total_bytes + 1_000_000
            check = store._file.read(lambda c: c.execute("PRAGMA integrity_check").fetchall())
            assert check == [("ok",)], where
            last = found
    print(f"{opened_only} killed before the first save, {begun_only} between the commit and its report")


def test_two_processes_save_at_once(tmp_path):
    """Each saves one work, with texts in common, and no wait is too long."""
    ids = [new_work_id(), new_work_id()]
    children = [saving(tmp_path, work_id, 1, 150) for work_id in ids]
    reports = [child.communicate(timeout=60)[0].splitlines() for child in children]
    assert [child.returncode for child in children] == [0, 0]
    assert [lines[-1] for lines in reports] == ["saved 150"] * 2
    with opened(tmp_path, work_saving.LIMITS) as store:
        assert store.set_aside is None
        for work_id in ids:
            assert store.load(work_id).title == "150"
            assert_whole(store.load(work_id))


def test_two_processes_save_one_work(tmp_path):
    work_id = new_work_id()
    children = [saving(tmp_path, work_id, first, 100) for first in (1, 1001)]
    for child in children:
        child.communicate(timeout=60)
    with opened(tmp_path, work_saving.LIMITS) as store:
        assert store.load(work_id).title in ("100", "1100")
        assert_whole(store.load(work_id))
