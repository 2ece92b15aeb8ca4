"""The fewest tokens that spell a text, against trying every way."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from bpeviz import load_pretrained
from bpeviz.lessons.shortest import shortest_cut, shortest_encoding


def fewest_by_brute_force(text: bytes, tokens: set[bytes]) -> int | None:
    """Try all cuts, those of few tokens first."""
    for cuts in range(len(text)):
        for places in combinations(range(1, len(text)), cuts):
            ends = [0, *places, len(text)]
            if all(text[a:b] in tokens for a, b in pairwise(ends)):
                return cuts + 1
    return 0 if not text else None


def test_a_long_first_token_is_not_taken_if_it_costs_more_later() -> None:
    assert shortest_cut(b"abcd", {b"a", b"b", b"c", b"d", b"ab", b"abc", b"cd"}) == [b"ab", b"cd"]


def test_what_cannot_be_spelled_has_no_cut() -> None:
    assert shortest_cut(b"abx", {b"a", b"b"}) is None
    assert shortest_cut(b"", {b"a"}) == []


@given(
    st.text("ab", max_size=9).map(str.encode),
    st.sets(st.text("ab", min_size=1, max_size=4).map(str.encode), max_size=8),
)
def test_no_other_cut_is_shorter(text: bytes, tokens: set[bytes]) -> None:
    cut = shortest_cut(text, tokens)
    assert (None if cut is None else len(cut)) == fewest_by_brute_force(text, tokens)
    if cut is not None:
        assert b"".join(cut) == text
        assert set(cut) <= tokens


def test_gpt2_cuts_boathouse_into_more_tokens_than_it_needs() -> None:
    gpt2 = load_pretrained("gpt2")
    assert [gpt2.token_bytes(i) for i in gpt2.encode(" boathouse")] == [b" bo", b"ath", b"ouse"]
    assert shortest_encoding(gpt2, " boathouse") == [b" boat", b"house"]
