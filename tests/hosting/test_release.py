"""What a release publishes: the wheel and the source, each installed alone in an empty environment.

The packages it needs have the versions that pip chooses today, as for a person who installs it. The files
stay in the folder that ``BPEVIZ_DIST`` names: the workflow publishes the very files that were tested.
"""

import os
import re
import shlex
import subprocess
import urllib.request
import venv
from pathlib import Path

import pytest

import bpeviz
from tests.support.paths import ROOT
from tests.support.server import address_of, free_port, running_command
from tests.support.wheel import Installed, environment, install_file, pip

FILES = (f"bpeviz-{bpeviz.__version__}-py3-none-any.whl", f"bpeviz-{bpeviz.__version__}.tar.gz")
#: What README.md runs once it is installed: the page, and a page without a server.
OPEN, PLAYER = (
    shlex.split(arguments)
    for arguments in re.findall(r"^.*\.venv/bin/bpeviz(.*)$", (ROOT / "README.md").read_text("utf-8"), re.M)
)


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the built files."""
    folder = Path(os.environ.get("BPEVIZ_DIST") or tmp_path_factory.mktemp("dist")).absolute()
    tools = tmp_path_factory.mktemp("tools")
    venv.create(tools, with_pip=False)
    python = tools / "bin" / "python"
    pip("--python", python, "install", "-r", ROOT / "requirements" / "release.txt")
    subprocess.run([python, "-m", "build", "--outdir", folder, ROOT], env=environment(), check=True)
    subprocess.run(
        [python, "-m", "twine", "check", "--strict", *folder.iterdir()], env=environment(), check=True
    )
    return folder


@pytest.fixture(scope="module", params=FILES)
def released(
    dist: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    return install_file(tmp_path_factory.mktemp("released"), dist / request.param)


def test_the_two_files_are_built_and_no_other(dist: Path) -> None:
    assert sorted(path.name for path in dist.iterdir()) == sorted(FILES)


def test_the_first_command_of_the_readme_opens_the_page(released: Installed) -> None:
    assert OPEN == []
    port = free_port()
    settings = {**environment(), "STREAMLIT_SERVER_PORT": str(port)}
    with (
        running_command([released.command], port, settings, released.folder),
        urllib.request.urlopen(address_of(port), timeout=60) as answer,
    ):
        assert b"<title>bpeviz</title>" in answer.read()


def test_the_second_command_of_the_readme_writes_a_page(released: Installed) -> None:
    (released.folder / "README.md").write_bytes((ROOT / "README.md").read_bytes())
    ran = released.run(released.command, *PLAYER)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.startswith(b"merges.html: 200 merges, ")
    assert (released.folder / "merges.html").stat().st_size > 100_000
