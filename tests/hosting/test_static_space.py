"""The folder of a static Space: its settings and the playground."""

import os
import subprocess
import sys
from pathlib import Path

from bpeviz.standalone.playground import write_playground
from tests.support.paths import ROOT


def test_the_folder_has_the_playground_and_the_settings_of_a_static_space(tmp_path: Path) -> None:
    folder = tmp_path / "space"
    make = [str(ROOT / "hosting/static_space/make_folder"), str(folder)]
    subprocess.run(make, env={**os.environ, "PYTHON": sys.executable}, check=True)
    assert {path.name for path in folder.iterdir()} == {"README.md", "index.html"}
    assert (folder / "index.html").read_text("utf-8") == write_playground()
    assert "\nsdk: static\n" in (folder / "README.md").read_text("utf-8")
