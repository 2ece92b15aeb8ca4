"""Executes the notebooks of this folder again, in place.

    python docs/notebooks/execute.py [name ...]     all of them, or course-cat and so on

A notebook is its own source: edit it in Jupyter or as text, then run this. Each one runs in a fresh kernel,
with the bpeviz of this checkout. What depends on the machine or the moment is not saved, so executing a
notebook twice gives the same file.
"""

import os
import re
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

__all__ = ["FOLDER", "executed", "read", "tidied"]

FOLDER = Path(__file__).parent
_CHECKOUT = FOLDER.parents[1]
#: How long one cell may take, in seconds, on a busy machine.
_LONGEST = 600
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def read(path: Path) -> Any:
    """Return the notebook in a file, as nbformat gives it."""
    return nbformat.read(path, as_version=4)


def executed(notebook: Any, folder: Path = FOLDER) -> Any:
    """Return a copy of the notebook with the outputs of a fresh kernel in ``folder``. Raises
    CellExecutionError."""
    copy = nbformat.from_dict(notebook)
    with TemporaryDirectory() as own:
        client = NotebookClient(
            copy,
            timeout=_LONGEST,
            resources={"metadata": {"path": str(folder)}},
            record_timing=False,
            coalesce_streams=True,
        )
        manager = client.create_kernel_manager()
        manager.transport, manager.ip = "ipc", f"{own}/kernel"  # no port of this machine
        client.execute(env=os.environ | {"PYTHONPATH": str(_CHECKOUT), "IPYTHONDIR": own})
    return tidied(copy)


def tidied(notebook: Any) -> Any:
    """Return the notebook without what depends on the machine or the moment."""
    notebook.metadata = nbformat.from_dict(_METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/html" in data:
                data["text/html"] = _with_stable_id(data["text/html"])
    return notebook


def _with_stable_id(html: str) -> str:
    """Return the HTML of a player with an id that its contents give, instead of a random one."""
    found = re.search(r'data-bpeviz-player="(\w+)"', html)
    if found is None:
        return html
    random_id = found[1]
    stable = sha256(html.replace(random_id, "").encode()).hexdigest()[: len(random_id)]
    return html.replace(random_id, stable)


def main(names: list[str]) -> None:
    """Execute the notebooks with these names, or all; save each one after its last cell."""
    for path in [FOLDER / f"{name}.ipynb" for name in names] or sorted(FOLDER.glob("*.ipynb")):
        notebook = executed(read(path))
        nbformat.write(notebook, path)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
