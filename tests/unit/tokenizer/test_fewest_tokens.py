"""The fewest tokens that spell a text, against trying every way."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, load_pretrained, train_tokenizer
from bpeviz.tokenizer.encoding import encode_step_by_step
from bpeviz.tokenizer.other_cuts import MOST_SYMBOLS, fewest_tokens, shortest_cut


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


def pieces(tokenizer: Tokenizer, text: str) -> list[bytes]:
    cuts = fewest_tokens(tokenizer, encode_step_by_step(tokenizer, text))
    return [text.encode()[start:end] for cut in cuts for start, end in pairwise(cut)]


def test_gpt2_cuts_boathouse_into_more_tokens_than_it_needs() -> None:
    gpt2 = load_pretrained("gpt2")
    assert [gpt2.token_bytes(i) for i in gpt2.encode(" boathouse")] == [b" bo", b"ath", b"ouse"]
    assert pieces(gpt2, " boathouse") == [b" boat", b"house"]


def test_the_end_of_a_word_is_another_symbol_than_the_same_letter_inside() -> None:
    tokenizer = train_tokenizer(["low low lower"], "subword-nmt", num_merges=4)
    assert pieces(tokenizer, "low") == [b"low"]  # low</w>
    inside, at_the_end = pieces(tokenizer, "lowlow")[:-1], pieces(tokenizer, "lowlow")[-1]
    assert at_the_end == b"low"
    assert inside != [b"low"]  # without the end of the word no merge makes it


def test_a_very_long_pre_token_stays_as_it_is() -> None:
    tokenizer = train_tokenizer(["abab" * 9], "minbpe-basic", num_merges=3)
    text = "ab" * (MOST_SYMBOLS // 2)
    assert pieces(tokenizer, text + "a") == [tokenizer.token_bytes(i) for i in tokenizer.encode(text + "a")]
    assert len(pieces(tokenizer, text)) <= len(tokenizer.encode(text))


@given(st.text("ab", min_size=1, max_size=11))
def test_of_a_trained_vocabulary_no_other_cut_is_shorter(text: str) -> None:
    tokenizer = train_tokenizer(["abbaabab abbb baab aabb"], "minbpe-basic", num_merges=6)
    tokens = {token for i, token in tokenizer.vocabulary.items() if i >= 256} | {b"a", b"b"}
    assert len(pieces(tokenizer, text)) == fewest_by_brute_force(text.encode(), tokens)
    assert set(pieces(tokenizer, text)) <= tokens
    assert b"".join(pieces(tokenizer, text)) == text.encode()


def test_it_is_never_more_than_by_rank_on_real_text() -> None:
    gpt2 = load_pretrained()
    text = "The lighthouse keeper unhappily weathered it: naïve cafés, 灯台, 🚢."
    by_rank = [e.token_offsets for e in encode_step_by_step(gpt2, text)]
    fewest = fewest_tokens(gpt2, encode_step_by_step(gpt2, text))
    assert all(len(few) <= len(own) for few, own in zip(fewest, by_rank, strict=True))
