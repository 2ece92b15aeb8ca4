"""Each file that stands for one that no wheel carries, compared with the real library on every hard text.

Ids, decoding and token boundaries. ``python -m tests.parity.real_tokenizer_report`` prints them as a table.
"""

import pytest

from tests.support.file_comparison import compare_file, in_table
from tests.support.hard_texts import hard_texts, some_hard_texts
from tests.support.real_tokenizers import MADE_TOKENIZERS

pytestmark = pytest.mark.usefixtures("real_files")
#: They take long to make, and each has the rules of another file that the gate has.
NOT_IN_THE_GATE = {"gpt-oss", "Llama 3 without ignore_merges", "Qwen 2.5 with NFC"}


def name_of(real):
    return f"{real.model}, {real.file}"


EACH = pytest.mark.parametrize("real", MADE_TOKENIZERS, ids=name_of)
EACH_IN_ITS_TIER = pytest.mark.parametrize(
    "real",
    [
        pytest.param(real, id=name_of(real), marks=() if real.model in NOT_IN_THE_GATE else pytest.mark.gate)
        for real in MADE_TOKENIZERS
    ],
)


@pytest.mark.gate
@EACH
def test_the_table_of_the_documentation_says_so(real):
    assert in_table(real)


@EACH_IN_ITS_TIER
def test_some_hard_texts_have_the_librarys_ids_decoding_and_boundaries(real):
    assert compare_file(real, some_hard_texts()).result == "identical"


@EACH
def test_ids_decoding_and_boundaries_are_the_librarys(real):
    comparison = compare_file(real)
    assert comparison.result == "identical"
    assert comparison.texts == len(hard_texts()) >= 10_000
