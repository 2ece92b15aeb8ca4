"""Saved sessions: what is saved is loaded, and a text that several works use is stored once."""

import gc
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bpeviz.errors import TextDigestError, WorkChangedError, WorkIdError, WorkTooLargeError
from bpeviz.storage.work_store import (
    WorkLimits,
    WorkStore,
    data_directory,
    is_work_id,
    new_work_id,
    text_digest,
)
from tests.support.paths import ROOT

LIMITS = WorkLimits(work_bytes=1_000_000, total_bytes=10_000_000, age_days=30)
#: Half of a surrogate pair, a NUL, letters of all planes, and text that looks like markup.
TITLES = ["", "the cat", "a\0b", "\ud800 half", "日本語 🐈 é", "<b>&amp;", "' OR 1=1; --", "x" * 10_000]
NOT_IDS = [
    "",
    "../../etc/passwd",
    "a" * 21,
    "a" * 21 + "A" * 2,
    "a" * 21 + "B",  # its last four bits would be lost
    "a" * 21 + "A\n",
    "é" + "a" * 20 + "A",
    "\0" * 22,
    "\ud800" * 22,
    "x" * 100_000,
]


@pytest.fixture
def store(tmp_path):
    with closing(WorkStore.open(tmp_path, LIMITS)) as store:
        yield store


def giving(*texts: bytes):
    """The texts in the form that save expects."""
    return {text_digest(text): (lambda text=text: text) for text in texts}


def never():
    raise AssertionError("save asked for a text that is stored")


def rows(store, query):
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute(query).fetchall()


def stored_texts(store):
    return {digest for (digest,) in rows(store, "SELECT digest FROM texts")}


def pause():
    """Long enough for another microsecond."""
    time.sleep(0.001)


class TestSavingAndLoading:
    @pytest.mark.full
    def test_a_work_is_loaded_as_it_was_saved(self, store):
        work_id = new_work_id()
        before = datetime.now(UTC)
        store.save(work_id, "the cat", '{"step": 3}', giving(b"the cat", b"\xff\0"))
        saved = store.load(work_id)
        assert (saved.work_id, saved.title, saved.state) == (work_id, "the cat", '{"step": 3}')
        assert saved.texts == {text_digest(b"the cat"): b"the cat", text_digest(b"\xff\0"): b"\xff\0"}
        assert before - timedelta(seconds=1) < saved.changed_at < datetime.now(UTC) + timedelta(seconds=1)

    def test_a_work_never_saved_is_none(self, store):
        assert store.load(new_work_id()) is None

    def test_the_state_saved_last_counts(self, store):
        work_id = new_work_id()
        for step in range(5):
            store.save(work_id, f"title {step}", f"state {step}", {})
        assert (store.load(work_id).title, store.load(work_id).state) == ("title 4", "state 4")

    def test_it_is_there_when_the_store_is_opened_again(self, tmp_path):
        work_id = new_work_id()
        with closing(WorkStore.open(tmp_path, LIMITS)) as store:
            store.save(work_id, "t", "s", giving(b"text"))
        with closing(WorkStore.open(tmp_path, LIMITS)) as store:
            assert store.load(work_id).texts == {text_digest(b"text"): b"text"}
            assert store.set_aside is None

    @pytest.mark.parametrize("title", TITLES, ids=ascii)
    def test_any_title_and_any_state_survive(self, store, title):
        work_id = new_work_id()
        store.save(work_id, title, title, {})
        assert (store.load(work_id).title, store.load(work_id).state) == (title, title)
        assert store.recent(1)[0].title == title

    def test_an_empty_text_is_a_text(self, store):
        work_id = new_work_id()
        store.save(work_id, "", "", giving(b""))
        assert store.load(work_id).texts == {text_digest(b""): b""}

    def test_a_stored_text_is_not_asked_for_again(self, store):
        work_id, other = new_work_id(), new_work_id()
        store.save(work_id, "", "", giving(b"text"))
        store.save(work_id, "", "", {text_digest(b"text"): never})
        store.save(other, "", "", {text_digest(b"text"): never})
        assert store.load(other).texts == {text_digest(b"text"): b"text"}

    def test_a_deleted_work_is_none_and_the_others_stay(self, store):
        work_id, other = new_work_id(), new_work_id()
        store.save(work_id, "", "", giving(b"text"))
        store.save(other, "", "other", giving(b"other"))
        store.delete(work_id)
        store.delete(work_id)
        assert store.load(work_id) is None
        assert store.load(other).state == "other"
        assert [summary.work_id for summary in store.recent(9)] == [other]

    def test_what_raises_while_a_text_is_given_changes_nothing(self, store):
        work_id = new_work_id()
        store.save(work_id, "", "before", giving(b"before"))
        with pytest.raises(AssertionError):
            store.save(work_id, "", "after", {**giving(b"after"), text_digest(b"never"): never})
        assert (store.load(work_id).state, stored_texts(store)) == ("before", {text_digest(b"before")})

    def test_a_closed_store_says_so(self, store):
        store.close()
        store.close()
        with pytest.raises(ValueError, match="closed"):
            store.recent(1)


