"""Saved sessions when things go wrong: nothing that was saved is lost, and nothing damaged is returned."""

import errno
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bpeviz.errors import SavedSessionError, StorageError
from bpeviz.sessions import database
from bpeviz.sessions.store import SessionStore, new_saved_id, text_digest
from tests.support import session_saving
from tests.support.session_saving import LIMITS, document_of, save, texts_of

PROGRAM = Path(session_saving.__file__)
SEED = int(os.environ.get("BPEVIZ_SEED", random.randrange(2**32)))
GARBAGE = random.Random(1).randbytes(4096)


def saved_id_of(version):
    return f"{version:021d}A"


def file_in(directory):
    return directory / "bpeviz.sqlite3"


@pytest.fixture
def directory(tmp_path):
    """A folder with three saved sessions, of versions 1 to 3."""
    store = SessionStore(tmp_path, LIMITS)
    for version in (1, 2, 3):
        save(store, saved_id_of(version), version)
    return tmp_path


def assert_whole(saved):
    version = int(saved.title)
    assert saved.document == document_of(version)
    assert saved.texts == {text_digest(text): text for text in texts_of(version)}


def assert_all_there(store):
    for version in (1, 2, 3):
        assert_whole(store.load(saved_id_of(version)))


def assert_works(store):
    """A session can be saved and loaded."""
    save(store, saved_id := new_saved_id(), 7)
    assert_whole(store.load(saved_id))


class TestTheFileCannotBeUsed:
    @staticmethod
    def assert_unavailable(directory):
        with pytest.raises(StorageError, match="BPEVIZ_DATA") as caught:
            SessionStore(directory, LIMITS)
        assert caught.value.reason == "unavailable"

    def test_a_file_in_the_place_of_the_folder(self, tmp_path):
        (tmp_path / "file").write_text("a")
        self.assert_unavailable(tmp_path / "file")
        self.assert_unavailable(tmp_path / "file" / "below")

    def test_a_folder_in_the_place_of_the_file(self, tmp_path):
        file_in(tmp_path).mkdir()
        self.assert_unavailable(tmp_path)

    def test_a_path_that_no_file_can_have(self, tmp_path):
        self.assert_unavailable(tmp_path / ("x" * 300))

    @pytest.mark.parametrize(
        ("code", "reason"),
        [(errno.EROFS, "unavailable"), (errno.EACCES, "unavailable"), (errno.ENOSPC, "full")],
    )
    def test_a_disk_that_cannot_be_written(self, tmp_path, monkeypatch, code, reason):
        def refuse(*_, **__):
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(Path, "touch", refuse)
        with pytest.raises(StorageError) as caught:
            SessionStore(tmp_path, LIMITS)
        assert caught.value.reason == reason

    def test_a_file_that_may_only_be_read(self, directory, monkeypatch):
        connect = sqlite3.connect

        def connect_to_read(path, **options):
            return connect(f"{path.as_uri()}?mode=ro", uri=True, **options)

        store = SessionStore(directory, LIMITS)
        monkeypatch.setattr(database.sqlite3, "connect", connect_to_read)
        with pytest.raises(StorageError, match="readonly"):
            save(store, saved_id_of(1), 4)
        assert_all_there(store)

    def test_a_folder_or_file_deleted_under_a_running_store(self, directory):
        store = SessionStore(directory, LIMITS)
        file_in(directory).unlink()
        assert_works(store)
        shutil.rmtree(directory)
        assert store.load(saved_id_of(1)) is None
        assert_works(store)
        assert file_in(directory).exists()

    def test_on_a_full_disk_what_was_saved_stays_and_saving_goes_on_later(self, directory, monkeypatch):
        connect = sqlite3.connect

        def connect_to_a_full_disk(*arguments, **options):
            connection = connect(*arguments, **options)
            connection.execute("PRAGMA max_page_count = 1")  # it can't grow
            return connection

        store = SessionStore(directory, LIMITS)
        large = b"x" * 900_000
        texts = {text_digest(large): lambda: large}
        with monkeypatch.context() as patch:
            patch.setattr(database.sqlite3, "connect", connect_to_a_full_disk)
            with pytest.raises(StorageError, match="the disk is full") as caught:
                store.save(saved_id_of(1), "4", "", texts)
            assert caught.value.reason == "full"
            assert_all_there(store)
        store.save(saved_id_of(4), "4", "", texts)
        assert_all_there(store)
        assert store.load(saved_id_of(4)).texts == {text_digest(large): large}


