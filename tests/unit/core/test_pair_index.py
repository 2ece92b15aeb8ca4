"""The order of pairs: each tie rule by hand. test_vetoed_merges compares every recipe with brute force."""

import numpy as np
import pytest

from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.pair_index import LengthLimit, PairIndex
from bpeviz.core.token_chain import TokenChain

BASE = ByteVocabulary(bytes(range(256)))
A, B, C, D = b"abcd"


def index_of(text: str, tie: str, **settings) -> tuple[TokenChain, PairIndex, list[bytes]]:
    chain = TokenChain(BASE.spell([text]), np.array([1], np.int64))
    tokens = list(BASE.symbols)
    return chain, PairIndex(chain, tie, tokens, **settings), tokens


def merge(chain: TokenChain, index: PairIndex, tokens: list[bytes], pair: tuple[int, int]) -> None:
    tokens.append(tokens[pair[0]] + tokens[pair[1]])
    index.update(chain.merge(pair, len(tokens) - 1, len(tokens) - 257, index.remove(pair)))


@pytest.mark.parametrize(
    ("tie", "order"),
    [
        ("first-seen", [(C, A), (A, B), (B, D), (D, C)]),
        ("smallest-ids", [(A, B), (B, D), (C, A), (D, C)]),
        ("greatest-tokens", [(D, C), (C, A), (B, D), (A, B)]),
        ("shortest-token", [(A, B), (B, D), (C, A), (D, C)]),
    ],
)
def test_each_rule_orders_equal_counts_its_own_way(tie, order):
    _, index, _ = index_of("cabdc", tie)
    assert index.top(9) == [(pair, 1) for pair in order]
    assert index.best() == order[0]


def test_a_higher_count_comes_before_every_tie():
    _, index, _ = index_of("dcabab", "first-seen")
    assert index.top(2) == [((A, B), 2), ((D, C), 1)]


def test_asking_for_the_top_changes_nothing():
    _, index, _ = index_of("aaabdaaabac", "first-seen")
    assert index.top(3) == index.top(3) == index.top(99)[:3]
    assert index.top(0) == []


def test_greatest_compares_the_left_token_first_and_by_bytes_not_by_id():
    chain, index, tokens = index_of("abxcaby", "greatest-tokens")
    merge(chain, index, tokens, (A, B))  # ab is 256, but a word that starts with a
    assert index.top(9) == [
        ((ord("x"), C), 1),
        ((C, 256), 1),
        ((256, ord("y")), 1),
        ((256, ord("x")), 1),
    ]


def test_shortest_goes_by_the_letters_of_the_whole_token_and_a_space_comes_after_them():
    chain, index, tokens = index_of("cab a", "shortest-token")
    merge(chain, index, tokens, (A, B))
    assert index.top(9) == [((ord(" "), A), 1), ((256, ord(" ")), 1), ((C, 256), 1)]


def test_neighbours_that_make_too_long_a_token_are_no_pair():
    chain, index, tokens = index_of("abcab", "smallest-ids", limit=LengthLimit(2, "characters"))
    assert index.counts == {(A, B): 2, (B, C): 1, (C, A): 1}
    merge(chain, index, tokens, (A, B))
    assert (index.counts, index.best(), index.sharing(1)) == ({}, None, 0)


def test_first_seen_counts_only_places_that_still_hold_the_pair():
    # b d is seen first at 1; when ab is merged only the later one is left, after d c.
    chain, index, tokens = index_of("abdcbd", "first-seen")
    assert index.top(9)[0] == ((B, D), 2)
    merge(chain, index, tokens, (A, B))
    assert index.top(9) == [((256, D), 1), ((D, C), 1), ((C, B), 1), ((B, D), 1)]


def test_how_many_pairs_share_a_count():
    chain, index, tokens = index_of("aaabdaaabac", "first-seen")
    assert [index.sharing(n) for n in (1, 2, 3, 4)] == [4, 1, 0, 1]
    merge(chain, index, tokens, (A, A))
    # Xabd Xabac: Xa, ab twice; bd, dX, ba, ac once
    assert [index.sharing(n) for n in (1, 2, 4)] == [4, 2, 0]


def test_nothing_is_best_when_no_pair_is_left():
    chain, index, tokens = index_of("ab", "smallest-ids")
    merge(chain, index, tokens, (A, B))
    assert index.best() is None
    assert index.top(3) == []
