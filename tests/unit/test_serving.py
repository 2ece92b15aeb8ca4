"""The locked packages of a server, its settings, and the page about serving."""

import importlib.metadata
import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bpeviz.ui.server.hosting import FRAMES, HOSTS
from tests.support.paths import ROOT

#: What the container runs on, whatever these tests run on.
LINUX = {"extra": "", "python_version": "3.11", "sys_platform": "linux", "platform_system": "Linux"}


def pinned(file: str) -> dict[str, str]:
    """The version of each package in a file of requirements, by its normalized name."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    found = [Requirement(line.removesuffix("\\")) for line in lines if line[:1].isalnum()]
    return {canonicalize_name(each.name): str(each.specifier) for each in found}


def test_every_locked_package_has_a_hash_and_none_names_a_registry() -> None:
    lock = (ROOT / "requirements" / "server.lock").read_text("utf-8")
    for package in re.split(r"\n(?=[a-z])", lock)[1:]:
        assert re.match(r"[a-z0-9-]+==[0-9][^ ]* \\\n    --hash=sha256:[0-9a-f]{64}", package), package[:60]
    assert not re.search("://|--index|--find-links", lock)


def test_the_lock_holds_the_readme_s_own_list_at_the_same_versions() -> None:
    ours, locked = pinned("requirements.txt"), pinned("requirements/server.lock")
    assert all(version.startswith("==") for version in [*ours.values(), *locked.values()])
    assert ours.items() <= locked.items()


def test_the_lock_holds_all_that_these_packages_need() -> None:
    needed, found = set(pinned("requirements.txt")), set[str]()
    while needed:
        name = needed.pop()
        found.add(name)
        for each in map(Requirement, importlib.metadata.requires(name) or []):
            if each.marker is None or each.marker.evaluate(LINUX):
                needed |= {canonicalize_name(each.name)} - found
    assert found == set(pinned("requirements/server.lock"))


def test_the_server_listens_to_its_own_machine_alone() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    config = settings["server"]
    assert config["address"] == "localhost"
    assert settings["client"]["allowedOrigins"] == []
    assert config["enableCORS"] is True
    assert config["enableXsrfProtection"] is False  # HostGuard checks the origin, without a cookie


@pytest.mark.parametrize(
    "variable", ["BPEVIZ_HOSTED", "BPEVIZ_DATA", "BPEVIZ_SAVED_MEGABYTES", "BPEVIZ_SAVED_DAYS", HOSTS, FRAMES]
)
def test_every_variable_is_in_the_page_about_serving(variable: str) -> None:
    assert variable in (ROOT / "docs" / "serving.md").read_text("utf-8")