class TestTheFileIsNotOurs:
    @staticmethod
    def assert_left_alone(directory, reason):
        before = file_in(directory).read_bytes()
        with pytest.raises(StorageError, match="was not changed") as caught:
            SessionStore(directory, LIMITS)
        assert caught.value.reason == reason
        assert file_in(directory).read_bytes() == before

    @pytest.mark.parametrize("journal", ["wal", "delete"])
    @pytest.mark.parametrize(("version", "reason"), [(99, "newer"), (3, "older")])
    def test_another_version_is_left_byte_for_byte(self, directory, version, reason, journal):
        with closing(sqlite3.connect(file_in(directory))) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
            connection.execute(f"PRAGMA journal_mode = {journal}")
        self.assert_left_alone(directory, reason)

    @pytest.mark.parametrize("journal", ["wal", "delete"])
    @pytest.mark.parametrize("application_id", [0, 1, 0x62706577])
    def test_another_applications_tables_are_left_byte_for_byte(self, tmp_path, application_id, journal):
        with closing(sqlite3.connect(file_in(tmp_path))) as connection:
            connection.execute(f"PRAGMA application_id = {application_id}")
            connection.execute(f"PRAGMA journal_mode = {journal}")
            connection.execute("CREATE TABLE bookmarks (url TEXT)")
        self.assert_left_alone(tmp_path, "foreign")

    def test_an_empty_file_is_taken(self, tmp_path):
        file_in(tmp_path).touch()
        store = SessionStore(tmp_path, LIMITS)
        assert_works(store)
        assert store.set_aside is None


def overwrite(path, offset, data):
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


