"""Gap ranks: laid out and cut by hand, then against a version that takes one pre-token at a time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.core.base_vocabulary import Spelling
from bpeviz.core.gap_ranks import (
    INSIDE,
    NEVER,
    SKIPPED,
    WALL,
    gather,
    per_byte,
    token_ends,
    token_total,
    token_totals,
)


def ranks(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


# "the cat": 0: h+e   1: t+he   2: a+t
THE_CAT = ranks(1, 0, WALL, NEVER, NEVER, 2, WALL)


def test_the_cat_after_each_merge_by_hand():
    assert [token_ends(THE_CAT, k).tolist() for k in range(4)] == [
        [0, 1, 2, 3, 4, 5, 6],  # t h e _ c a t
        [0, 2, 3, 4, 5, 6],  # t he _ c a t
        [2, 3, 4, 5, 6],  # the _ c a t
        [2, 3, 4, 6],  # the _ c at
    ]
    assert [token_total(THE_CAT, k) for k in range(4)] == [7, 6, 5, 4]
    assert token_totals(THE_CAT, 3).tolist() == [7, 6, 5, 4]


def test_no_token_ends_inside_a_symbol_or_at_a_byte_that_is_skipped():
    assert token_ends(ranks(SKIPPED, INSIDE, 0, INSIDE, INSIDE, WALL), 0).tolist() == [2, 5]
    assert token_ends(ranks(SKIPPED, SKIPPED), 0).tolist() == []


def test_nothing_has_no_tokens():
    assert token_ends(ranks(), 0).tolist() == []
    assert token_total(ranks(), 5) == 0


def test_the_values_that_are_no_ranks_are_beyond_every_rank():
    assert INSIDE < 0 < NEVER < SKIPPED < WALL == np.iinfo(np.int32).max


def test_gap_ranks_widen_to_bytes():
    # " é日" with its space dropped, then "ab": symbols of 2 and 3 bytes, then of 1 and 1
    spelling = Spelling(
        ids=ranks(0, 1, 2, 3), widths=ranks(2, 3, 1, 1), lengths=ranks(2, 2), skipped=ranks(1, 0)
    )
    result, sizes = per_byte(spelling, ranks(7, WALL, NEVER, WALL))
    assert result.tolist() == [SKIPPED, INSIDE, 7, INSIDE, INSIDE, WALL, NEVER, WALL]
    assert result.dtype == np.int32
    assert sizes.tolist() == [6, 2]


def test_gap_ranks_line_up_in_the_order_of_a_text():
    sizes = np.array([2, 0, 3])
    assert gather(ranks(1, 2, 3, 4, 5), sizes, [2, 0, 1, 2]).tolist() == [3, 4, 5, 1, 2, 3, 4, 5]
    assert gather(ranks(1, 2, 3, 4, 5), sizes, []).tolist() == []


#: Pre-tokens as what is skipped, then the width and the rank of each symbol.
PRE_TOKENS = st.lists(
    st.tuples(st.integers(0, 3), st.lists(st.tuples(st.integers(1, 4), st.integers(0, 9)), max_size=5)),
    max_size=6,
)


def lay_out(skipped: int, symbols: list[tuple[int, int]]) -> list[int]:
    """The gap ranks of one pre-token, one per byte."""
    return [SKIPPED] * skipped + [r for width, rank in symbols for r in [INSIDE] * (width - 1) + [rank]]


@given(pre_tokens=PRE_TOKENS, data=st.data())
def test_widening_and_lining_up_equal_one_pre_token_at_a_time(pre_tokens, data):
    symbols = [symbol for _, symbols in pre_tokens for symbol in symbols]
    spelling = Spelling(
        ids=np.zeros(len(symbols), np.int32),
        widths=ranks(*(width for width, _ in symbols)),
        lengths=ranks(*(len(symbols) for _, symbols in pre_tokens)),
        skipped=ranks(*(skipped for skipped, _ in pre_tokens)),
    )
    result, sizes = per_byte(spelling, ranks(*(rank for _, rank in symbols)))
    laid_out = [lay_out(*pre_token) for pre_token in pre_tokens]
    assert result.tolist() == [r for one in laid_out for r in one]
    assert sizes.tolist() == [len(one) for one in laid_out]
    chosen = data.draw(st.lists(st.integers(0, len(pre_tokens) - 1), max_size=8)) if pre_tokens else []
    assert gather(result, sizes, chosen).tolist() == [r for i in chosen for r in laid_out[i]]


@given(st.lists(st.sampled_from([INSIDE, 0, 1, 2, 3, NEVER, SKIPPED, WALL])), st.integers(0, 4))
def test_a_cut_is_every_gap_that_is_still_open(values, k):
    open_gaps = [i for i, rank in enumerate(values) if rank in (NEVER, WALL) or k <= rank <= 3]
    assert token_ends(ranks(*values), k).tolist() == open_gaps
    assert token_total(ranks(*values), k) == len(open_gaps)


@given(st.lists(st.integers(-1, 8) | st.sampled_from([NEVER, SKIPPED, WALL]), max_size=40))
def test_token_totals_are_those_of_every_number_of_merges(values):
    totals = [token_total(ranks(*values), k) for k in range(9)]
    assert token_totals(ranks(*values), 8).tolist() == totals
