"""Two tokenizers on one text: by hand, then against sets of token ends."""

from itertools import combinations, pairwise

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Choice, Corpus, Tokenizer, Trainer, compare, compare_merges, steps_with, train_tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.gap_ranks import SKIPPED
from bpeviz.errors import CorpusError, TokenizerError
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from tests.support.texts import ANY_TEXT, training_and_other_text


def trained(name: str, texts: list[str], num_merges: int) -> Tokenizer:
    return train_tokenizer(texts, name, num_merges=num_merges)


def test_the_cat_in_the_hat_by_hand():
    a = trained("minbpe", ["the cat in the hat"], 2)  # th, the
    b = trained("rustbpe", ["the cat in the hat"], 1)  # at
    result = compare("the cat", a, b)
    #        t h e _ c a t
    # a          |   | | | |      the _ c a t
    # b      | | |   | |   |      t h e _ c at
    assert result.byte_total == 7
    assert (result.a.token_ends.tolist(), result.b.token_ends.tolist()) == (
        [2, 3, 4, 5, 6],
        [0, 1, 2, 3, 4, 6],
    )
    assert (result.a.token_total, result.b.token_total) == (5, 6)
    assert (result.only_a.tolist(), result.only_b.tolist()) == ([5], [0, 1])
    assert result.shared_boundaries == 3
    assert result.a.bytes_per_token == 7 / 5
    assert result.a.ids == (257, 32, 99, 97, 116)
    assert (result.precision, result.recall) == (3 / 4, 3 / 5)
    assert result.f1 == pytest.approx(2 * (3 / 4) * (3 / 5) / (3 / 4 + 3 / 5))


def test_an_empty_text_has_nothing_to_compare():
    a = trained("minbpe", ["the cat"], 1)
    result = compare("", a, a)
    assert (result.byte_total, result.shared_boundaries) == (0, 0)
    assert (result.a.token_total, result.a.bytes_per_token) == (0, 0.0)
    assert result.only_a.tolist() == result.only_b.tolist() == []


def test_one_token_has_no_inner_boundary_so_nothing_is_wrong():
    a = trained("minbpe-basic", ["ab"], 1)
    result = compare("ab", a, a)
    assert (result.shared_boundaries, result.precision, result.recall, result.f1) == (0, 1, 1, 1)


def token_ends(tokenizer: Tokenizer, text: str) -> set[int]:
    """The token ends, from the ids alone."""
    ends, end = set(), -1
    for token_id in tokenizer.encode(text):
        end += len(tokenizer.token_bytes(token_id))
        ends.add(end)
    return ends


def check(text: str, a: Tokenizer, b: Tokenizer) -> None:
    result = compare(text, a, b)
    of_a, of_b = token_ends(a, text), token_ends(b, text)
    assert result.byte_total == len(text.encode())
    assert (set(result.a.token_ends.tolist()), set(result.b.token_ends.tolist())) == (of_a, of_b)
    assert (result.a.ids, result.b.ids) == (tuple(a.encode(text)), tuple(b.encode(text)))
    assert (result.a.token_total, result.b.token_total) == (len(of_a), len(of_b))
    assert result.only_a.tolist() == sorted(of_a - of_b)
    assert result.only_b.tolist() == sorted(of_b - of_a)
    assert result.shared_boundaries == len(of_a & of_b - {result.byte_total - 1})


@given(texts=training_and_other_text())
def test_any_two_tokenizers_compare_as_their_sets_of_token_ends(texts):
    check(texts[1], trained("minbpe", texts[0], 12), trained("huggingface", texts[0], 20))


@given(text=ANY_TEXT)
def test_the_order_of_the_two_does_not_matter(text):
    a, b = trained("minbpe", [text], 12), trained("rustbpe", ["the cat in the hat"], 5)
    check(text, b, a)
    there, back = compare(text, a, b), compare(text, b, a)
    assert there.shared_boundaries == back.shared_boundaries
    assert there.only_a.tolist() == back.only_b.tolist()


@given(text=ANY_TEXT)
def test_a_tokenizer_agrees_with_itself(text):
    a = trained("minbpe", [text], 12)
    result = compare(text, a, a)
    assert result.only_a.tolist() == result.only_b.tolist() == []
    assert result.shared_boundaries == max(0, result.a.token_total - 1)


def test_a_character_tokenizer_compares_with_a_byte_tokenizer():
    a, b = trained("subword-nmt", ["日é 日é"], 1), trained("minbpe", ["日é"], 0)
    result = compare("日é", a, b)
    assert result.a.token_ends.tolist() == [4]
    assert result.only_b.tolist() == [0, 1, 2, 3]


