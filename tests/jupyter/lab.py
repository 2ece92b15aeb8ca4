"""A JupyterLab with bpeviz[notebook], installed and started below a folder."""

import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.server import address_of, free_port, running_command
from tests.support.wheel import Installed, environment, install_wheel, pip

__all__ = ["Lab", "install_lab", "running_lab"]

OPTIONS = ("--no-browser", "--allow-root")
#: It doesn't ask other machines for news or updates.
SETTINGS = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}


@dataclass(frozen=True)
class Lab:
    """The address of a running JupyterLab, its token, and the folder of its notebooks."""

    url: str
    token: str
    folder: Path

    def address(self, notebook: str) -> str:
        """The address of a notebook, in a window that shows nothing else."""
        return f"{self.url}/doc/tree/{notebook}?reset&token={self.token}"

    def write(self, notebook: str, cells: Sequence[str]) -> None:
        """Write a notebook of code cells that were never executed."""
        empty = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
        document = {
            "cells": [{**empty, "id": f"cell-{number}", "source": code} for number, code in enumerate(cells)],
            "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        (self.folder / notebook).write_text(json.dumps(document), "utf-8")


def install_lab(folder: Path) -> Installed:
    """Install the wheel with the extra "notebook", as a person does, and JupyterLab beside it."""
    installed = install_wheel(folder, "notebook", ["requirements.txt", "requirements/notebook.txt"])
    pip("--python", installed.python, "install", "--requirement", ROOT / "requirements/jupyter.txt")
    settings = installed.scripts.parent / "share" / "jupyter" / "lab" / "settings"
    settings.mkdir()
    (settings / "overrides.json").write_text(json.dumps(SETTINGS), "utf-8")
    return installed


@contextmanager
def running_lab(installed: Installed) -> Iterator[Lab]:
    """JupyterLab on a free port, which finds no settings of the person who runs the tests."""
    port, token = free_port(), secrets.token_hex()
    folder, home = installed.folder / "notebooks", installed.folder / "home"
    for each in (folder, home):
        each.mkdir()
    kept = {name: value for name, value in environment().items() if not name.startswith("JUPYTER")}
    own = {"HOME": str(home), "IPYTHONDIR": str(home / "ipython"), "JUPYTER_PLATFORM_DIRS": "0"}
    command = [installed.scripts / "jupyter", "lab", *OPTIONS, f"--port={port}"]
    asked = [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}"]
    with running_command([*command, *asked], port, {**kept, **own}, folder, "/api"):
        yield Lab(address_of(port), token, folder)
