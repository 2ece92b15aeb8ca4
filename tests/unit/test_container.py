"""The container's file against what it copies and what the server is set to."""

import importlib.metadata
import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bpeviz.ui.limits import read_limits
from tests.support.paths import ROOT

pytestmark = pytest.mark.serial

#: What the container runs on, whatever these tests run on.
LINUX = {"extra": "", "python_version": "3.11", "sys_platform": "linux", "platform_system": "Linux"}
LINES = [
    line
    for line in re.sub(r"\\\n\s*", "", (ROOT / "Containerfile").read_text("utf-8")).splitlines()
    if line and not line.startswith("#")
]


def all_of(instruction: str) -> list[str]:
    return [line.removeprefix(f"{instruction} ") for line in LINES if line.startswith(f"{instruction} ")]


def environment() -> dict[str, str]:
    return dict(word.split("=", 1) for line in all_of("ENV") for word in line.split())


def test_the_base_is_pinned_names_no_registry_and_is_a_python_that_the_project_takes() -> None:
    (base,) = all_of("FROM")
    version = re.fullmatch(r"python:3\.(\d+)-slim-[a-z]+@sha256:[0-9a-f]{64}", base)
    assert version is not None
    assert int(version[1]) >= 11


def pinned(file: str) -> dict[str, str]:
    """The version of each package in a file of requirements, by its normalized name."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    found = [Requirement(line.removesuffix("\\")) for line in lines if line[:1].isalnum()]
    return {canonicalize_name(each.name): str(each.specifier) for each in found}


def test_all_that_is_installed_has_a_hash() -> None:
    (install,) = [line for line in all_of("RUN") if "pip" in line]
    assert install.startswith("python -m pip install --require-hashes ")
    assert install.endswith(" -r requirements.lock")
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    for package in re.split(r"\n(?=[a-z])", lock)[1:]:
        assert re.match(r"[a-z0-9-]+==[0-9][^ ]* \\\n    --hash=sha256:[0-9a-f]{64}", package), package[:60]
    assert not re.search("://|--index|--find-links", lock)


def test_the_lock_holds_the_readme_s_own_list_at_the_same_versions() -> None:
    ours, locked = pinned("requirements.txt"), pinned("requirements.lock")
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
    assert found == set(pinned("requirements.lock"))


def test_all_that_is_copied_is_there_and_is_not_left_out() -> None:
    sources = [word for line in all_of("COPY") for word in line.split()[:-1]]
    ignored = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    assert {"app.py", "bpeviz", "sample_texts", ".streamlit", "requirements.lock"} <= set(sources)
    for source in sources:
        assert (ROOT / source).exists()
        assert f"!{source}" in ignored
    assert "*" in ignored
    assert (ROOT / ".dockerignore").read_text("utf-8") == (ROOT / ".containerignore").read_text("utf-8")


def test_it_runs_as_a_user_who_is_not_root_from_before_the_app_starts() -> None:
    (user,) = all_of("USER")
    assert user not in ("root", "0")
    (made,) = [line for line in all_of("RUN") if line.startswith("useradd")]
    assert user in made
    places = [line.split()[0] for line in LINES]
    assert places.index("USER") < places.index("CMD")
    assert places.index("USER") > max(i for i, name in enumerate(places) if name in ("COPY", "RUN"))


def test_it_is_a_public_server_whose_saved_work_is_in_the_volume() -> None:
    assert environment()["BPEVIZ_HOSTED"] == "1"
    assert int(environment()["STREAMLIT_SERVER_MAX_MESSAGE_SIZE"]) * 1_000_000 > (
        10 * read_limits({"BPEVIZ_HOSTED": "1"}).max_text_bytes  # two runs, five bytes a byte
    )
    assert all_of("VOLUME") == [environment()["BPEVIZ_DATA"]]


def test_port_and_health_are_the_app_s() -> None:
    (port,) = all_of("EXPOSE")
    (command,) = [line for line in all_of("CMD") if "streamlit" in line]
    assert f'"--server.port", "{port}"' in command
    (health,) = all_of("HEALTHCHECK")
    assert f"http://127.0.0.1:{port}/_stcore/health" in health


def test_only_in_a_container_does_the_server_listen_to_more_than_its_own_machine() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    config = settings["server"]
    assert config["address"] == "localhost"
    assert config["allowedHosts"] == ["localhost", "127.0.0.1"]
    assert settings["client"]["allowedOrigins"] == []
    assert config["enableCORS"] is config["enableXsrfProtection"] is True
    assert environment()["STREAMLIT_SERVER_ADDRESS"] == "0.0.0.0"


@pytest.mark.parametrize(
    "variable", ["BPEVIZ_HOSTED", "BPEVIZ_DATA", "BPEVIZ_SAVED_MEGABYTES", "BPEVIZ_SAVED_DAYS"]
)
def test_every_variable_is_in_the_page_about_serving(variable: str) -> None:
    assert variable in (ROOT / "docs" / "serving.md").read_text("utf-8")
