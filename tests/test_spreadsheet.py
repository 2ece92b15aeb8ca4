"""What begins like a formula is none in a spreadsheet, and nothing of a token is lost."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.ui.spreadsheet import plain_cell, token_cell

FORMULAS = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_what_begins_like_a_formula_is_told_apart(formula: str) -> None:
    assert plain_cell(formula) == f"'{formula}"
    assert token_cell(formula)[0] == '"'


@given(st.text())
def test_the_text_of_a_token_can_be_read_back(text: str) -> None:
    assert json.loads(token_cell(text)) == text
    assert token_cell(text)[0] == '"'


@pytest.mark.parametrize("name", ["a.txt", "1 = 1", "“=1”", ""])
def test_any_other_name_stays_as_it_is(name: str) -> None:
    assert plain_cell(name) == name
