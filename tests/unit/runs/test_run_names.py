"""Names of runs: short, and never the same twice."""

import pytest

from bpeviz.runs.run_names import free_name


@pytest.mark.parametrize(
    ("name", "taken", "free"),
    [
        ("Run A", [], "Run A"),
        ("Run A", ["Run A", "Fork A"], "Run B"),
        ("Fork A", ["Run A", "Fork A", "Fork B"], "Fork C"),
        ("Run B", ["Run B"], "Run A"),
        ("Run A", [f"Run {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"], "Run A 2"),
        ("mine", ["mine"], "mine 2"),
        ("mine", ["mine", "mine 2"], "mine 3"),
        ("mine", ["Run A"], "mine"),
    ],
)
def test_a_taken_name_gets_the_next_letter_or_a_number(name: str, taken: list[str], free: str) -> None:
    assert free_name(name, taken) == free
