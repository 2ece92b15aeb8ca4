"""Writing the page to files, and opening it."""

import os
import sys
import webbrowser
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest

from bpeviz.errors import BpevizError, PlayerError
from bpeviz.runs.run import new_number
from bpeviz.standalone.options import Options
from bpeviz.standalone.player import Player
from tests.support.trained import LOW, trained


def test_the_file_is_the_page(tmp_path: Path) -> None:
    player = trained().player("low é日🙂\r\n")
    for path in (tmp_path / "page.html", str(tmp_path / "日本 🙂.html")):
        player.write_html(path)
        page = Path(path).read_bytes().decode("utf-8")
        assert page == player.to_html().replace(player.id, "player")  # type: ignore[attr-defined]
    assert sorted(tmp_path.iterdir()) == sorted([tmp_path / "page.html", tmp_path / "日本 🙂.html"])


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("before" * 100_000)
    trained().player(LOW).write_html(path)
    assert path.read_text("utf-8").startswith("<!doctype html>")
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(PlayerError, match="No space left on device"):
        trained().player(LOW).write_html(path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "name",
    ["missing/page.html", "page\0.html", "", ".", "/", "..", "x" * 300, "\ud800.html", "file/page.html"],
    ids=lambda name: repr(name[:20]),
)
def test_a_name_that_no_page_can_have_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(PlayerError, match="can't be written to") as caught:
        trained().player(LOW).write_html(name)
    assert isinstance(caught.value, BpevizError)
    assert (name if name.isprintable() else repr(name))[:200] in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 330
    assert str(caught.value).encode("utf-8")
    assert str(tmp_path.joinpath("file").read_text()) == "no folder"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    with pytest.raises(PlayerError, match="directory"):
        trained().player(LOW).write_html(tmp_path / "page.html")
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_nobody_may_write_to_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(PlayerError, match="Permission denied"):
            trained().player(LOW).write_html(tmp_path / "page.html")
    finally:
        tmp_path.chmod(0o700)


def test_show_opens_a_file_with_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    player = trained().player(LOW)
    player.show()
    player.show()
    assert len(set(opened)) == 2
    for address in opened:
        assert urlparse(address).scheme == "file"
        path = Path(url2pathname(urlparse(address).path))
        assert path.parent == tmp_path
        assert path.suffix == ".html"
        assert path.read_text("utf-8") == player.to_html()


def test_only_a_notebook_knows_what_is_picked_and_observed() -> None:
    content = trained().player(LOW)._content_at  # type: ignore[attr-defined]
    player = Player(content, last=3, step=None, options=Options())
    with pytest.raises(PlayerError, match=r"bpeviz\[notebook\]"):
        _ = player.picked
    with pytest.raises(PlayerError, match=r"bpeviz\[notebook\]"):
        player.observe(print)


def test_a_player_made_again_writes_the_same_file(tmp_path: Path) -> None:
    pages = []
    for made in (lambda: trained().player(LOW), lambda: trained().tokenizer().player(LOW)):
        for name in ("first", "second"):
            for _ in range(12):  # runs have numbers, in the order in which they are made
                new_number()
            made().write_html(tmp_path / name)
            pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]
    assert pages[2] == pages[3]
