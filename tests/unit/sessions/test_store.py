"""Saved sessions: what is saved is loaded, a text of several sessions is stored once, and the session that
was not opened for longest goes first."""

import sqlite3
import stat
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bpeviz.errors import SessionChangedError, SessionTooLargeError
from bpeviz.sessions.store import (
    SessionStore,
    StoreLimits,
    data_directory,
    is_saved_id,
    new_saved_id,
    text_digest,
)
from tests.support.paths import ROOT

DAY = 24 * 60 * 60
LIMITS = StoreLimits(session_bytes=1_000_000, visitor_bytes=2_000_000, total_bytes=4_000_000, days=30)
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
    return SessionStore(tmp_path, LIMITS)


@pytest.fixture
def clock(monkeypatch):
    """The time that the store sees, one second later at every look."""
    return Clock(monkeypatch)


class Clock:
    def __init__(self, monkeypatch):
        self.now = 1_800_000_000.0
        monkeypatch.setattr("bpeviz.sessions.store.time", Mock(time=self.time))

    def time(self):
        self.now += 1
        return self.now


def giving(*texts: bytes):
    """The texts in the form that save expects."""
    return {text_digest(text): (lambda text=text: text) for text in texts}


def never():
    raise AssertionError("save asked for a text that is stored")


def saved(store, *texts: bytes, visitor=""):
    """The id of a new session with these texts."""
    saved_id = new_saved_id()
    store.save(saved_id, "title", "{}", giving(*texts), visitor=visitor)
    return saved_id


def listed(store):
    return [summary.saved_id for summary in store.recent(99)]


def stored_texts(store):
    with store._database.transaction("BEGIN") as connection:
        return {digest for (digest,) in connection.execute("SELECT digest FROM texts")}


class TestNames:
    def test_a_name_takes_the_place_of_the_title_until_it_is_removed(self, store):
        saved_id = saved(store)
        store.rename(saved_id, "my <b>猫</b>")
        store.save(saved_id, "another title", "{}", {})
        titles = {store.title(saved_id), store.load(saved_id).title, store.recent(1)[0].title}
        assert titles == {"my <b>猫</b>"}
        store.rename(saved_id, "")
        assert store.title(saved_id) == "another title"

    def test_a_deleted_session_keeps_its_name_and_a_removed_one_leaves_none(self, store):
        saved_id = saved(store)
        store.rename(saved_id, "mine")
        store.delete(saved_id)
        assert store.deleted(1)[0].title == "mine"
        with store._database.transaction() as connection:
            connection.execute("DELETE FROM sessions")
            assert connection.execute("SELECT count(*) FROM names").fetchone() == (0,)

    def test_a_name_that_is_no_unicode_can_be_read(self, store):
        store.rename(saved(store), "\ud800 mine")
        assert store.recent(1)[0].title == "? mine"

    def test_a_session_that_is_not_there_has_no_name(self, store):
        store.rename(unknown := new_saved_id(), "mine")
        assert store.title(unknown) == ""


