"""The notebooks of docs/notebooks as they are saved, beside what their references printed."""

import ast
import base64
import gzip
import json
import re
from pathlib import Path

from tests.support.paths import ROOT

__all__ = [
    "FOLDER",
    "LONG_TEXTS",
    "NAMES",
    "cases",
    "contents",
    "is_player",
    "literal",
    "outputs",
    "path",
    "saved",
    "source",
    "streams",
]

FOLDER = ROOT / "docs" / "notebooks"
#: The folder with the texts that are too long for notebooks.json.
LONG_TEXTS = ROOT.parent / "shared" / "cases"


def cases() -> dict[str, dict]:
    """What each reference reads and prints, by name."""
    text = (ROOT / "tests" / "parity" / "notebooks.json").read_text("utf-8")
    return {case["name"]: case for case in json.loads(text)}


NAMES = sorted(cases())


def path(name: str) -> Path:
    return FOLDER / f"{name}.ipynb"


def saved(name: str) -> dict:
    return json.loads(path(name).read_text("utf-8"))


def contents(name: str) -> str:
    """All that the file says, also what the page of the player compresses."""
    text = path(name).read_text("utf-8")
    packed = re.findall(r"(?<=&gt;)H4sI[\w+/=]+(?=&lt;)", text)
    return "\n".join(
        [text, *(gzip.decompress(base64.b64decode(each)).decode("utf-8", "replace") for each in packed)]
    )


def source(cell: dict) -> str:
    return "".join(cell["source"])


def outputs(notebook: dict) -> list[dict]:
    """All outputs, from the first cell to the last."""
    return [output for cell in notebook["cells"] for output in cell.get("outputs", [])]


def streams(notebook: dict, name: str = "stdout") -> str:
    """What the cells print."""
    written = [output for output in outputs(notebook) if output.get("name") == name]
    return "".join("".join(output["text"]) for output in written)


def is_player(output: dict) -> bool:
    html = "".join(output.get("data", {}).get("text/html", ""))
    return html.startswith("<iframe srcdoc=") and "data-bpeviz-player=" in html


def literal(notebook: dict, name: str) -> object:
    """The value that a cell writes out for a name, such as ``printed = {...}``."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            for line in ast.parse(source(cell)).body:
                if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == name:
                    return ast.literal_eval(line.value)
    raise AssertionError(f"no cell writes out {name}")
