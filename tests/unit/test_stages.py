"""The stages of .ci/run: together they run every test."""

import re
from itertools import product

import pytest

from tests.conftest import ALONE, NOT_QUICK, TIERS
from tests.support.paths import ROOT

RUN = (ROOT / ".ci/run").read_text("utf-8")
#: What the stages choose, on the first Python.
CHOSEN = [*re.findall(r'^stage .* -m "(.*)"$', RUN, re.MULTILINE), "quick"]


def test_the_line_of_the_readme_is_a_stage():
    assert RUN.count('bash -c "${test_line##* && }"') == 1
    assert re.search(r"pytest -n auto$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("folder", ["unit", *TIERS])
def test_the_stages_leave_no_test_out(folder):
    """However a test is marked, and wherever it is."""
    assert len(CHOSEN) == 6
    for serial, slow, smoke, random in product([False, True], repeat=4):
        marks = dict.fromkeys([*NOT_QUICK, "smoke", "quick", "property"], False)
        marks |= {"slow": slow, "serial": serial or folder in ALONE, "property": random}
        marks |= {folder: True} if folder in TIERS else {}
        marks["smoke"] = smoke and folder == "browser"
        marks["quick"] = marks["smoke"] or not any(marks[mark] for mark in NOT_QUICK)
        assert any(eval(chosen, {}, marks) for chosen in CHOSEN), marks


def test_a_random_example_is_tried_as_often_as_the_full_profile_says():
    assert 'env BPEVIZ_EXAMPLES=100 "${in_two[@]}" -m "property and quick"' in RUN
