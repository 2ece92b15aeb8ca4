"""The corpus as one linked list: merges by hand, then the walk against whole-array steps."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.gap_ranks import NEVER, WALL
from bpeviz.core.token_chain import ChainMerge, TokenChain, as_list
from tests.support.texts import TIGHT_TEXTS

A, B, C, D, X = *b"abcd", 256


def chain_of(*words: str, weights: list[int] | None = None) -> TokenChain:
    spelling = ByteVocabulary(bytes(range(256))).spell(words)
    return TokenChain(spelling, np.array(weights or [1] * len(words), np.int64))


def merge(chain: TokenChain, pair: tuple[int, int], token_id: int = X, rank: int = 0) -> ChainMerge:
    return chain.merge(pair, token_id, rank, chain.pairs()[1][pair])


def changes(merged: ChainMerge) -> dict[tuple[int, int], int]:
    """By how much the count of each pair changes in the end."""
    net: Counter[tuple[int, int]] = Counter()
    for pair, _, gain in merged.born:
        net[pair] += gain
    for pair, loss in merged.lost:
        net[pair] -= loss
    return {pair: change for pair, change in net.items() if change}


def births(merged: ChainMerge) -> dict[tuple[int, int], list[int]]:
    """Where each pair appeared; the places on each side of the merge ascend."""
    born: dict[tuple[int, int], list[int]] = {}
    for pair, places, _ in merged.born:
        assert as_list(places) == sorted(set(as_list(places)))
        born[pair] = sorted([*born.get(pair, []), *as_list(places)])
    return born


@pytest.fixture(params=["walk", "whole-array"], autouse=True)
def _both_ways(request, monkeypatch):
    """Every test here runs with both ways to merge."""
    monkeypatch.setattr(
        "bpeviz.core.token_chain.AT_ONCE_FROM", 1 if request.param == "whole-array" else 10**9
    )


def test_the_pairs_of_aaabdaaabac_by_hand():
    counts, positions = chain_of("aaabdaaabac").pairs()
    assert counts == {(A, A): 4, (A, B): 2, (B, D): 1, (D, A): 1, (B, A): 1, (A, C): 1}
    assert positions[A, A].tolist() == [0, 1, 5, 6]
    assert positions[A, B].tolist() == [2, 7]


def test_pairs_count_as_often_as_their_pre_token_and_do_not_cross_its_end():
    counts, positions = chain_of("ab", "ba", "", "ab", weights=[3, 2, 9, 1]).pairs()
    assert counts == {(A, B): 4, (B, A): 2}
    assert {pair: p.tolist() for pair, p in positions.items()} == {(A, B): [0, 4], (B, A): [2]}


def test_a_merge_between_two_neighbours_by_hand():
    chain = chain_of("dabc", weights=[5])
    assert merge(chain, (A, B)) == ChainMerge(
        born=[((D, X), [0], 5), ((X, C), [1], 5)],
        lost=[((D, A), 5), ((B, C), 5)],
        replaced=5,
    )
    assert chain.token_total == 15
    assert chain.gap_ranks.tolist() == [NEVER, 0, NEVER, WALL]


def test_a_pair_is_merged_at_the_end_of_a_pre_token_but_not_across_it():
    chain = chain_of("ca", "bab")
    assert merge(chain, (A, B)) == ChainMerge(born=[((B, X), [2], 1)], lost=[((B, A), 1)], replaced=1)
    assert chain.gap_ranks.tolist() == [NEVER, WALL, NEVER, 0, WALL]


def test_the_gap_between_two_occurrences_is_one_gap():
    merged = merge(chain_of("abab"), (A, B))
    counts = changes(merged)
    assert counts == {(B, A): -1, (X, X): 1}
    assert births(merged)[X, X] == [0]
    assert merged.replaced == 2


def test_a_run_is_merged_from_the_left():
    chain = chain_of("aaaaa")
    assert merge(chain, (A, A)).replaced == 2
    assert chain.gap_ranks.tolist() == [0, NEVER, 0, NEVER, WALL]
    assert [chain.holds(i, (X, X)) for i in range(5)] == [True, False, False, False, False]
    assert [chain.holds(i, (X, A)) for i in range(5)] == [False, False, True, False, False]


def test_a_token_that_stood_there_before_pairs_with_its_like_on_both_sides():
    merged = merge(chain_of("cababc"), (A, B), token_id=C)  # c c c c
    counts = changes(merged)
    assert counts == {(C, A): -1, (B, A): -1, (B, C): -1, (C, C): 3}
    assert births(merged)[C, C] == [0, 1, 3]


def test_a_place_that_no_longer_holds_the_pair_is_left_alone():
    chain = chain_of("abc")
    positions = chain.pairs()[1]
    chain.merge((B, C), X, 0, positions[B, C])
    assert chain.merge((A, B), X + 1, 1, positions[A, B]) == ChainMerge([], [], 0)
    assert chain.gap_ranks.tolist() == [NEVER, 0, WALL]


def test_a_chain_of_nothing_has_no_pairs():
    for chain in (chain_of(), chain_of("", "")):
        assert chain.pairs() == ({}, {})
        assert chain.token_total == 0
        assert chain.gap_ranks.tolist() == []


@given(texts=TIGHT_TEXTS, data=st.data())
def test_a_merge_reports_the_changes_that_a_recount_finds(texts, data):
    words = [word for text in texts for word in text.split("a ")]
    chain = chain_of(*words, weights=list(range(1, len(words) + 1)))
    counts, positions = chain.pairs()
    for rank in range(6):
        if not counts:
            break
        pair = data.draw(st.sampled_from(sorted(counts)))
        total = chain.token_total
        merged = chain.merge(pair, X + rank, rank, positions[pair])
        expected = {other: count for other, count in counts.items() if other != pair}
        for other, change in changes(merged).items():
            expected[other] = expected.get(other, 0) + change
        counts, positions = recount(chain, words)
        assert {other: count for other, count in expected.items() if count} == counts
        assert chain.token_total == total - merged.replaced
        for other, places in births(merged).items():
            assert [p for p in places if chain.holds(p, other)] == positions.get(other, [])


def recount(chain: TokenChain, words: list[str]) -> tuple[dict, dict]:
    """Counts and positions of every pair from the gap ranks and the letters alone."""
    weights = [weight for weight, word in enumerate(words, 1) for _ in word.encode()]
    gap_ranks = chain.gap_ranks.tolist()
    letters = "".join(words).encode()
    tokens: list[tuple[int, int]] = []  # where each token starts, and its id
    start = 0
    for end, rank in enumerate(gap_ranks):
        if rank >= NEVER:
            inside = gap_ranks[start:end]
            tokens.append((start, X + max(inside) if inside else letters[start]))
            start = end + 1
    counts: dict[tuple[int, int], int] = {}
    positions: dict[tuple[int, int], list[int]] = {}
    for (left_at, left), (right_at, right) in pairwise(tokens):
        if gap_ranks[right_at - 1] != WALL:
            counts[left, right] = counts.get((left, right), 0) + weights[left_at]
            positions.setdefault((left, right), []).append(left_at)
    return counts, positions
