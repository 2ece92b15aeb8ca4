"""The stages of .ci/run: together they run every test."""

import re
from pathlib import Path

from tests import conftest

ROOT = Path(__file__).parents[1]


def test_every_file_of_a_stage_is_there():
    named = (conftest.SERIAL | conftest.SLOW) - {"faults"}
    assert named == {name for name in named if (ROOT / "tests" / name).exists()}


def test_the_stages_leave_no_test_out():
    """However a test is marked, exactly one of the first three stages runs it."""
    stages = re.findall(
        r'^stage .*pytest.*-m "?([a-z ]+)"?$', (ROOT / ".ci/run").read_text("utf-8"), re.MULTILINE
    )
    assert len(stages) == 3
    for browser in (True, False):
        for serial in (True, False):
            marks = {"browser": browser, "serial": serial}
            assert sum(bool(eval(stage, {}, marks)) for stage in stages) == 1
