"""Merging from left to right: the result of repeated rounds over all symbols, in fewer steps."""

from hypothesis import given
from hypothesis import strategies as st

from bpeviz.core.merging_orders import merge_left_to_right


class CountedMerges(dict):
    """Merges that count how often a pair is looked up."""

    looked_up = 0

    def get(self, pair, otherwise=None):
        self.looked_up += 1
        return super().get(pair, otherwise)


def by_rounds_over_everything(symbols, merges):
    while True:
        merged = []
        i = 0
        while i < len(symbols):
            known = merges.get((symbols[i], symbols[i + 1])) if i + 1 < len(symbols) else None
            merged.append(known[1] if known else symbols[i])
            i += 2 if known else 1
        if len(merged) == len(symbols):
            return symbols
        symbols = merged


few = st.integers(0, 5)
merges_among_few = st.dictionaries(st.tuples(few, few), st.tuples(st.just(0), few), max_size=20)


@given(st.lists(few, max_size=30), merges_among_few)
def test_left_to_right_gives_the_result_of_rounds_over_all_symbols(symbols, merges):
    assert merge_left_to_right([*symbols], merges) == by_rounds_over_everything(symbols, merges)


def test_no_symbols_and_a_single_one_stay():
    assert merge_left_to_right([], {(1, 1): (0, 2)}) == []
    assert merge_left_to_right([1], {(1, 1): (0, 2)}) == [1]


def test_merges_that_lengthen_one_token_take_no_round_over_all_symbols():
    """b is 1, the others are a: ba, baa, baaa and so on, one merge per round."""
    length = 2_000
    merges = CountedMerges({(1, 0): (0, 2)} | {(i, 0): (i - 1, i + 1) for i in range(2, length)})
    symbols = [1] + [0] * length
    assert merge_left_to_right(symbols, merges) == [length, 0]
    assert merges.looked_up < 5 * length
