"""Two vocabularies: by hand, then GPT-2's with itself and with a trained one, then against plain sets."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, load_pretrained, train_tokenizer
from bpeviz.analysis.vocabulary_overlap import VocabularyOverlap, vocabulary_overlap
from bpeviz.errors import TrainingSettingsError
from tests.support.texts import END_OF_WORD_TEXT, training_and_other_text

CAT = ["the cat in the hat"]


def trained(name: str, texts: list[str], num_merges: int) -> Tokenizer:
    return train_tokenizer(texts, name, num_merges=num_merges)


def rows(overlap: VocabularyOverlap) -> list[tuple[object, ...]]:
    return [
        tuple(None if value is pd.NA else value for value in row)
        for row in overlap.tokens.itertuples(index=False, name=None)
    ]


def test_the_cat_in_the_hat_by_hand():
    a = trained("minbpe", CAT, 3)  # th, the, at
    b = trained("rustbpe", CAT, 3)  # at, he, the
    overlap = vocabulary_overlap(a, b)
    assert rows(overlap) == [
        (b"th", 0, None, "a"),
        (b"at", 2, 0, "both"),
        (b"the", 1, 2, "both"),
        (b"he", None, 1, "b"),
    ]
    assert (overlap.both, overlap.only_a, overlap.only_b) == (2, 1, 1)
    assert overlap.learned.tolist() == [0, 0, 1, 2]
    assert overlap.share_learned[1:].tolist() == [0, 1 / 2, 2 / 3]
    assert math.isnan(overlap.share_learned[0])


def test_ranks_are_whole_numbers_or_missing():
    tokens = vocabulary_overlap(trained("minbpe", CAT, 2), trained("rustbpe", CAT, 1)).tokens
    assert [str(tokens[rank].dtype) for rank in ("rank_a", "rank_b")] == ["Int64", "Int64"]
    assert list(tokens.index) == list(range(len(tokens)))


def test_the_most_displaced_are_furthest_apart_by_ratio():
    a = trained("minbpe", CAT, 3)
    b = trained("rustbpe", CAT, 3)
    overlap = vocabulary_overlap(a, b)
    furthest = overlap.most_displaced(9)
    # at: first in b and third in a; the: second in a and third in b
    assert furthest["token"].tolist() == [b"at", b"the"]
    assert furthest["displacement"].tolist() == [math.log2(1 / 3), math.log2(3 / 2)]
    assert overlap.most_displaced(9, earlier_in="a")["token"].tolist() == [b"the"]
    assert overlap.most_displaced(9, earlier_in="b")["token"].tolist() == [b"at"]
    assert overlap.most_displaced(0).empty


def test_only_the_first_merges_are_compared_if_a_number_is_given():
    a, b = trained("minbpe", CAT, 3), trained("rustbpe", CAT, 3)
    overlap = vocabulary_overlap(a, b, num_merges_a=1, num_merges_b=0)
    assert rows(overlap) == [(b"th", 0, None, "a")]
    assert (overlap.num_merges_a, overlap.num_merges_b) == (1, 0)


@pytest.mark.parametrize("num_merges", [-1, 4])
def test_more_merges_than_there_are_are_refused(num_merges):
    a = trained("minbpe", CAT, 3)
    with pytest.raises(TrainingSettingsError, match="has 3 merges, so its first"):
        vocabulary_overlap(a, a, num_merges_b=num_merges)


def test_tokenizers_without_merges_share_nothing_that_was_learned():
    none = trained("minbpe", CAT, 0)
    overlap = vocabulary_overlap(none, none)
    assert rows(overlap) == []
    assert (overlap.both, overlap.only_a, overlap.only_b, overlap.learned.tolist()) == (0, 0, 0, [0])
    assert overlap.most_displaced(5).empty


def test_a_merge_of_one_that_is_a_base_symbol_of_the_other_is_shared_but_has_one_rank():
    of_bytes = trained("minbpe", ["éé"], 2)  # é, éé
    of_characters = trained("subword-nmt", ["éx éx"], 0)  # é, x</w>
    overlap = vocabulary_overlap(of_bytes, of_characters)
    assert rows(overlap) == [("é".encode(), 0, None, "both"), ("éé".encode(), 1, None, "a")]
    assert overlap.learned.tolist() == [0, 1, 1]
    assert overlap.ranked.empty


def test_bytes_merged_again_have_their_first_rank():
    """subword-nmt can have two merges that make the same bytes."""
    a = trained("subword-nmt", ["a</w> a</w> a </w> </w>"], 9)
    tokens = vocabulary_overlap(a, a).tokens
    made = [a.token_bytes(token_id) for token_id in a.merge_token_ids]
    assert dict(zip(tokens["token"], tokens["rank_a"], strict=True)) == {t: made.index(t) for t in made}


def test_gpt2_has_learned_itself():
    gpt2 = load_pretrained("gpt2")
    overlap = vocabulary_overlap(gpt2, gpt2)
    assert (overlap.both, overlap.only_a, overlap.only_b) == (50_000, 0, 0)
    assert (overlap.share_learned[1:] == 1).all()
    assert not overlap.most_displaced(3)["displacement"].any()


def test_the_first_merges_of_an_english_text_and_gpt2():
    mine = trained("huggingface", ["the lighthouse keeper's lighthouse, the light and the keeper"] * 9, 20)
    gpt2 = load_pretrained("gpt2")
    overlap = vocabulary_overlap(mine, gpt2)
    known = set(gpt2.vocabulary.values())
    made = [mine.token_bytes(token_id) for token_id in mine.merge_token_ids]
    assert overlap.learned[-1] == sum(token in known for token in made)
    assert overlap.both == len(set(made) & known)
    ranked = overlap.ranked.set_index("token")
    assert ranked.loc[b" the", "rank_b"] == 6  # id 262, after 256 bytes


def check(a: Tokenizer, b: Tokenizer, num_merges_a: int, num_merges_b: int) -> None:
    overlap = vocabulary_overlap(a, b, num_merges_a=num_merges_a, num_merges_b=num_merges_b)
    made_a = [a.token_bytes(i) for i in a.merge_token_ids][:num_merges_a]
    made_b = [b.token_bytes(i) for i in b.merge_token_ids][:num_merges_b]
    has_a, has_b = set(made_a) | set(a.base.symbols), set(made_b) | set(b.base.symbols)
    tokens = set(made_a) | set(made_b)
    assert sorted(overlap.tokens["token"]) == sorted(tokens)
    assert overlap.both == len(tokens & has_a & has_b)
    assert overlap.only_a == len(tokens - has_b)
    assert overlap.only_b == len(tokens - has_a)
    for token, rank_a, rank_b, where in rows(overlap):
        assert rank_a == (made_a.index(token) if token in made_a else None)
        assert rank_b == (made_b.index(token) if token in made_b else None)
        assert where == ("both" if token in has_a & has_b else "a" if token in has_a else "b")
    for k in range(1, len(made_a) + 1):
        assert overlap.share_learned[k] == np.mean([token in has_b for token in made_a[:k]])


@given(texts=training_and_other_text(), first=st.integers(0, 12), second=st.integers(0, 9))
def test_any_two_vocabularies_overlap_as_their_sets_of_bytes(texts, first, second):
    a, b = trained("minbpe", texts[0], 12), trained("huggingface", [texts[1]], 9)
    check(a, b, min(first, len(a.merges)), min(second, len(b.merges)))


@given(text=END_OF_WORD_TEXT)
def test_characters_against_bytes_overlap_as_their_sets_of_bytes(text):
    a, b = trained("subword-nmt", [text], 9), trained("minbpe", [text], 9)
    check(a, b, len(a.merges), len(b.merges))


@given(texts=training_and_other_text())
def test_the_order_of_the_two_only_changes_the_sign(texts):
    a, b = trained("minbpe", texts[0], 9), trained("rustbpe", [texts[1]], 9)
    there, back = vocabulary_overlap(a, b), vocabulary_overlap(b, a)
    assert (there.only_a, there.both, there.only_b) == (back.only_b, back.both, back.only_a)
    of_there = dict(zip(there.ranked["token"], there.ranked["displacement"], strict=True))
    of_back = dict(zip(back.ranked["token"], back.ranked["displacement"], strict=True))
    assert of_there.keys() == of_back.keys()
    assert all(of_there[token] == pytest.approx(-of_back[token]) for token in of_there)