class TestSavingAndLoading:
    def test_a_session_is_loaded_as_it_was_saved_also_by_another_server(self, store, tmp_path):
        saved_id = new_saved_id()
        store.save(saved_id, "the cat", '{"step": 3}', giving(b"the cat", b"\xff\0", b""))
        found = SessionStore(tmp_path, LIMITS).load(saved_id)
        assert (found.saved_id, found.title, found.document) == (saved_id, "the cat", '{"step": 3}')
        assert found.texts == {text_digest(text): text for text in (b"the cat", b"\xff\0", b"")}
        assert store.set_aside is None

    def test_a_session_never_saved_is_none(self, store):
        assert store.load(new_saved_id()) is None
        assert store.load("' OR 1=1; --") is None

    def test_what_was_saved_last_counts(self, store):
        saved_id = new_saved_id()
        for step in range(5):
            store.save(saved_id, f"title {step}", f"{step}", {})
        assert (store.load(saved_id).title, store.load(saved_id).document) == ("title 4", "4")

    @pytest.mark.parametrize("title", ["", "日本語 🐈 é", "<b>&amp;", "' OR 1=1; --", "a\0b"], ids=ascii)
    def test_any_title_survives(self, store, title):
        store.save(saved_id := new_saved_id(), title, title, {})
        assert (store.load(saved_id).title, store.load(saved_id).document) == (title, title)
        assert store.recent(1)[0].title == title

    def test_half_of_a_surrogate_pair_in_a_title_is_replaced(self, store):
        store.save(new_saved_id(), "\ud800 half", "{}", {})
        assert store.recent(1)[0].title == "? half"

    def test_a_stored_text_is_not_asked_for_again(self, store):
        saved_id, other = new_saved_id(), new_saved_id()
        store.save(saved_id, "", "", giving(b"text"))
        store.save(saved_id, "", "", {text_digest(b"text"): never})
        store.save(other, "", "", {text_digest(b"text"): never})
        assert store.load(other).texts == {text_digest(b"text"): b"text"}

    def test_what_raises_while_a_text_is_given_changes_nothing(self, store):
        store.save(saved_id := new_saved_id(), "", "before", giving(b"before"))
        with pytest.raises(AssertionError):
            store.save(saved_id, "", "after", {**giving(b"after"), text_digest(b"never"): never})
        assert (store.load(saved_id).document, stored_texts(store)) == ("before", {text_digest(b"before")})

    def test_a_save_over_what_somebody_else_saved_is_refused_and_changes_nothing(self, store):
        saved_id = new_saved_id()
        store.save(saved_id, "one", "1", {}, replaces="0")  # nothing is there yet
        store.save(saved_id, "two", "2", giving(b"text"), replaces="1")
        with pytest.raises(SessionChangedError):
            store.save(saved_id, "three", "3", {}, replaces="1")
        found = store.load(saved_id)
        assert (found.title, found.document, list(found.texts.values())) == ("two", "2", [b"text"])

    def test_a_text_of_two_sessions_is_stored_once_and_goes_with_the_second(self, store):
        text = b"x" * 500_000
        first, before = saved(store, text), store.byte_total()
        second = saved(store, text)
        assert store.byte_total() - before < 50_000
        store.save(first, "", "", {})
        assert store.load(second).texts == {text_digest(text): text}
        store.save(second, "", "", {})
        assert stored_texts(store) == set()


class TestLists:
    def test_the_session_used_last_is_first(self, store, clock):
        ids = [saved(store) for _ in range(3)]
        store.save(ids[0], "", "", {})
        store.load(ids[1])
        assert listed(store) == [ids[1], ids[0], ids[2]]
        assert [summary.saved_id for summary in store.recent(1)] == [ids[1]]
        assert store.recent(0) == []

    def test_a_summary_counts_document_and_texts(self, store, clock):
        store.save(new_saved_id(), "é", "12345", giving(b"12345", b"123"))
        (summary,) = store.recent(9)
        assert (summary.title, summary.byte_total) == ("é", 5 + 5 + 3)
        assert summary.used_at.timestamp() == 1_800_000_001

    def test_a_deleted_session_can_be_restored_for_a_day(self, store, clock):
        kept, deleted = saved(store, b"kept"), saved(store, b"text")
        store.delete(deleted)
        store.delete(deleted)
        assert (store.load(deleted), store.is_deleted(deleted), listed(store)) == (None, True, [kept])
        assert [summary.saved_id for summary in store.deleted(9)] == [deleted]
        assert store.restore(deleted)
        assert store.load(deleted).texts == {text_digest(b"text"): b"text"}
        store.delete(deleted)
        clock.now += DAY - 60
        saved(store)
        assert store.is_deleted(deleted)
        clock.now += 60
        saved(store)
        assert not store.restore(deleted)
        assert stored_texts(store) == {text_digest(b"kept")}

    def test_saving_restores_a_deleted_session(self, store):
        store.delete(saved_id := saved(store))
        store.save(saved_id, "", "again", {}, replaces="{}")
        assert store.load(saved_id).document == "again"


