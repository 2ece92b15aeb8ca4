"""Notes about sessions that a server works on: whose they are, and what happens without a folder."""

from contextlib import suppress
from pathlib import Path

from bpeviz.sessions.open_notes import OpenNotes


def test_a_note_is_there_during_the_block_also_if_it_fails(tmp_path: Path) -> None:
    notes, others = OpenNotes(tmp_path / "open"), OpenNotes(tmp_path / "open")
    with suppress(ValueError), notes.noted("one"), notes.noted("one"):
        assert others.left("one")
        assert not notes.left("one")
        assert not others.left("two")
        assert not others.left("on")
        raise ValueError
    assert not others.left("one")


def test_what_another_server_left_stays_until_somebody_clears_it(tmp_path: Path) -> None:
    working = OpenNotes(tmp_path).noted("one")
    working.__enter__()
    notes = OpenNotes(tmp_path)
    with notes.noted("one"):
        pass
    assert notes.left("one")
    notes.clear("one")
    assert not notes.left("one")


def test_a_session_without_an_id_leaves_no_note(tmp_path: Path) -> None:
    with OpenNotes(tmp_path).noted(""):
        assert list(tmp_path.iterdir()) == []


def test_without_a_folder_to_write_to_nothing_is_noted(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    notes = OpenNotes(tmp_path / "file")
    with notes.noted("one"):
        assert not notes.left("one")
