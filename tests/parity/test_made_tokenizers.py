"""Each file that stands for one that no wheel carries, compared with the real library on every hard text.

Ids, decoding and token boundaries. ``python -m tests.parity.real_tokenizer_report`` prints them as a table.
"""

import pytest

from tests.support.file_comparison import compare_file, in_table
from tests.support.hard_texts import hard_texts, some_hard_texts
from tests.support.real_tokenizers import MADE_TOKENIZERS

pytestmark = pytest.mark.usefixtures("real_files")
EACH = pytest.mark.parametrize("real", MADE_TOKENIZERS, ids=lambda real: f"{real.model}, {real.file}")


@pytest.mark.gate
@EACH
def test_the_table_of_the_documentation_says_so(real):
    assert in_table(real)


@pytest.mark.gate
@EACH
def test_some_hard_texts_have_the_librarys_ids_decoding_and_boundaries(real):
    assert compare_file(real, some_hard_texts()).result == "identical"


@EACH
def test_ids_decoding_and_boundaries_are_the_librarys(real):
    comparison = compare_file(real)
    assert comparison.result == "identical"
    assert comparison.texts == len(hard_texts()) >= 10_000
