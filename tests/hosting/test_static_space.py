"""The folder of a static Space: its settings and the playground."""

import os
import subprocess
import sys
from pathlib import Path

from bpeviz.standalone.playground import write_playground_folder
from tests.support.paths import ROOT


def test_the_folder_has_the_playground_and_the_settings_of_a_static_space(tmp_path: Path) -> None:
    folder = tmp_path / "space"
    make = [str(ROOT / "hosting/static_space/make_folder"), str(folder)]
    subprocess.run(make, env={**os.environ, "PYTHON": sys.executable}, check=True)
    files = write_playground_folder()
    assert {path.name for path in folder.iterdir()} == {"README.md", *files}
    assert all((folder / name).read_bytes() == data for name, data in files.items())
    assert "\nsdk: static\n" in (folder / "README.md").read_text("utf-8")
