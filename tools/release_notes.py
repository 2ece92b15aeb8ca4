"""Print what CHANGELOG.md says about a version: ``python -m tools.release_notes v0.2.0``.

They are the notes of its release. Fails if the tag is not the version of the package, or if the changelog
has no part for it. On GitHub the links lead to the files of the tag.
"""

import os
import re
import sys

import bpeviz
from tests.support.paths import ROOT

CHANGELOG = ROOT / "CHANGELOG.md"


def part_of(changelog: str, version: str) -> str:
    """Return the text below the heading of a version. Raises SystemExit if there is none."""
    found = re.search(rf"^## {re.escape(version)}\n(.*?)(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE)
    if found is None or not found[1].strip():
        raise SystemExit(f"CHANGELOG.md has no part “## {version}”. Rename “## Unreleased”.")
    return found[1].strip()


def release_notes(tag: str, version: str, changelog: str, files: str = "") -> str:
    """Return the notes of a release; ``files`` is the address of the repository's files, if there is one.

    Raises SystemExit if the tag is not ``v`` and the version.
    """
    if tag != f"v{version}":
        raise SystemExit(
            f"The tag is {tag}, and bpeviz/__init__.py says {version}. Tag v{version}, or change it."
        )
    notes = part_of(changelog, version)
    return re.sub(r"\]\((?![a-z]+:|#)", f"]({files}/", notes) if files else notes


def _files(tag: str) -> str:
    """Return the address of the tag's files on GitHub; nothing elsewhere."""
    repository = os.environ.get("GITHUB_REPOSITORY")
    return f"{os.environ['GITHUB_SERVER_URL']}/{repository}/blob/{tag}" if repository else ""


if __name__ == "__main__":
    (given,) = sys.argv[1:]
    print(release_notes(given, bpeviz.__version__, CHANGELOG.read_text("utf-8"), _files(given)))
