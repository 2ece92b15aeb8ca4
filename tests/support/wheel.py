"""Builds the wheel and installs it in an empty environment, outside the checkout."""

import os
import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import ROOT

__all__ = ["Installed", "environment", "install_file", "install_wheel", "installed_wheel", "pip"]

_ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Installed:
    """The ``scripts`` of the environment it is installed in, and a ``folder`` to work in."""

    scripts: Path
    folder: Path

    @property
    def wheel(self) -> Path:
        """The wheel that ``install_wheel`` built."""
        (wheel,) = self.folder.parent.glob("*.whl")
        return wheel

    @property
    def command(self) -> Path:
        """The installed command bpeviz."""
        return self.scripts / "bpeviz"

    @property
    def python(self) -> Path:
        return self.scripts / "python"

    def run(self, *command: str | Path, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        """Run a command in the folder until it ends."""
        return subprocess.run(
            command, cwd=self.folder, env=environment(), input=stdin, capture_output=True, check=False
        )


def environment() -> Mapping[str, str]:
    """The environment of these tests, without variables that lead to the checkout, and with no browser."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "STREAMLIT_SERVER_HEADLESS": "true"}


def install_wheel(folder: Path, extra: str = "", files: Sequence[str] = ("requirements.txt",)) -> Installed:
    """Build the wheel and install it with pip, all below a folder, with what an extra such as "dask" names.

    The packages have the versions in the files of requirements, so that a new release fails no test.
    """
    pip("wheel", "--no-deps", "--wheel-dir", folder, ROOT)
    (wheel,) = folder.glob("*.whl")
    return install_file(folder, f"{wheel}[{extra}]" if extra else wheel, files)


def install_file(folder: Path, file: str | Path, constraints: Sequence[str] = ()) -> Installed:
    """Install a wheel or a source archive in an empty environment below a folder.

    Python compiles what it imports; pip would compile everything.
    """
    venv.create(folder / "environment", with_pip=False)
    installed = _installed(folder)
    pins = [argument for each in constraints for argument in ("--constraint", ROOT / each)]
    pip("--python", installed.python, "install", "--no-compile", *pins, file)
    installed.folder.mkdir()
    return installed


def installed_wheel(folder: Path) -> Installed | None:
    """The wheel that ``install_wheel`` installed below a folder before; None if it is not all there."""
    return _installed(folder) if (folder / _ELSEWHERE).exists() else None


def _installed(folder: Path) -> Installed:
    scripts = folder / "environment" / ("Scripts" if sys.platform == "win32" else "bin")
    return Installed(scripts, folder / _ELSEWHERE)


def pip(*arguments: str | Path) -> None:
    """Run pip, which may work on another environment: ``--python``."""
    run = subprocess.run(
        [sys.executable, "-m", "pip", *arguments], env=environment(), capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr.decode()[-2000:]
