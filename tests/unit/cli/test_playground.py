"""The command playground: the page that it writes, and its errors."""

import pytest

from bpeviz.standalone.playground import write_playground
from tests.unit.cli.test_cli import Result


def test_it_writes_the_page_and_says_how_large_it_is(tmp_path):
    out = tmp_path / "playground.html"
    result = Result("playground", "--out", out)
    assert result.out == f"{out}: {out.stat().st_size:,} bytes\n"
    assert out.read_text("utf-8") == write_playground()
    Result("playground", "--theme", "dark", "--out", out)
    assert 'data-theme="dark"' in out.read_text("utf-8")


@pytest.mark.parametrize("folder", ["site/playground/", "."])
def test_in_a_folder_it_is_the_page_that_a_web_server_shows(tmp_path, folder):
    result = Result("playground", "--out", f"{tmp_path}/{folder}")
    page = tmp_path / folder / "index.html"
    assert result.out == f"{page}: {page.stat().st_size:,} bytes\n"


@pytest.mark.parametrize(
    ("place", "why"), [("none/a.html", "there is no such folder"), ("file/", "it is not a folder")]
)
def test_a_place_that_cannot_be_written_is_one_line(tmp_path, place, why):
    (tmp_path / "file").write_text("")
    result = Result("playground", "--out", f"{tmp_path}/{place}")
    assert result.code == 1
    assert why in result.fault