class TestTextsInCommon:
    def test_a_text_of_two_works_is_stored_once_and_goes_with_the_second(self, store):
        first, second = new_work_id(), new_work_id()
        text = b"x" * 500_000
        store.save(first, "", "", giving(text))
        before = store.byte_total()
        store.save(second, "", "", giving(text))
        assert store.byte_total() - before < 50_000
        store.save(first, "", "", {})
        assert store.load(second).texts == {text_digest(text): text}
        store.save(second, "", "", {})
        assert stored_texts(store) == set()

    def test_a_text_no_longer_referred_to_goes_unless_another_work_needs_it(self, store):
        first, second = new_work_id(), new_work_id()
        store.save(first, "", "", giving(b"alone", b"both"))
        store.save(second, "", "", giving(b"both"))
        store.save(first, "", "", {})
        assert stored_texts(store) == {text_digest(b"both")}
        assert store.load(first).texts == {}

    def test_a_text_may_come_back(self, store):
        work_id = new_work_id()
        for texts in (giving(b"text"), {}, giving(b"text")):
            store.save(work_id, "", "", texts)
        assert store.load(work_id).texts == {text_digest(b"text"): b"text"}


class TestTheLatest:
    @pytest.mark.full
    def test_the_work_changed_last_is_first(self, store):
        ids = [new_work_id() for _ in range(3)]
        for work_id in [*ids, ids[0]]:
            store.save(work_id, work_id, "state", giving(b"12345"))
            pause()
        assert [summary.work_id for summary in store.recent(9)] == [ids[0], ids[2], ids[1]]
        assert [summary.work_id for summary in store.recent(1)] == [ids[0]]
        assert store.recent(0) == store.recent(-1) == []

    def test_a_summary_counts_title_state_and_texts(self, store):
        work_id = new_work_id()
        store.save(work_id, "é", "state", giving(b"12345", b"123"))
        (summary,) = store.recent(9)
        assert (summary.title, summary.byte_total) == ("é", 2 + 5 + 5 + 3)
        assert summary.changed_at == store.load(work_id).changed_at

    def test_a_date_that_cannot_be_shown_is_that_of_the_epoch(self, store):
        work_id = new_work_id()
        store.save(work_id, "title", "state", {})
        with closing(sqlite3.connect(store.path)) as connection:
            connection.execute("UPDATE works SET changed_at = ?", (2**62,))
            connection.commit()
        assert [summary.changed_at.year for summary in store.recent(9)] == [1970]
        assert store.load(work_id).changed_at.year == 1970


class TestLimits:
    def test_a_work_may_be_as_large_as_the_limit_and_no_larger(self, store):
        work_id = new_work_id()
        store.save(work_id, "", "", giving(b"x" * LIMITS.work_bytes))
        with pytest.raises(WorkTooLargeError) as caught:
            store.save(work_id, "é", "s", giving(b"x" * LIMITS.work_bytes))
        assert (caught.value.byte_total, caught.value.limit) == (LIMITS.work_bytes + 3, LIMITS.work_bytes)
        assert store.load(work_id).state == ""

    def test_what_was_saved_before_a_work_grew_too_large_stays(self, store):
        work_id = new_work_id()
        store.save(work_id, "before", "before", giving(b"before"))
        with pytest.raises(WorkTooLargeError):
            store.save(work_id, "after", "after", giving(b"x" * 600_000, b"y" * 600_000))
        saved, before = store.load(work_id), {text_digest(b"before"): b"before"}
        assert (saved.title, saved.state, saved.texts) == ("before", "before", before)
        assert stored_texts(store) == {text_digest(b"before")}

    def test_a_stored_text_counts_too(self, store):
        store.save(new_work_id(), "", "", giving(b"x" * 600_000))
        with pytest.raises(WorkTooLargeError):
            store.save(new_work_id(), "", "", giving(b"x" * 600_000, b"y" * 600_000))

    @pytest.mark.full
    def test_a_clock_set_back_drops_nothing(self, store, monkeypatch):
        before, after = new_work_id(), new_work_id()
        store.save(before, "", "", {})
        monkeypatch.setattr("bpeviz.storage.work_store.time.time_ns", lambda: 10**9)
        store.save(after, "", "", {})
        assert store.load(before)
        assert store.load(after)


