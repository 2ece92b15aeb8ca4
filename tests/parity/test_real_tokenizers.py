"""Each tokenizer that people use, compared with the real library on every hard text.

Ids, decoding and token boundaries. ``python -m tests.parity.real_tokenizer_report`` prints them as a table.
"""

import os

import pytest

from tests.support.file_comparison import compare_file
from tests.support.hard_texts import hard_texts
from tests.support.paths import ROOT
from tests.support.real_tokenizers import FOLDER, REAL_TOKENIZERS, missing_files

#: In CI the files must be there.
REQUIRED = "BPEVIZ_REQUIRE_REAL_TOKENIZERS" in os.environ

README = (ROOT / "README.md").read_text("utf-8")


@pytest.fixture(autouse=True, scope="module")
def _files():
    if missing := missing_files():
        reason = f"{FOLDER} lacks {', '.join(missing)}. Install requirements-real-tokenizers.txt there."
        (pytest.fail if REQUIRED else pytest.skip)(reason)


EACH = pytest.mark.parametrize("real", REAL_TOKENIZERS, ids=lambda real: f"{real.model}, {real.file}")


@EACH
def test_the_table_of_the_readme_says_so(real):
    rows = [line for line in README.splitlines() if line.startswith(f"| {real.model} | `{real.file}` |")]
    assert len(rows) == 1
    assert rows[0].endswith("| identical |")


@EACH
def test_ids_decoding_and_boundaries_are_the_librarys(real):
    comparison = compare_file(real)
    assert comparison.result == "identical"
    assert comparison.texts == len(hard_texts()) >= 10_000