def test_texts_that_encoding_refuses_are_refused():
    a, b = trained("minbpe", ["the cat"], 1), trained("course", ["the cat"], 1)
    with pytest.raises(CorpusError, match="half of a surrogate pair"):
        compare("\ud800", a, a)
    with pytest.raises(TokenizerError, match="has no symbol for"):
        compare("dog", a, b)


def test_merges_of_two_futures_by_hand():
    corpus = Corpus.from_text("aaabdaaabac", "none")
    a, b = (Trainer(corpus, "minbpe-basic", num_merges=3) for _ in "ab")
    list(a.steps())  # aa, aaa, aaab
    list(steps_with(b, [Choice(0, (ord("a"), ord("b")))]))  # ab, aa, aaab of aa and ab
    merges = compare_merges(a.tokenizer(), b.tokenizer())
    rows = [
        tuple(None if value is pd.NA else value for value in row)
        for row in merges.itertuples(index=False, name=None)
    ]
    assert rows == [
        (b"a", b"a", 0, 1),
        (b"a", b"b", None, 0),
        (b"aa", b"a", 1, None),
        (b"aaa", b"b", 2, None),
        (b"aa", b"ab", None, 2),
    ]


@given(training_and_other_text())
def test_merges_of_two_tokenizers_are_found_by_their_bytes(texts):
    a, b = trained("minbpe", texts[0], 9), trained("course", texts[0], 9)
    merges = compare_merges(a, b)
    for tokenizer, column in ((a, "rank_a"), (b, "rank_b")):
        made = merges.dropna(subset=[column]).sort_values(column)
        assert made[column].tolist() == list(range(len(tokenizer.merges)))
        assert list(zip(made["left"], made["right"], strict=True)) == [
            (tokenizer.token_bytes(left), tokenizer.token_bytes(right)) for left, right in tokenizer.merges
        ]
    both = merges.dropna()
    halves = [
        {(tokenizer.token_bytes(x), tokenizer.token_bytes(y)) for x, y in tokenizer.merges}
        for tokenizer in (a, b)
    ]
    assert set(zip(both["left"], both["right"], strict=True)) == halves[0] & halves[1]


def test_tokenizers_without_merges_have_none_to_compare():
    none = trained("minbpe", ["ab"], 0)
    assert compare_merges(none, none).empty


# --- tokenizers that drop bytes -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sentencepiece", "subword-nmt"])
def test_a_dropped_line_end_is_no_disagreement(name):
    a, b = trained(name, ["a"], 0), trained("huggingface", ["a"], 0)
    for there, back in ((a, b), (b, a)):
        result = compare("a\n", there, back)  # a| ·· against a|\n
        assert (result.shared_boundaries, result.precision, result.recall, result.f1) == (1, 1, 1, 1)
        assert result.only_a.tolist() == result.only_b.tolist() == []
        assert result.disagreements("a\n") == []


def test_sentencepiece_and_huggingface_agree_on_every_boundary_before_a_line_end():
    result = compare("a b\n", trained("sentencepiece", ["a b"], 0), trained("huggingface", ["a b"], 0))
    assert (result.shared_boundaries, result.f1) == (3, 1)


def test_a_dropped_space_belongs_to_the_token_after_it():
    result = compare("a b\n", trained("subword-nmt", ["a b"], 0), trained("huggingface", ["a b"], 0))
    # a| ·b| ·· against a| |b|\n
    assert (result.only_a.tolist(), result.only_b.tolist(), result.shared_boundaries) == ([], [1], 2)
    assert (result.precision, result.recall) == (1, 2 / 3)
    assert [(d.start, d.end) for d in result.disagreements("a b\n")] == [(1, 3)]


def test_bytes_that_one_drops_at_the_end_and_the_other_cuts_are_a_disagreement():
    a, b = trained("sentencepiece", ["a"], 0), trained("huggingface", ["a"], 0)
    result = compare("a\n\n", a, b)  # a| ··  ·· against a| \n| \n
    assert (result.shared_boundaries, result.only_b.tolist()) == (1, [1])
    assert [(d.start, d.end, d.count) for d in result.disagreements("a\n\n")] == [(1, 3, 1)]
    result = compare("\n\n", a, b)
    assert (result.shared_boundaries, result.precision, result.recall) == (0, 1, 0)
    assert [(d.start, d.end, d.count) for d in result.disagreements("\n\n")] == [(0, 2, 1)]


