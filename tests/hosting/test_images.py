"""From the files of the container and of the Space to their page, as on a machine that has nothing else.

With Docker running, the images are built and run. Without it, this machine does what the files say: it
copies, installs into an empty environment, and starts the command with the image's variables.
"""

import json
import os
import shlex
import shutil
import subprocess
import venv
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from tests.support.hosted_page import expect_app, expect_refused, framed, tab_with_names
from tests.support.paths import ROOT
from tests.support.server import free_port, running_command
from tests.support.wheel import environment

STRANGER = "https://stranger.example.com"


@dataclass
class Image:
    """What a Dockerfile says: its steps in order, its variables and its command."""

    steps: list[tuple[str, str]] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)


def read_image(file: Path) -> Image:
    image = Image()
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.lstrip().startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        name, _, rest = line.strip().partition(" ")
        if name == "ENV":
            image.variables |= dict(each.split("=", 1) for each in shlex.split(rest))
        elif name == "CMD":
            image.command = json.loads(rest)
        elif name in ("COPY", "RUN"):
            image.steps.append((name, rest.strip()))
    return image


def with_docker() -> bool:
    docker = shutil.which("docker")
    if docker is None:
        return False
    return subprocess.run([docker, "info"], capture_output=True, check=False).returncode == 0


@contextmanager
def in_docker(folder: Path, file: Path, port: int, variables: Mapping[str, str], _: Path) -> Iterator[None]:
    subprocess.run(["docker", "build", "-t", "bpeviz-test", "-f", file, folder], check=True)
    given = [part for name, value in variables.items() for part in ("-e", f"{name}={value}")]
    command = ["docker", "run", "--rm", "--read-only", "--tmpfs", "/tmp", "-p", f"{port}:8501", *given]
    with running_command([*command, "bpeviz-test"], port, os.environ, folder):
        yield


@contextmanager
def on_this_machine(
    folder: Path, file: Path, port: int, variables: Mapping[str, str], empty: Path
) -> Iterator[None]:
    print("no Docker: this machine does what the file says")
    image, app = read_image(file), empty / "app"
    app.mkdir()
    venv.create(empty / "environment", with_pip=True)
    path = f"{empty / 'environment' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    outside = {**environment(), "PATH": path}
    for name, rest in image.steps:
        if name == "COPY":
            copy(folder, app, rest.split())
        elif not rest.startswith("useradd"):  # whose user the files have is the image's
            subprocess.run(["sh", "-c", rest], cwd=app, env=outside, check=True)
    inside = {**outside, **image.variables, "BPEVIZ_DATA": str(empty / "data"), **variables}
    command = [str(port) if word == "8501" else word for word in image.command]
    with running_command(["sh", "-c", f"exec {shlex.join(command)}"], port, inside, app):
        yield


def copy(folder: Path, app: Path, names: list[str]) -> None:
    *sources, target = names
    for source in sources:
        if (folder / source).is_dir():
            shutil.copytree(folder / source, app / target, dirs_exist_ok=True)
        else:
            (app / target).mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / source, app / target)


Starter = Callable[[Path, Path, int, Mapping[str, str], Path], AbstractContextManager[None]]


@pytest.fixture
def start() -> Starter:
    return in_docker if with_docker() else on_this_machine


@pytest.fixture
def tab() -> Iterator[Page]:
    with sync_playwright() as playwright, tab_with_names(playwright.chromium) as page:
        yield page


def test_from_the_container_file_to_the_page(start: Starter, tab: Page, tmp_path: Path) -> None:
    port = free_port()
    with start(ROOT, ROOT / "Containerfile", port, {"BPEVIZ_HOSTS": "bpe.example.org"}, tmp_path):
        address = f"http://bpe.example.org:{port}/"
        tab.goto(address)
        expect_app(tab)
        expect_refused(framed(tab, STRANGER, address))


def test_from_the_folder_of_the_space_to_the_page_in_a_frame(
    start: Starter, tab: Page, tmp_path: Path
) -> None:
    folder, port = tmp_path / "space", free_port()
    subprocess.run([ROOT / "hosting" / "space" / "make_folder", folder], check=True, cwd=tmp_path)
    assert "app_port: 8501" in (folder / "README.md").read_text("utf-8")
    with start(folder, folder / "Dockerfile", port, {}, tmp_path):
        address = f"http://somebody-bpeviz.hf.space:{port}/"
        expect_app(framed(tab, "https://huggingface.co", address))
        expect_refused(framed(tab, STRANGER, address))
        tab.goto(f"http://localhost:{port}/")
        expect_app(tab)
