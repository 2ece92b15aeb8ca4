"""The cases that compare.py and the page's agreement.js share: both count the same boundaries.

tests/javascript/agreement.test.js reads the same file.
"""

import json
from typing import Any

import numpy as np
import pytest

from bpeviz.analysis.compare import Comparison, TextTokens
from bpeviz.core.gap_ranks import NEVER, SKIPPED, WALL
from tests.support.paths import ROOT

NAMED = {"NEVER": NEVER, "SKIPPED": SKIPPED, "WALL": WALL}
CASES = json.loads((ROOT / "tests/support/agreement_cases.json").read_text("utf-8"))["cases"]


def tokens(gaps: list[Any], merges: int) -> TextTokens:
    ranks = np.array([NAMED.get(rank, rank) for rank in gaps], np.int32)
    ends = int(((ranks >= merges) & (ranks != SKIPPED)).sum())
    return TextTokens(ranks, merges, tuple(range(ends)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_compare_finds_the_boundaries_of_the_case(case: dict[str, Any]) -> None:
    a, b = (tokens(gaps, merges) for gaps, merges in zip(case["gaps"], case["merges"], strict=True))
    comparison = Comparison(len(case["text"].encode("utf-8")), a, b)
    assert comparison.shared_boundaries == case["shared"]
    assert [len(comparison.only_a), len(comparison.only_b)] == case["only"]
    found = [comparison.precision, comparison.recall, comparison.f1]
    assert found == [case["precision"], case["recall"], case["f1"]]
    disagreements = [
        {"start": each.start, "end": each.end, "count": each.count}
        for each in comparison.disagreements(case["text"])
    ]
    assert disagreements == case["disagreements"]
