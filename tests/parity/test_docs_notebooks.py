"""The notebooks of docs/notebooks, executed: they print what is saved.

A cell stops if a number differs from that of its reference. The tests only check that there is a
player: its HTML changes with the page's JavaScript. tests/unit/test_saved_notebooks.py reads the saved files.
"""

from pathlib import Path

import pytest
from nbclient.exceptions import CellExecutionError

from docs.notebooks.execute import executed, read
from tests.support.notebooks import LONG_TEXTS, NAMES, is_player, outputs, path, streams

#: The file of ../shared/cases that holds a text too long for this repository.
LONG = {"bytes-wikipedia": "notebooks.json", "characters-verdict": "the-verdict.txt"}


def shown(notebook: dict) -> list[object]:
    """What a reader sees, with "player" for the player."""
    return [
        "player" if is_player(output) else output.get("text") or output["data"]
        for output in outputs(notebook)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_prints_what_is_saved(name: str) -> None:
    if name in LONG and not (LONG_TEXTS / LONG[name]).exists():
        pytest.skip(f"the text of this notebook is not here: ../shared/cases/{LONG[name]} is missing")
    saved = read(path(name))
    again = executed(saved)
    assert shown(again) == shown(saved)
    assert "player" in shown(again)


@pytest.mark.parametrize("name", LONG)
def test_without_its_text_a_notebook_says_so_and_runs_on_a_sample(name: str, tmp_path: Path) -> None:
    notebook = executed(read(path(name)), tmp_path)
    assert f"The reference's text is not at ../../../shared/cases/{LONG[name]}." in streams(notebook)
    assert shown(notebook)[-1] == "player"


def test_executing_a_notebook_twice_gives_the_same_file() -> None:
    notebook = read(path("course-hugging-face"))
    once = executed(notebook)
    assert once == executed(notebook)
    assert is_player(outputs(once)[-1])


def test_another_number_stops_a_notebook() -> None:
    notebook = read(path("course-cat"))
    (cell,) = [cell for cell in notebook.cells if cell.id == "printed"]
    assert '"h e": 13' in cell.source
    cell.source = cell.source.replace('"h e": 13', '"h e": 14')
    with pytest.raises(CellExecutionError, match="another value for pair_counts_before_first_merge"):
        executed(notebook)