def test_two_that_drop_the_whole_text_agree():
    a, b = trained("sentencepiece", ["a"], 0), trained("subword-nmt", ["a"], 0)
    result = compare("\n\n", a, b)
    assert (result.shared_boundaries, result.f1, result.disagreements("\n\n")) == (0, 1, [])


def brute_disagreements(text: str, of_a: set[int], of_b: set[int]) -> list[tuple[int, int]]:
    """The stretches between neighbouring edges that hold a boundary; both ends of the text are edges."""
    edges = [0, *sorted(end + 1 for end in of_a & of_b), len(text.encode())]
    inside = {end + 1 for end in of_a ^ of_b}
    return [(i, j) for i, j in pairwise(edges) if inside & set(range(i + 1, j))]


@pytest.mark.parametrize(
    "names", list(combinations(["sentencepiece", "subword-nmt", "huggingface", "minbpe"], 2))
)
@given(texts=training_and_other_text(), data=st.data())
def test_any_two_recipes_compare_as_their_sets_of_boundaries(names, texts, data):
    """Even if one drops bytes at the start, in the middle or at the end, or all of them."""
    text = (
        data.draw(st.sampled_from(["", " ", "\n", "\n "]))
        + texts[1]
        + data.draw(st.sampled_from(["", "\n\n"]))
    )
    a, b = (trained(name, [*texts[0], text * 2], data.draw(st.integers(0, 9))) for name in names)
    result = compare(text, a, b)
    last = len(text.encode()) - 1
    of_a, of_b = (
        {i for i, rank in enumerate(t.gap_ranks(text).tolist()) if rank >= len(t.merges) and rank != SKIPPED}
        - {last}
        for t in (a, b)
    )
    assert result.shared_boundaries == len(of_a & of_b)
    assert (result.only_a.tolist(), result.only_b.tolist()) == (sorted(of_a - of_b), sorted(of_b - of_a))
    assert result.precision == (len(of_a & of_b) / len(of_a) if of_a else 1)
    assert result.recall == (len(of_a & of_b) / len(of_b) if of_b else 1)
    both = len(of_a) + len(of_b)
    assert result.f1 == (2 * len(of_a & of_b) / both if both else 1)
    found = result.disagreements(text, most=10**6)
    stretches = brute_disagreements(text, of_a, of_b)
    assert sum(d.count for d in found) == len(stretches)
    assert {(d.start, d.end) for d in found} <= set(stretches)


def test_disagreements_by_hand():
    a = trained("minbpe", ["the cat in the hat"], 2)
    b = trained("rustbpe", ["the cat in the hat"], 1)
    text = "the cat, the hat"
    # the: three tokens against one; at: one against two, twice
    found = [(text[d.start : d.end], d.start, d.count) for d in compare(text, a, b).disagreements(text)]
    assert found == [("the", 0, 2), ("at", 5, 2)]
    assert [d.start for d in compare(text, a, b).disagreements(text, most=1)] == [0]


def test_the_same_bytes_cut_otherwise_are_another_disagreement():
    base = ByteVocabulary(bytes(range(256)))
    none = Tokenizer(base, [], split=SPLIT_PATTERNS["none"])
    runs = Tokenizer(
        base, [((97, 98), 256), ((98, 97), 257), ((256, 257), 258)], split=SPLIT_PATTERNS["gpt2"]
    )
    text = "abba abba"
    assert [d.count for d in compare(text, none, runs).disagreements(text)] == [2]


def stretches_by_sets(text: str, a: Tokenizer, b: Tokenizer) -> list[tuple[bytes, int, int]]:
    """Length-ordered (bytes, start, count), from sets of token ends."""
    encoded = text.encode()
    of_a, of_b = token_ends(a, text), token_ends(b, text)
    found: dict[tuple[object, ...], list[int]] = {}
    start = 0
    for end in sorted(of_a & of_b):
        cuts = [tuple(sorted(c - start for c in ends if start <= c < end)) for ends in (of_a, of_b)]
        if any(cuts):
            found.setdefault((encoded[start : end + 1], *cuts), []).append(start)
        start = end + 1
    longest = sorted(found.items(), key=lambda item: (-len(item[0][0]), item[1][0]))
    return [(key[0], starts[0], len(starts)) for key, starts in longest]


@given(texts=training_and_other_text())
def test_disagreements_are_those_between_sets_of_token_ends(texts):
    a, b = trained("minbpe", texts[0], 12), trained("huggingface", texts[0], 20)
    text = texts[1]
    found = compare(text, a, b).disagreements(text, most=10**6)
    encoded = text.encode()
    assert [(encoded[d.start : d.end], d.start, d.count) for d in found] == stretches_by_sets(text, a, b)
