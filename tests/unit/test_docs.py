"""The pages of documentation: what they name is there, and their Python examples run."""

import ast
import doctest
import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tools.package_list import page_with_packages

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
TOP_FOLDERS = "bpeviz|tests|docs|benchmarks|sample_texts"


def examples(page: Path) -> list[str]:
    """The Python examples of a page, from its top down."""
    return re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def anchor(heading: str) -> str:
    """As GitHub writes it: "The idea: gap ranks" -> "the-idea-gap-ranks"."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    paths = set(re.findall(rf"(?<![\w/.-])(?:{TOP_FOLDERS})/(?:[\w./-]*[\w/])?", text))
    assert sorted(path for path in paths if not (ROOT / path).exists()) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in target:
            continue
        name, _, part = target.partition("#")
        file = (page.parent / name) if name else page
        assert file.exists(), target
        if part:
            headings = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
            assert part in map(anchor, headings), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_list_in_a_list_is_one_on_the_site_too(page: Path) -> None:
    """GitHub takes two spaces before it; the site, which Python-Markdown makes, needs four."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert re.findall(r"^ {1,3}(?:[-*]|\d+\.) .*", prose, re.MULTILINE) == []


def test_the_architecture_has_the_first_line_of_every_package_s_docstring() -> None:
    assert page_with_packages(ARCHITECTURE) == ARCHITECTURE
    listed = re.findall(r"^(bpeviz/\S+)  +\S", ARCHITECTURE, re.MULTILINE)
    folders = {path.parent.relative_to(ROOT) for path in (ROOT / "bpeviz").rglob("*/__init__.py")}
    assert {f"{folder.as_posix()}/" for folder in folders - {Path("bpeviz")}} <= set(listed)


@pytest.mark.parametrize("package", sorted((ROOT / "bpeviz").rglob("__init__.py")), ids=str)
def test_the_modules_that_a_package_s_docstring_lists_are_there(package: Path) -> None:
    """Such as "- ``result``, ``history``: the outcome"."""
    docstring = ast.get_docstring(ast.parse(package.read_text("utf-8"))) or ""
    named = [
        name
        for entry in re.findall(r"^- ((?:``\w+``,? ?)+):", docstring, re.MULTILINE)
        for name in re.findall(r"\w+", entry)
    ]
    missing = [n for n in named if not (package.parent / f"{n}.py").exists()]
    assert [n for n in missing if not (package.parent / n).is_dir()] == []


def test_every_name_is_in_the_file_that_the_architecture_gives() -> None:
    """Such as `train_text` (`bpeviz/training/text_training.py`)."""
    named = re.findall(r"`(\w+)`\s+\(`(bpeviz/[\w/]+\.py)`\)", ARCHITECTURE)
    assert len(named) > 20
    for name, path in named:
        text = (ROOT / path).read_text("utf-8")
        assert re.search(rf"^(?:def|class) {name}\b", text, re.MULTILINE), f"{name} is not in {path}"


@pytest.mark.parametrize("page", [page for page in PAGES if examples(page)], ids=lambda page: page.name)
def test_the_python_examples_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order, as one program. An example with ``>>>`` also gives what the page prints."""
    (tmp_path / "sample_texts").symlink_to(ROOT / "sample_texts")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in examples(page):
        if "tcp://" in code:  # needs a cluster; tests/cluster counts on one
            compile(code, page.name, "exec")
        elif code.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), None)
            runner = doctest.DocTestRunner(verbose=False)
            runner.run(test, clear_globs=False)
            assert runner.failures == 0
            names |= test.globs
        else:
            exec(compile(code, page.name, "exec"), names)


def test_the_readme_has_an_example_of_five_lines() -> None:
    first = examples(ROOT / "README.md")[0]
    assert len([line for line in first.splitlines() if line]) == 5
