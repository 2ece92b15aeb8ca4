"""The notes of a release, and what the workflow that makes it may do."""

import re
from typing import Any

import pytest
import yaml

import bpeviz
from tests.support.paths import ROOT
from tools.release_notes import CHANGELOG, part_of, release_notes

CHANGES = """# Changelog

## 0.2.0

### Added

- A site ([docs](docs/page.md), [elsewhere](https://example.org)).

## 0.1.0

The first one.
"""
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text("utf-8")) for path in (ROOT / ".github/workflows").glob("*.yml")
}
JOBS: dict[str, Any] = WORKFLOWS["release"]["jobs"]


def test_the_notes_are_the_part_of_the_version() -> None:
    assert release_notes("v0.1.0", "0.1.0", CHANGES) == "The first one."
    assert release_notes("v0.2.0", "0.2.0", CHANGES).startswith("### Added\n\n- A site ([docs](docs/page.md)")


def test_on_github_the_links_lead_to_the_files_of_the_tag() -> None:
    notes = release_notes("v0.2.0", "0.2.0", CHANGES, "https://github.com/OWNER/bpeviz/blob/v0.2.0")
    assert "[docs](https://github.com/OWNER/bpeviz/blob/v0.2.0/docs/page.md)" in notes
    assert "[elsewhere](https://example.org)" in notes


@pytest.mark.parametrize(
    ("tag", "version", "said"),
    [("v0.2.0", "0.1.0", "The tag is v0.2.0"), ("v0.3.0", "0.3.0", "no part “## 0.3.0”")],
)
def test_a_release_that_was_not_prepared_is_refused(tag: str, version: str, said: str) -> None:
    with pytest.raises(SystemExit, match=said):
        release_notes(tag, version, CHANGES)


def test_the_changelog_has_this_version_and_sorts_what_came_after_the_first() -> None:
    changelog = CHANGELOG.read_text("utf-8")
    assert part_of(changelog, bpeviz.__version__)
    later, _, _ = changelog.partition("\n## 0.1.0\n")
    kinds = ["Added", "Changed", "Fixed"]
    for part in later.split("\n## ")[1:]:
        headings = re.findall(r"^### (.*)$", part, re.MULTILINE)
        assert headings == [kind for kind in kinds if kind in headings], part


def test_nothing_is_published_before_the_gate_passed() -> None:
    assert JOBS["tests"]["uses"] == "./.github/workflows/tests.yml"
    publishing = {name for name, job in JOBS.items() if "write" in str(job.get("permissions"))}
    assert publishing == {"pypi", "container", "release"}
    assert JOBS["pypi"]["needs"] == JOBS["container"]["needs"] == ["tests", "build"]
    assert JOBS["release"]["needs"] == ["pypi", "container"]


def test_only_the_job_for_pypi_may_ask_for_its_token() -> None:
    assert WORKFLOWS["release"]["permissions"] == {"contents": "read"}
    assert JOBS["pypi"]["permissions"] == {"id-token": "write"}
    assert JOBS["pypi"]["environment"] == "pypi"
    assert [name for name, job in JOBS.items() if "id-token" in str(job)] == ["pypi"]


def test_every_action_has_one_major_version() -> None:
    text = "".join(path.read_text("utf-8") for path in (ROOT / ".github/workflows").glob("*.yml"))
    used = {tuple(each.split("@")) for each in re.findall(r"uses: ([^.\s]\S+)", text)}
    assert len({name for name, _ in used}) == len(used) > 5
    assert all(re.fullmatch(r"(release/)?v\d+", version) for _, version in used)
