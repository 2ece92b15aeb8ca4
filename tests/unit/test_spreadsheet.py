"""In a spreadsheet, no cell of ours is a formula, and tokens keep all characters."""

import csv
import io
import json
import tomllib

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.spreadsheet import plain_cell, plain_csv, token_cell
from tests.support.paths import ROOT

FORMULAS = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_what_begins_like_a_formula_is_told_apart(formula: str) -> None:
    assert plain_cell(formula) == f"'{formula}"
    assert token_cell(formula)[0] == '"'


@given(st.text())
def test_the_text_of_a_token_can_be_read_back(text: str) -> None:
    assert json.loads(token_cell(text)) == text
    assert token_cell(text)[0] == '"'


def test_tables_of_streamlit_have_no_download_of_their_own() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["client"]["disableDataExport"] is True


def test_names_notes_and_headings_of_a_table_are_no_formulas_whatever_parts_its_cells() -> None:
    formula = '=HYPERLINK("http://evil.example")'
    table = pd.DataFrame({"text": [formula, 'a;=1+1;"=2'], "note": [f"{formula} x", ""], formula: [1, 2]})
    written = plain_csv(table, "text", "note")
    header, *rows = csv.reader(io.StringIO(written, newline=""))
    assert header == ["text", "note", f"'{formula}"]
    assert rows == [[f"'{formula}", f"'{formula} x", "1"], ['a;=1+1;"=2', "", "2"]]
    with_semicolons = csv.reader(io.StringIO(written, newline=""), delimiter=";")
    assert not [cell for row in with_semicolons for cell in row if cell.startswith("=")]


@pytest.mark.parametrize("name", ["a.txt", "1 = 1", "“=1”", ""])
def test_any_other_name_stays_as_it_is(name: str) -> None:
    assert plain_cell(name) == name
