"""The pairs of gap ranks of a text, against a look at each byte."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.browser.comparison_pack import rank_pairs
from bpeviz.core.gap_ranks import INSIDE, NEVER, SKIPPED, WALL

RANKS = st.integers(0, 5) | st.sampled_from([INSIDE, NEVER, SKIPPED, WALL])


@given(st.lists(st.tuples(RANKS, RANKS, st.integers(0, 15))))
def test_each_byte_has_its_pair_and_each_pair_its_count(pairs):
    first, second, others = (np.array([pair[i] for pair in pairs], np.int32) for i in (0, 1, 2))
    found = rank_pairs(first, second, others.astype(np.uint8))
    assert found.first[found.numbers].tolist() == first.tolist()
    assert found.second[found.numbers].tolist() == second.tolist()
    assert found.others[found.numbers].tolist() == others.tolist()
    table = list(zip(found.first.tolist(), found.second.tolist(), found.others.tolist(), strict=True))
    assert dict(zip(table, found.counts.tolist(), strict=True)) == Counter(pairs)


@given(st.lists(st.tuples(RANKS, RANKS)))
def test_without_others_a_pair_is_two_ranks(pairs):
    first, second = (np.array([pair[i] for pair in pairs], np.int32) for i in (0, 1))
    found = rank_pairs(first, second)
    table = list(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert [table[number] for number in found.numbers] == pairs
    assert dict(zip(table, found.counts.tolist(), strict=True)) == Counter(pairs)
    assert not found.others.any()


def test_numbers_have_two_bytes_each_if_they_fit():
    ranks = np.arange(65_537, dtype=np.int32)
    assert rank_pairs(ranks[1:], ranks[1:]).numbers.dtype == np.uint16
    longer = rank_pairs(ranks, ranks)
    assert longer.numbers.dtype == np.uint32
    assert longer.numbers.tolist() == ranks.tolist()
