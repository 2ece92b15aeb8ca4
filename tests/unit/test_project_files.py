"""The files that other programs read about the project: well-formed, and in agreement with pyproject.toml."""

import re
import shlex
import tomllib
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

import bpeviz
from bpeviz.cli import main
from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
#: What each kind of package that dependabot renews is read from.
READ_FOR = {
    "pip": "pyproject.toml",
    "npm": "package.json",
    "docker": "Containerfile",
    "github-actions": ".github",
}


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


def test_the_citation_has_what_its_format_requires_and_is_of_this_version() -> None:
    citation = read("CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["title"].startswith(PROJECT["name"])
    assert (citation["version"], citation["license"]) == (bpeviz.__version__, PROJECT["license"])
    assert citation["authors"] == PROJECT["authors"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_an_issue_form_asks_each_thing_once_and_names_commands_that_exist(form: Any) -> None:
    asked = read(form)
    assert asked["name"]
    assert asked["description"]
    fields = [each for each in asked["body"] if each["type"] != "markdown"]
    assert len({each["id"] for each in fields}) == len(fields) > 2
    assert all(each["attributes"]["label"] for each in fields)
    for command in re.findall(r"`bpeviz ([a-z]+)", form.read_text("utf-8")):
        assert main([command, "--help"]) == 0, command


def test_there_are_three_issue_forms() -> None:
    assert [form.stem for form in FORMS] == ["bug", "merge", "tokenizer"]


def test_dependabot_looks_where_the_versions_are() -> None:
    updates = read(".github/dependabot.yml")["updates"]
    for each in updates:
        folder = ROOT / each["directory"].strip("/")
        assert (folder / READ_FOR[each["package-ecosystem"]]).exists(), each
    assert {each["package-ecosystem"] for each in updates} == set(READ_FOR)


def test_pre_commit_runs_the_tools_that_are_pinned_here() -> None:
    (repository,) = read(".pre-commit-config.yaml")["repos"]
    pinned = (ROOT / "requirements-dev.txt").read_text("utf-8")
    programs = [shlex.split(hook["entry"])[0] for hook in repository["hooks"]]
    assert programs == [".venv/bin/ruff", ".venv/bin/ruff", ".venv/bin/mypy", "npm"]
    assert all(f"\n{name.removeprefix('.venv/bin/')}==" in pinned for name in programs[:3])


def test_the_hook_for_others_is_a_command_and_its_example_names_it() -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    program, command = hook["entry"].split()
    assert program in PROJECT["scripts"]
    examples = re.findall(
        r"```yaml\n(.*?)```", (ROOT / "docs" / "command-line.md").read_text("utf-8"), re.DOTALL
    )
    (example,) = (yaml.safe_load(each)[0] for each in examples if "rev:" in each)
    (used,) = example["hooks"]
    assert (used["id"], example["rev"]) == (hook["id"], f"v{bpeviz.__version__}")
    tokenizer, *arguments = used["args"]
    assert re.search(hook["files"], tokenizer)
    assert main([command, "gpt2", *arguments]) == 0


@pytest.mark.parametrize(
    ("picture", "label", "values"),
    [
        ("licence.svg", "licence", [PROJECT["license"]]),
        (
            "pythons.svg",
            "python",
            [each.split()[-1] for each in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", each)],
        ),
    ],
)
def test_a_badge_says_what_pyproject_says(picture: str, label: str, values: list[str]) -> None:
    drawn = ElementTree.parse(ROOT / "docs" / picture).getroot()
    words = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert words == [label, " | ".join(values)]
    assert drawn.attrib["aria-label"] == f"{label}: {words[1]}"
    assert f"docs/{picture})" in (ROOT / "README.md").read_text("utf-8")
