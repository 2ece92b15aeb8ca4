"""Reach: by hand, then against merging every token's own bytes. GPT-2's is in test_vocabulary."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Trainer
from bpeviz.core.reach import _Borders, unreachable_merges
from tests.support.brute_force import encode_symbols
from tests.support.texts import TIGHT_TEXTS

A, B, C = 0, 1, 2


def unreachable(*pairs: tuple[int, int], base: int = 3) -> list[int]:
    """The ranks out of reach of merges over ``base`` symbols, each of which makes a new token."""
    merges = [(pair, base + rank) for rank, pair in enumerate(pairs)]
    return unreachable_merges(merges).nonzero()[0].tolist()


def test_without_merges_nothing_is_out_of_reach():
    assert unreachable() == []


def test_a_merge_of_lower_rank_across_the_border_puts_a_token_out_of_reach():
    # b+c merges first, so ab+c never occurs: abc becomes a + bc
    assert unreachable((B, C), (A, B), (4, C)) == [2]


def test_a_merge_of_higher_rank_across_the_border_does_not():
    assert unreachable((A, B), (3, C), (B, C)) == []


def test_what_is_made_of_an_unreachable_token_is_unreachable():
    assert unreachable((B, C), (A, B), (4, C), (5, A)) == [2, 3]


def test_of_three_equal_symbols_the_left_two_merge_so_a_token_of_the_right_two_is_never_made():
    assert unreachable((A, A), (A, 3)) == [1]
    assert unreachable((A, A), (3, A)) == []


def test_a_merge_made_twice_is_reached_once():
    assert unreachable((A, B), (A, B)) == [1]


RANDOM_MERGES = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), max_size=12)


@given(choices=RANDOM_MERGES)
def test_a_merge_is_reachable_if_and_only_if_its_token_s_own_symbols_merge_into_it(choices):
    merges = [((left % (2 + i), right % (2 + i)), 2 + i) for i, (left, right) in enumerate(choices)]
    symbols = {0: [0], 1: [1]}
    for (left, right), token_id in merges:
        symbols[token_id] = symbols[left] + symbols[right]
    expected = [encode_symbols(symbols[token_id], merges)[0] != [token_id] for _, token_id in merges]
    assert unreachable_merges(merges).tolist() == expected


def test_a_token_that_is_used_before_a_merge_makes_it_loses_its_bytes_to_what_merges_in_between():
    # the file's order: ab+c, then c+d, then a+b
    merges = [((4, C), 5), ((C, 3), 6), ((A, B), 4)]
    assert not unreachable_merges(merges).any(), "abc alone is a+b, then ab+c"
    assert unreachable_merges([((4, C), 5), ((B, C), 6), ((A, B), 4)]).tolist() == [True, False, False]


@given(choices=RANDOM_MERGES, order=st.randoms(use_true_random=False))
def test_the_same_for_merges_in_any_order(choices, order):
    merges = [((left % (2 + i), right % (2 + i)), 2 + i) for i, (left, right) in enumerate(choices)]
    symbols = {0: [0], 1: [1]}
    for (left, right), token_id in merges:
        symbols[token_id] = symbols[left] + symbols[right]
    order.shuffle(merges)
    expected = [encode_symbols(symbols[token_id], merges)[0] != [token_id] for _, token_id in merges]
    assert unreachable_merges(merges).tolist() == expected


@given(texts=TIGHT_TEXTS, name=st.sampled_from(["minbpe-basic", "minbpe", "huggingface", "rustbpe"]))
def test_training_makes_nothing_that_is_out_of_reach(texts, name):
    trainer = Trainer(Corpus.from_texts(texts, RECIPES[name].split), name, num_merges=30)
    list(trainer.steps())
    tokenizer = trainer.tokenizer()
    merges = list(zip(tokenizer.merges, tokenizer.merge_token_ids, strict=True))
    assert not unreachable_merges(merges).any()


def test_a_border_takes_as_many_steps_as_its_edges_are_deep_together(monkeypatch):
    # the left half is a + (a + (a + …)), the right half ((… + c) + c) + c
    depth = 200
    lefts = [((A, B if i == 0 else 2 + i), 3 + i) for i in range(depth)]
    rights = [((C if i == 0 else 2 + depth + i, C), 3 + depth + i) for i in range(depth)]
    merges = [*lefts, *rights, ((2 + depth, 2 + 2 * depth), 3 + 2 * depth)]
    looked = []
    rank_of_pair = _Borders._rank_of_pair
    monkeypatch.setattr(_Borders, "_rank_of_pair", lambda *a: looked.append(1) or rank_of_pair(*a))
    unreachable_merges(merges)
    assert len(looked) <= 2 * depth + 2


@pytest.mark.full
def test_a_high_id_takes_no_more_memory_than_a_low_one():
    tracemalloc.start()
    assert unreachable_merges([((0, 1), 2**31), ((2**31, 0), 2**40)]).tolist() == [False, False]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