class TestLimits:
    def test_a_session_over_the_limit_is_refused_and_the_last_version_stays(self, store):
        saved_id = saved(store, b"x" * (LIMITS.session_bytes - 2))
        with pytest.raises(SessionTooLargeError, match="1,000,001 bytes; the limit is 1,000,000"):
            store.save(saved_id, "", "{}", giving(b"y" * (LIMITS.session_bytes - 1)))
        assert list(store.load(saved_id).texts.values()) == [b"x" * (LIMITS.session_bytes - 2)]

    def test_the_longest_unopened_goes_first_for_space(self, store, clock):
        ids = [saved(store, bytes([n]) * 900_000) for n in range(4)]
        store.load(ids[0])
        new = saved(store, b"new" * 300_000)
        assert listed(store) == [new, ids[0], ids[3], ids[2]]
        assert store.byte_total() <= LIMITS.total_bytes

    def test_a_deleted_session_goes_before_all_others(self, store, clock):
        ids = [saved(store, bytes([n]) * 900_000) for n in range(4)]
        store.delete(ids[3])
        new = saved(store, b"new" * 300_000)
        assert listed(store) == [new, ids[2], ids[1], ids[0]]

    def test_a_visitor_makes_room_only_among_the_visitor_s_own(self, store, clock):
        other = saved(store, b"other" * 100_000, visitor="192.0.2.1")
        mine = [saved(store, bytes([n]) * 900_000, visitor="192.0.2.2") for n in range(6)]
        assert listed(store) == [mine[5], mine[4], other]

    def test_a_text_in_several_sessions_of_a_visitor_counts_once(self, store):
        for _ in range(6):
            saved(store, b"text" * 200_000, visitor="192.0.2.2")
        assert len(listed(store)) == 6

    def test_visitors_are_known_by_hashes_that_differ_between_files(self, tmp_path):
        hashes = set()
        for folder in ("one", "two"):
            store = SessionStore(tmp_path / folder, LIMITS)
            saved(store, visitor="192.0.2.1")
            with store._database.transaction("BEGIN") as connection:
                hashes.add(connection.execute("SELECT visitor FROM sessions").fetchone()[0])
            assert b"192.0.2.1" not in store.path.read_bytes()
        assert len(hashes) == 2

    def test_a_session_alone_over_the_limit_of_the_file_is_refused_and_removes_nothing(self, tmp_path):
        store = SessionStore(tmp_path, StoreLimits(1_000_000, 1_000_000, 200_000, days=30))
        saved_id = saved(store)
        with pytest.raises(SessionTooLargeError):
            saved(store, b"x" * 300_000)
        assert listed(store) == [saved_id]

    def test_a_session_unused_for_too_long_is_removed(self, store, clock):
        _, used = saved(store, b"old"), saved(store)
        clock.now += 20 * DAY
        store.load(used)
        clock.now += 20 * DAY
        new = saved(store)
        assert listed(store) == [new, used]
        assert stored_texts(store) == set()


class TestIds:
    def test_new_ids_are_ids_and_all_different(self):
        ids = {new_saved_id() for _ in range(1000)}
        assert len(ids) == 1000
        assert all(is_saved_id(saved_id) for saved_id in ids)

    @pytest.mark.parametrize("text", NOT_IDS, ids=lambda text: ascii(text)[:30])
    def test_what_is_no_id(self, text):
        assert not is_saved_id(text)


class TestTheFolder:
    def test_only_its_owner_may_read_what_is_made(self, tmp_path):
        store = SessionStore(tmp_path / "a" / "b", LIMITS)
        saved(store)
        made = store.path.parent
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in made.iterdir()} == {0o600}

    def test_the_environment_names_the_folder(self, monkeypatch):
        monkeypatch.setenv("BPEVIZ_DATA", "/srv/sessions")
        assert data_directory() == Path("/srv/sessions")
        monkeypatch.setenv("BPEVIZ_DATA", "~/sessions")
        assert data_directory() == Path.home() / "sessions"

    @pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is another")
    def test_without_it_the_folder_is_the_systems_own(self, monkeypatch):
        monkeypatch.setenv("BPEVIZ_DATA", "")
        monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
        assert data_directory() == Path("/srv/data/bpeviz")

    def test_a_path_of_any_characters_will_do(self, tmp_path):
        saved_id = saved(SessionStore(tmp_path / "a b?c#d%20é", LIMITS))
        assert SessionStore(tmp_path / "a b?c#d%20é", LIMITS).load(saved_id)

    def test_the_store_needs_no_user_interface(self):
        code = "import sys, bpeviz.sessions.store; print(*sys.modules)"
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert not set(run.stdout.split()) & {"streamlit", "plotly", "pandas"}


