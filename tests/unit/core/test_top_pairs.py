"""The top pairs of every step: by hand, then against a brute-force trainer."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Trainer
from bpeviz.core import top_pairs
from bpeviz.core.top_pairs import MOST_PLACES
from tests.support.brute_force import BruteForceTrainer
from tests.support.texts import END_OF_WORD_TEXT, TIGHT_TEXTS

EVERY_RECIPE = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())


def trained(corpus, recipe, **settings) -> Trainer:
    trainer = Trainer(corpus, recipe, **settings)
    list(trainer.steps())
    return trainer


def test_aaabdaaabac_by_hand() -> None:
    history = trained(Corpus.from_text("aaabdaaabac", "none"), "minbpe-basic", num_merges=3).history()
    a, b, d = b"abd"
    top = history.top_pairs(2)
    assert [top.at(k) for k in range(4)] == [
        [((a, a), 4), ((a, b), 2)],
        [((256, a), 2), ((a, b), 2)],
        [((257, b), 2), ((b, d), 1)],
        [((258, d), 1), ((d, 258), 1)],
    ]
    assert top.num_dropped.tolist() == [0, 1, 2, 2]
    assert top.num_added.tolist() == [2, 1, 2, 2]


def check(trainer, brute, most) -> None:
    """Every list equals the first of the brute-force trainer's pairs at its step."""
    top = trainer.history().top_pairs(most)
    for k in range(len(trainer.merges) + 1):
        assert top.at(k) == brute.pairs()[:most]
        brute.step()


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS, most=st.sampled_from([1, 3, 20]), short=st.sampled_from([1, 16]))
def test_every_list_equals_brute_force(recipe, texts, most, short):
    corpus = Corpus.from_texts(texts, recipe.split)
    with patch.object(top_pairs, "SHORT", short):
        check(trained(corpus, recipe, num_merges=15), BruteForceTrainer(corpus, recipe), most)


@given(text=END_OF_WORD_TEXT, most=st.sampled_from([1, 3, 20]), short=st.sampled_from([1, 16]))
def test_pairs_of_tokens_made_again_equal_brute_force(text, most, short):
    recipe = RECIPES["subword-nmt"]
    corpus = Corpus.from_text(text, recipe.split)
    trainer = trained(corpus, recipe, min_frequency=1)
    with patch.object(top_pairs, "SHORT", short):
        check(trainer, BruteForceTrainer(corpus, recipe, min_frequency=1), most)


def test_without_pairs_every_list_is_empty() -> None:
    top = trained(Corpus.from_text("a b c", "whitespace"), "minbpe", num_merges=3).history().top_pairs(20)
    assert top.at(0) == []


def test_a_list_has_no_more_places_than_a_byte_can_number() -> None:
    text = "".join(chr(code) for code in range(0x4E00, 0x4E00 + 600))
    top = trained(Corpus.from_text(text, "none"), "minbpe", num_merges=1).history().top_pairs(1000)
    assert len(top.at(0)) == MOST_PLACES
    assert top.num_added.dtype == np.uint8