class TestIdsAndDigests:
    def test_new_ids_are_ids_and_all_different(self):
        ids = {new_work_id() for _ in range(1000)}
        assert len(ids) == 1000
        assert all(is_work_id(work_id) for work_id in ids)

    @pytest.mark.parametrize("text", NOT_IDS, ids=lambda text: ascii(text)[:30])
    def test_what_is_no_id_is_refused_everywhere(self, store, text):
        assert not is_work_id(text)
        for call in (
            lambda: store.save(text, "", "", {}),
            lambda: store.load(text),
            lambda: store.delete(text),
        ):
            with pytest.raises(WorkIdError) as caught:
                call()
            assert caught.value.work_id == text
            assert len(str(caught.value)) < 400

    @pytest.mark.parametrize(
        "digest", ["", "x" * 64, "A" * 64, "a" * 63, "a" * 64 + "\n", "\ud800", "a" * 64]
    )
    def test_a_digest_that_is_not_the_texts_own_is_refused(self, store, digest):
        work_id = new_work_id()
        store.save(work_id, "", "before", giving(b"before"))
        with pytest.raises(TextDigestError):
            store.save(work_id, "", "after", {**giving(b"whole"), digest: lambda: b"text"})
        assert store.load(work_id).state == "before"
        assert stored_texts(store) == {text_digest(b"before")}


class TestTheDirectory:
    def test_only_its_owner_may_read_what_is_made(self, tmp_path):
        with closing(WorkStore.open(tmp_path / "a" / "b", LIMITS)) as store:
            store.save(new_work_id(), "", "", {})
            made = store.path.parent
            assert stat.S_IMODE(made.stat().st_mode) == 0o700
            assert {stat.S_IMODE(path.stat().st_mode) for path in made.iterdir()} == {0o600}

    def test_the_environment_names_the_directory(self, monkeypatch):
        monkeypatch.setenv("BPEVIZ_DATA", "/srv/works")
        assert data_directory() == Path("/srv/works")
        monkeypatch.setenv("BPEVIZ_DATA", "~/works")
        assert data_directory() == Path.home() / "works"

    @pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is another")
    def test_without_it_the_directory_is_the_systems_own(self, monkeypatch):
        monkeypatch.delenv("BPEVIZ_DATA", raising=False)
        monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
        assert data_directory() == Path("/srv/data/bpeviz")
        monkeypatch.setenv("BPEVIZ_DATA", "")
        assert data_directory() == Path("/srv/data/bpeviz")

    def test_a_path_of_any_characters_will_do(self, tmp_path):
        with closing(WorkStore.open(tmp_path / "a b?c#d%20é", LIMITS)) as store:
            store.save(work_id := new_work_id(), "", "", {})
        with closing(WorkStore.open(tmp_path / "a b?c#d%20é", LIMITS)) as store:
            assert store.load(work_id)

    def test_a_link_to_the_file_is_followed(self, tmp_path):
        (tmp_path / "there").mkdir()
        (tmp_path / "here").mkdir()
        (tmp_path / "here" / "bpeviz.sqlite3").symlink_to(tmp_path / "there" / "works")
        with closing(WorkStore.open(tmp_path / "here", LIMITS)) as store:
            store.save(new_work_id(), "", "", {})
            assert store.path == tmp_path / "there" / "works"

    def test_the_file_says_whose_it_is_and_synchronises_every_commit(self, store):
        assert rows(store, "PRAGMA application_id") == [(0x62706576,)]
        assert rows(store, "PRAGMA user_version") == [(2,)]
        assert rows(store, "PRAGMA journal_mode") == [("wal",)]
        ours = store._file._connection
        assert ours.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.full
