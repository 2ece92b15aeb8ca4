"""pyproject.toml against the files of pinned requirements: the same packages, every pin within its range."""

import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
#: The ranges of pyproject.toml, by the file that pins them, and the files that this file reads first.
RANGES = {
    "requirements.txt": (PROJECT["project"]["dependencies"], []),
    "requirements/dask.txt": (EXTRAS["dask"], ["../requirements.txt"]),
    "requirements/docs.txt": (EXTRAS["docs"], []),
    "requirements/notebook.txt": (EXTRAS["notebook"], ["../requirements.txt"]),
    "requirements-dev.txt": (
        EXTRAS["dev"],
        ["requirements/dask.txt", "requirements/notebook.txt"],
    ),
}


def by_name(lines: list[str]) -> dict[str, Requirement]:
    found = [Requirement(line) for line in lines]
    assert len(found) == len({canonicalize_name(each.name) for each in found})
    return {canonicalize_name(each.name): each for each in found}


def pins(file: str) -> list[str]:
    lines = (ROOT / file).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-r "))]


#: The next major versions that a range takes in because a stage of .ci/full tests them: tokenizers1.
TAKEN_IN = {"tokenizers": 1}


def ranges(file: str) -> dict[str, Requirement]:
    """Without the line by which an extra takes in another."""
    return {name: each for name, each in by_name(RANGES[file][0]).items() if name != "bpeviz"}


@pytest.mark.parametrize("file", RANGES)
def test_the_same_packages_are_in_both(file: str) -> None:
    assert set(by_name(pins(file))) == set(ranges(file))


@pytest.mark.parametrize("file", RANGES)
def test_every_pin_is_in_its_range_and_the_next_major_version_is_not(file: str) -> None:
    for name, pin in by_name(pins(file)).items():
        (only,) = pin.specifier
        assert only.operator == "=="
        allowed = ranges(file)[name].specifier
        assert sorted(each.operator for each in allowed) == ["<", ">="]
        version = Version(only.version)
        assert version in allowed
        assert Version(f"{version.major}.999999") in allowed
        assert Version(f"{TAKEN_IN.get(name, version.major) + 1}") not in allowed


@pytest.mark.parametrize("file", RANGES)
def test_the_files_read_each_other_as_the_extras_do(file: str) -> None:
    lines = (ROOT / file).read_text("utf-8").splitlines()
    assert [line.removeprefix("-r ") for line in lines if line.startswith("-r ")] == RANGES[file][1]
    others = [each for name, each in by_name(RANGES[file][0]).items() if name == "bpeviz"]
    taken = {"dask", "notebook"}
    assert [each.extras for each in others] == ([taken] if file == "requirements-dev.txt" else [])


def test_the_build_backend_has_a_range() -> None:
    (backend,) = map(Requirement, PROJECT["build-system"]["requires"])
    assert sorted(each.operator for each in backend.specifier) == ["<", ">="]


def test_the_tokenizers_with_trainers_are_those_of_the_gate_and_the_next_ones_are_allowed() -> None:
    (with_trainers,) = pins("requirements/tokenizers-trainers.txt")
    assert with_trainers in pins("requirements.txt")
    (following,) = by_name(pins("requirements/tokenizers-1.txt")).values()
    (only,) = following.specifier
    assert ranges("requirements.txt")["tokenizers"].specifier.contains(only.version, prereleases=True)
