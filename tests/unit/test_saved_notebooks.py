"""The saved notebooks: executed, with their reference's numbers and a player, and nothing of a machine.

tests/parity/test_docs_notebooks.py executes them.
"""

import json
import re
from itertools import pairwise

import pytest

from tests.support.notebooks import (
    FOLDER,
    LONG_TEXTS,
    NAMES,
    cases,
    contents,
    is_player,
    literal,
    outputs,
    path,
    saved,
    source,
    streams,
)
from tests.support.paths import ROOT

#: What says something about a case, and is not printed by its reference.
ABOUT = {"name", "texts", "corpus", "note", "merges_source"}
LARGEST = 400_000
of_each = pytest.mark.parametrize("name", NAMES)


def test_each_reference_has_a_notebook() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.ipynb")) == NAMES
    assert len(NAMES) == 5


@of_each
def test_it_begins_with_a_title_and_says_what_the_reference_does(name: str) -> None:
    first = saved(name)["cells"][0]
    assert first["cell_type"] == "markdown"
    assert source(first).startswith(f"# {name}: ")
    assert "The reference is " in source(first)


@of_each
def test_all_cells_are_executed_in_order_and_without_errors(name: str) -> None:
    notebook = saved(name)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)]
    assert {output["output_type"] for output in outputs(notebook)} == {"stream", "execute_result"}
    assert streams(notebook, "stderr") == ""


@of_each
def test_the_last_cell_shows_a_player(name: str) -> None:
    *_, last = saved(name)["cells"]
    assert ".player(" in source(last)
    assert [is_player(output) for output in last["outputs"]] == [True]


@of_each
def test_it_has_all_numbers_of_its_reference(name: str) -> None:
    case = cases()[name]
    assert literal(saved(name), "printed") == {key: case[key] for key in case.keys() - ABOUT}


@of_each
def test_its_output_has_each_number_twice_from_the_reference_and_from_bpeviz(name: str) -> None:
    shown = " ".join(streams(saved(name)).split())
    for key, value in literal(saved(name), "printed").items():
        number = " ".join(str(value).split())
        assert f"{key.replace('_', ' ')} reference {number} bpeviz {number}" in shown


@pytest.mark.parametrize("name", [name for name in NAMES if "texts" in cases()[name]])
def test_short_texts_are_those_of_the_reference(name: str) -> None:
    assert literal(saved(name), "texts") == cases()[name]["texts"]


@pytest.mark.parametrize("name", ["bytes-wikipedia", "characters-verdict"])
def test_the_numbers_of_a_long_text_come_from_the_text_of_the_reference(name: str) -> None:
    assert "This is the reference's text. All numbers are compared." in streams(saved(name))


def test_no_long_text_is_saved() -> None:
    if not LONG_TEXTS.exists():
        pytest.skip("the long texts are not here: the folder ../shared/cases is missing")
    given = {case["name"]: case for case in json.loads((LONG_TEXTS / "notebooks.json").read_text("utf-8"))}
    texts = {
        "bytes-wikipedia": given["bytes-wikipedia"]["texts"][0],
        "characters-verdict": (LONG_TEXTS / "the-verdict.txt").read_text("utf-8")[100:],
    }
    for name, text in texts.items():
        saved_text = contents(name)
        assert '"start": ' in saved_text  # the player's data are in it
        parts = [text[start:end] for start, end in pairwise(range(0, len(text), 40))]
        assert [part for part in parts if part in saved_text or json.dumps(part)[1:-1] in saved_text] == []


@of_each
def test_nothing_of_a_machine_is_saved(name: str) -> None:
    file = contents(name)
    assert str(ROOT) not in file
    assert re.findall(r"/(?:home|Users|root|tmp|work|opt)/\w+|[A-Z]:\\\\\w+|site-packages", file) == []
    assert re.findall(r"at 0x[0-9a-f]+", file) == []
    assert path(name).stat().st_size < LARGEST


@of_each
def test_its_metadata_is_what_the_script_leaves(name: str) -> None:
    """Jupyter saves more: whoever edits a notebook there runs docs/notebooks/execute.py afterwards."""
    notebook = saved(name)
    assert notebook["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert [cell["id"] for cell in notebook["cells"] if cell["metadata"]] == []