def test_threads_save_and_load_at_once(store):
    faults = []

    def work(number: int) -> None:
        try:
            mine = new_work_id()
            for version in range(30):
                own = f"{number} {version}".encode() * 1000
                store.save(mine, f"{number}", f"{version}", giving(own, b"of all"))
                saved = store.load(mine)
                assert (saved.title, saved.state) == (f"{number}", f"{version}")
                assert set(saved.texts.values()) == {own, b"of all"}
                assert store.recent(20)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(store.recent(20)) == 8
    assert len(stored_texts(store)) == 9


def test_the_store_needs_no_user_interface():
    code = "import sys, bpeviz.storage.work_store; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not set(run.stdout.split()) & {"streamlit", "plotly", "pandas"}


class StoreAgainstDictionary(RuleBasedStateMachine):
    """Saving, loading, deleting and opening again, in any order, do what they do with a dictionary."""

    ids = st.sampled_from([new_work_id() for _ in range(4)])
    numbers = st.sets(st.integers(0, 5), max_size=4)
    words = st.text(st.characters(), max_size=20)

    @initialize()
    def begin(self):
        self.directory = tempfile.TemporaryDirectory()
        self.store = WorkStore.open(Path(self.directory.name), LIMITS)
        self.works = {}
        self.deleted = {}

    @rule(work_id=ids, title=words, state=words, numbers=numbers)
    def save(self, work_id, title, state, numbers):
        # Some shorter and some longer than a page of the file.
        texts = {bytes([n]) * (n * 1500) for n in numbers}
        kept = self.kept()
        given = {text_digest(text): never if text in kept else lambda text=text: text for text in texts}
        self.store.save(work_id, title, state, given)
        self.deleted.pop(work_id, None)
        self.works[work_id] = (title, state, texts)

    def kept(self):
        works = [*self.works.values(), *self.deleted.values()]
        return set().union(*(texts for _, _, texts in works))

    @rule(work_id=ids)
    def delete(self, work_id):
        self.store.delete(work_id)
        if work_id in self.works:
            self.deleted[work_id] = self.works.pop(work_id)

    @rule(work_id=ids)
    def restore(self, work_id):
        assert self.store.is_deleted(work_id) == (work_id in self.deleted)
        assert self.store.restore(work_id) == (work_id in self.works or work_id in self.deleted)
        if work_id in self.deleted:
            self.works[work_id] = self.deleted.pop(work_id)

    @rule()
    def open_again(self):
        self.store.close()
        self.store = WorkStore.open(Path(self.directory.name), LIMITS)

    @rule(work_id=ids)
    def load(self, work_id):
        saved = self.store.load(work_id)
        found = saved and (saved.title, saved.state, set(saved.texts.values()))
        assert found == self.works.get(work_id)

    @invariant()
    def lists_all_and_keeps_no_other_text(self):
        assert {summary.work_id for summary in self.store.recent(9)} == set(self.works)
        assert {summary.work_id for summary in self.store.deleted(9)} == set(self.deleted)
        assert stored_texts(self.store) == {text_digest(text) for text in self.kept()}

    def teardown(self):
        self.store.close()
        self.directory.cleanup()


TestStoreAgainstDictionary = StoreAgainstDictionary.TestCase
TestStoreAgainstDictionary.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)


def test_a_save_over_what_somebody_else_saved_is_refused_and_changes_nothing(store):
    work_id = new_work_id()
    store.save(work_id, "one", "1", {}, replaces="0")  # nothing is there yet
    store.save(work_id, "two", "2", giving(b"text"), replaces="1")
    with pytest.raises(WorkChangedError):
        store.save(work_id, "three", "3", {}, replaces="1")
    saved = store.load(work_id)
    assert (saved.title, saved.state, list(saved.texts.values())) == ("two", "2", [b"text"])
    store.delete(work_id)
    store.save(work_id, "four", "4", {}, replaces="2")
    assert store.load(work_id).state == "4"


def test_a_store_that_is_dropped_closes_its_connection(tmp_path, monkeypatch):
    """Python 3.13 warns of open ones, and of a timeout that is not given by name; 3.15 refuses that."""
    connect, connections = sqlite3.connect, []

    def by_name(database, /, **settings):
        connections.append(connect(database, **settings))
        return connections[-1]

    monkeypatch.setattr(sqlite3, "connect", by_name)
    for _ in range(2):  # the second time the file is there
        store = WorkStore.open(tmp_path, LIMITS)
        del store
    gc.collect()
    assert len(connections) > 3
    for connection in connections:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
