"""The lives of pairs: by hand, then against counting every pair again after every merge."""

import pytest
from hypothesis import given

from bpeviz import RECIPES, Corpus, Trainer
from tests.support.brute_force import BruteForceTrainer
from tests.support.texts import END_OF_WORD_TEXT, TIGHT_TEXTS

EVERY_RECIPE = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
MERGES = 15
A, B, C, D = b"abcd"


def aaabdaaabac():
    trainer = Trainer(Corpus.from_text("aaabdaaabac", "none"), "minbpe-basic", num_merges=3)
    list(trainer.steps())
    return trainer.history()


def test_aaabdaaabac_by_hand():
    history = aaabdaaabac()  # a+a=256, 256+a=257, 257+b=258
    assert history.pair_life((A, A)).counts.tolist() == [4, 0, 0, 0]
    assert history.pair_life((256, A)).counts.tolist() == [0, 2, 0, 0]
    assert history.pair_life((A, B)).counts.tolist() == [2, 2, 0, 0]
    assert history.pair_life((257, B)).counts.tolist() == [0, 0, 2, 0]
    assert history.pair_life((A, C)).counts.tolist() == [1, 1, 1, 1]
    assert history.pair_life((C, A)).counts.tolist() == [0, 0, 0, 0]


def test_a_life_tells_birth_peak_and_end():
    history = aaabdaaabac()

    def told(pair):
        life = history.pair_life(pair)
        return life.born, life.peak, life.ended, life.merged_at

    assert told((256, A)) == (1, 1, 2, (1,))
    assert told((A, B)) == (0, 0, 2, ())
    assert told((A, C)) == (0, 0, None, ())
    assert told((C, A)) == (None, 0, 0, ())
    assert told((999, A)) == (None, 0, 0, ())


def test_a_repeated_pre_token_counts_each_time():
    trainer = Trainer(Corpus.from_text("the cat in the hat the"), "tiktoken-educational", num_merges=1)
    list(trainer.steps())
    assert trainer.history().pair_life(tuple(b"th")).counts.tolist() == [3, 0]
    assert trainer.history().pair_life((256, ord("e"))).counts.tolist() == [0, 3]


def check(trainer, brute):
    """Check every pair that ever occurs, and its count after every merge."""
    moments = [dict(brute.pairs())]
    for pair, _ in trainer.merges:
        brute.step(pair)
        moments.append(dict(brute.pairs()))
    history = trainer.history()
    for pair in set().union(*moments):
        life = history.pair_life(pair)
        expected = [moment.get(pair, 0) for moment in moments]
        assert life.counts.tolist() == expected
        assert life.merged_at == tuple(r for r, (merged, _) in enumerate(trainer.merges) if merged == pair)
        there = [k for k, count in enumerate(expected) if count]
        assert life.born == there[0]
        assert life.peak == expected.index(max(expected))
        alive = there[-1] == len(trainer.merges)
        assert life.ended == (None if alive else there[-1] + 1)


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS)
def test_every_life_equals_brute_force(recipe, texts):
    corpus = Corpus.from_texts(texts, recipe.split)
    trainer = Trainer(corpus, recipe, num_merges=MERGES)
    list(trainer.steps())
    check(trainer, BruteForceTrainer(corpus, recipe))


@given(END_OF_WORD_TEXT)
def test_lives_of_tokens_made_again_equal_brute_force(text):
    recipe = RECIPES["subword-nmt"]
    corpus = Corpus.from_text(text, recipe.split)
    trainer = Trainer(corpus, recipe, min_frequency=1)
    list(trainer.steps())
    check(trainer, BruteForceTrainer(corpus, recipe, min_frequency=1))