DAMAGES = {
    "garbage": lambda path: path.write_bytes(GARBAGE * 5),
    "a text file": lambda path: path.write_text("not a database\n" * 1000),
    "half of it": lambda path: os.truncate(path, path.stat().st_size // 2),
    "the header overwritten": lambda path: overwrite(path, 0, GARBAGE[:100]),
    "the schema overwritten": lambda path: overwrite(path, 100, GARBAGE[:3996]),
    "the tables overwritten": lambda path: overwrite(path, 4096 * 2, GARBAGE * 5),
}


class TestTheFileIsDamaged:
    @pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
    def test_it_is_moved_aside_as_it_is_and_a_new_one_is_made(self, directory, damage):
        damage(file_in(directory))
        before = file_in(directory).read_bytes()
        store = SessionStore(directory, LIMITS)
        assert store.set_aside.name.startswith("bpeviz.sqlite3.corrupt-")
        assert store.set_aside.read_bytes() == before
        kept = store.recent(9)
        for each in kept:
            assert_whole(store.load(each.saved_id))
        assert_works(store)
        again = SessionStore(directory, LIMITS)
        assert (len(again.recent(9)), again.set_aside, again.was_damaged) == (len(kept) + 1, None, True)

    def test_sessions_that_can_be_read_are_kept_with_whose_they_are(self, tmp_path):
        store = SessionStore(tmp_path, LIMITS)
        assert not store.was_damaged
        texts = {version: f"text {version} ".encode() * 9_000 for version in range(30)}
        for version, text in texts.items():
            of_text = {text_digest(text): partial(bytes, text)}
            store.save(saved_id_of(version), f"{version}", "{}", of_text, visitor=f"{version % 2}")
        store.delete(saved_id_of(3))
        store.rename(saved_id_of(1), "my session")
        whole = file_in(tmp_path).read_bytes()
        overwrite(file_in(tmp_path), whole.index(texts[7][:50]) // 4096 * 4096, GARBAGE)
        again = SessionStore(tmp_path, LIMITS)
        assert again.set_aside is not None
        kept = {version for version in texts if again.load(saved_id_of(version))}
        assert 20 <= len(kept) < 29
        assert kept.isdisjoint({3, 7})
        for version in kept:
            found = again.load(saved_id_of(version))
            assert found.texts == {text_digest(texts[version]): texts[version]}
            assert found.title == ("my session" if version == 1 else str(version))
        assert again.restore(saved_id_of(3))
        assert again.load(saved_id_of(3)).title == "3"

    def test_while_it_is_in_use_the_error_says_so_and_saving_goes_on(self, directory):
        store = SessionStore(directory, LIMITS)
        overwrite(file_in(directory), 0, GARBAGE)
        with pytest.raises(StorageError, match=r"was damaged. It is now .*corrupt-"):
            save(store, saved_id_of(1), 2)
        assert_works(store)
        assert store.set_aside.exists()

    def test_a_text_that_changed_on_the_disk_is_not_returned(self, directory):
        whole, text = file_in(directory).read_bytes(), max(texts_of(3), key=len)
        overwrite(file_in(directory), whole.index(text[:50]) + 20, b"#")
        with pytest.raises(SavedSessionError, match="failing disk"):
            SessionStore(directory, LIMITS).load(saved_id_of(3))

    @pytest.mark.full
    def test_no_byte_of_a_text_changed_anywhere_is_taken_for_what_was_saved(
        self, directory, tmp_path_factory
    ):
        """One byte changes at a time, in many places: the store returns the saved texts, or an error."""
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
            store = SessionStore(directory, LIMITS)
            for version in (1, 2, 3):
                if saved := store.load(saved_id_of(version)):
                    expected = {text_digest(text): text for text in texts_of(version)}
                    assert saved.texts.items() <= expected.items(), where
            store.recent(9)
            assert_works(store)
        except StorageError as error:
            return error.reason
        except SavedSessionError:
            return "damaged"
        return "set aside" if store.set_aside else "whole"


class TestItIsLocked:
    @pytest.fixture
    def other(self, directory):
        with closing(
            sqlite3.connect(file_in(directory), isolation_level=None, check_same_thread=False)
        ) as other:
            other.execute("BEGIN IMMEDIATE")
            yield other

    def test_for_longer_than_is_waited(self, directory, other):
        store = SessionStore(directory, LIMITS, busy_seconds=0.1)
        with pytest.raises(StorageError, match="locked"):
            save(store, saved_id_of(1), 2)
        assert_all_there(store)  # a writer blocks no reader
        other.execute("ROLLBACK")
        assert_works(store)

    def test_for_less(self, directory, other):
        store = SessionStore(directory, LIMITS, busy_seconds=60)
        timer = threading.Timer(0.3, other.execute, ["ROLLBACK"])
        timer.start()
        save(store, saved_id_of(1), 2)
        timer.join()
        assert store.load(saved_id_of(1)).title == "2"


def saving(directory, saved_id, first, versions, seed=""):
    program = [sys.executable, str(PROGRAM), str(directory), saved_id, f"{seed}", f"{first}", f"{versions}"]
    return subprocess.Popen(program, stdout=subprocess.PIPE, text=True)


def killed(directory, saved_id, first, seconds, seed):
    """Save until killed; return the last version that was reported saved, and the last that was begun."""
    with saving(directory, saved_id, first, 10**9, seed) as child:
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


@pytest.mark.full
def test_what_was_saved_outlives_a_kill_at_any_moment(tmp_path_factory):
    print(f"BPEVIZ_SEED={SEED}")
    chance = random.Random(SEED)
    for kill in range(100):
        if kill % 10 == 0:  # so that some kills come while the file is made
            directory, saved_id, last = tmp_path_factory.mktemp("killed"), new_saved_id(), None
        saved, begun = killed(
            directory, saved_id, (last or 0) + 1, chance.uniform(0, 0.2) * chance.random(), chance.random()
        )
        where = f"kill {kill} with BPEVIZ_SEED={SEED}"
        store = SessionStore(directory, LIMITS)
        assert store.set_aside is None, where
        found = store.load(saved_id)
        version = int(found.title) if found else None
        assert version in ({saved} if saved else {last}) | ({begun} if begun else set()), where
        for summary in store.recent(1000):
            assert_whole(store.load(summary.saved_id))
        last = version


@pytest.mark.full
def test_two_servers_save_in_one_file_at_once(tmp_path):
    """Each saves one session, with texts in common, and no wait is too long; then both save the same one."""
    for ids in ([new_saved_id(), new_saved_id()], [new_saved_id()] * 2):
        children = [saving(tmp_path, saved_id, 1, 100) for saved_id in ids]
        reports = [child.communicate(timeout=60)[0].splitlines() for child in children]
        assert [child.returncode for child in children] == [0, 0]
        assert [lines[-1] for lines in reports] == ["saved 100"] * 2
        store = SessionStore(tmp_path, LIMITS)
        assert store.set_aside is None
        for saved_id in ids:
            assert store.load(saved_id).title == "100"
            assert_whole(store.load(saved_id))


@pytest.mark.full
def test_threads_save_and_load_at_once(tmp_path):
    store, faults = SessionStore(tmp_path, LIMITS), []

    def save_and_load(number):
        try:
            saved_id = new_saved_id()
            for version in range(number * 100, number * 100 + 20):
                save(store, saved_id, version)
                assert_whole(store.load(saved_id))
                assert store.recent(20)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=save_and_load, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(store.recent(20)) == 8