def test_a_save_reads_no_session_but_its_own_and_those_that_it_removes(store, monkeypatch):
    """Whoever saves keeps all others from saving meanwhile."""
    statements: list[str] = []
    connect = sqlite3.connect

    def traced(path, **options):
        connection = connect(path, **options)
        connection.set_trace_callback(statements.append)
        return connection

    for number in range(9):  # too much for one visitor, and for all
        texts = giving(f"{number}".encode() * 600_000)
        with monkeypatch.context() as patch:
            patch.setattr("bpeviz.sessions.database.sqlite3.connect", traced)
            store.save(new_saved_id(), "title", "{}", texts, visitor=f"{number // 4}")
    with closing(connect(store.path)) as database:
        plans = {
            row[3]
            for statement in set(statements)
            if statement.startswith(("SELECT", "DELETE"))
            for row in database.execute(f"EXPLAIN QUERY PLAN {statement}")
        }
    assert any("USING INDEX sessions_by_removal" in step for step in plans), plans
    found = [step for step in plans if step.startswith("SCAN sessions") and "USING" not in step]
    assert found == []


class StoreAgainstDictionary(RuleBasedStateMachine):
    """Saving, loading, deleting and opening again, in any order, do what they do with a dictionary."""

    ids = st.sampled_from([new_saved_id() for _ in range(4)])
    numbers = st.sets(st.integers(0, 5), max_size=4)
    words = st.text(st.characters(codec="utf-8"), max_size=20)

    @initialize()
    def begin(self):
        self.directory = tempfile.TemporaryDirectory()
        self.store = SessionStore(Path(self.directory.name), LIMITS)
        self.sessions = {}
        self.deleted = {}

    @rule(saved_id=ids, title=words, document=words, numbers=numbers)
    def save(self, saved_id, title, document, numbers):
        # Some shorter and some longer than a page of the file.
        texts = {bytes([n]) * (n * 1500) for n in numbers}
        kept = self.kept()
        given = {text_digest(text): never if text in kept else lambda text=text: text for text in texts}
        self.store.save(saved_id, title, document, given)
        self.deleted.pop(saved_id, None)
        self.sessions[saved_id] = (title, document, texts)

    def kept(self):
        sessions = [*self.sessions.values(), *self.deleted.values()]
        return set().union(*(texts for _, _, texts in sessions))

    @rule(saved_id=ids)
    def delete(self, saved_id):
        self.store.delete(saved_id)
        if saved_id in self.sessions:
            self.deleted[saved_id] = self.sessions.pop(saved_id)

    @rule(saved_id=ids)
    def restore(self, saved_id):
        assert self.store.is_deleted(saved_id) == (saved_id in self.deleted)
        assert self.store.restore(saved_id) == (saved_id in self.sessions or saved_id in self.deleted)
        if saved_id in self.deleted:
            self.sessions[saved_id] = self.deleted.pop(saved_id)

    @rule()
    def open_again(self):
        self.store = SessionStore(Path(self.directory.name), LIMITS)

    @rule(saved_id=ids)
    def load(self, saved_id):
        found = self.store.load(saved_id)
        assert (found and (found.title, found.document, set(found.texts.values()))) == self.sessions.get(
            saved_id
        )

    @invariant()
    def lists_all_and_keeps_no_other_text(self):
        assert {summary.saved_id for summary in self.store.recent(9)} == set(self.sessions)
        assert {summary.saved_id for summary in self.store.deleted(9)} == set(self.deleted)
        assert stored_texts(self.store) == {text_digest(text) for text in self.kept()}

    def teardown(self):
        self.directory.cleanup()


TestStoreAgainstDictionary = StoreAgainstDictionary.TestCase
TestStoreAgainstDictionary.settings = settings(max_examples=20, stateful_step_count=15, deadline=None)
