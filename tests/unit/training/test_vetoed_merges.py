"""Vetoes and chosen merges in any order: by hand, then against a trainer that recounts before each merge."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpeviz import RECIPES, Choice, Corpus, Recipe, Trainer, steps_with
from tests.support.brute_force import BruteForceTrainer
from tests.support.texts import END_OF_WORD_TEXT, TIGHT_TEXTS

EVERY_RECIPE = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
MOVES = 20
FEWER = settings(max_examples=30)
A, B = b"ab"


def test_a_pair_that_was_vetoed_can_be_merged_by_hand():
    # (a,b) 5, (x,y) 4, (b,a) 4: with (a,b) vetoed, xy is merged. Then (b,a) 4 is the best pair; merging ab
    # makes (ab,a) 4 times, the same count, and removes it again.
    trainer = Trainer(Corpus.from_text("xy1xy2xy3xy4ababababab", "none"), "minbpe-basic")
    trainer.veto((A, B))
    assert trainer.step().token == b"xy"
    step = trainer.step((A, B))
    assert (step.token, step.count, step.tied, step.token_total) == (b"ab", 5, 0, 13)
    assert trainer.top_pairs(1) == [((257, 257), 4)]
    assert trainer.step().token == b"abab"


def test_a_fork_merges_a_pair_that_was_vetoed_before():
    trainer = Trainer(Corpus.from_text("xy1xy2xy3xy4ababababab", "none"), "minbpe-basic", num_merges=3)
    steps = steps_with(trainer, [Choice(0, (A, B), "veto"), Choice(1, (A, B))])
    assert [step.token for step in steps] == [b"xy", b"ab", b"abab"]


def test_a_forced_merge_takes_back_the_reason_to_stop():
    trainer = Trainer(Corpus.from_text("abab", "none"), "minbpe-basic")
    trainer.veto((A, B))
    trainer.veto((B, A))
    assert trainer.step() is None
    assert trainer.stop_reason == "No pair is left that was not vetoed."
    trainer.step((A, B))
    assert trainer.stop_reason is None
    assert trainer.step().token == b"abab"
    assert trainer.step() is None
    assert trainer.stop_reason == "No pair is left: every pre-token is a single token."


def check_moves(recipe: Recipe, corpus: Corpus, data: st.DataObject, **settings) -> None:
    """Check that trainer, pairs and history equal brute force: pairs are merged, chosen and vetoed in any
    order, vetoed ones chosen too."""
    trainer = Trainer(corpus, recipe, **settings)
    brute = BruteForceTrainer(corpus, recipe, **settings)
    tables = {}
    for _ in range(MOVES):
        pairs = brute.pairs()
        tables[len(trainer.merges)] = pairs
        choosable = [(pair, count) for pair, count in pairs if pair not in brute.vetoed]
        assert trainer.top_pairs(10**6) == choosable
        n = data.draw(st.integers(0, len(choosable)))
        assert trainer.top_pairs(n) == choosable[:n]
        # among the vetoed are pairs that no longer occur and may appear again
        forced = data.draw(st.none() | st.sampled_from([p for p, _ in pairs])) if pairs else None
        vetoed = data.draw(st.none() | st.sampled_from([p for p, _ in pairs])) if pairs else None
        if vetoed:
            trainer.veto(vetoed)
            brute.vetoed.add(vetoed)
        step = trainer.step(forced)
        assert step == brute.step(forced)
        if step is None:
            assert trainer.stop_reason
            if not pairs:
                break
        else:
            assert trainer.stop_reason is None
    history = trainer.history()
    for k, table in tables.items():
        rows = history.pair_counts(k).to_numpy().tolist()
        assert [((left, right), count) for left, right, count in rows] == table


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS, data=st.data())
def test_vetoes_and_forced_merges_in_any_order_equal_brute_force(recipe, texts, data):
    check_moves(recipe, Corpus.from_texts(texts, recipe.split), data)


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS, data=st.data())
def test_the_same_in_whole_array_steps(recipe, texts, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bpeviz.core.token_chain.AT_ONCE_FROM", 1)
        check_moves(recipe, Corpus.from_texts(texts, recipe.split), data)


@pytest.mark.parametrize("longest", [2, 3, 5])
@pytest.mark.parametrize("tie", ["first-seen", "smallest-ids", "greatest-tokens", "shortest-token"])
@FEWER
@given(texts=TIGHT_TEXTS, data=st.data())
def test_the_same_with_a_longest_token(tie, longest, texts, data):
    recipe = replace(RECIPES["sentencepiece"], tie=tie, max_token_length=longest)
    check_moves(recipe, Corpus.from_texts(texts, recipe.split), data)


@pytest.mark.parametrize("tie", ["first-seen", "smallest-ids", "greatest-tokens"])
@given(text=END_OF_WORD_TEXT, data=st.data())
def test_the_same_if_tokens_are_made_again(tie, text, data):
    recipe = replace(RECIPES["subword-nmt"], tie=tie, min_frequency=1)
    check_moves(recipe, Corpus.from_text(text, recipe.split), data)


@pytest.mark.parametrize("name", ["course", "huggingface", "tiktoken-educational"])
@FEWER
@given(texts=TIGHT_TEXTS, data=st.data())
def test_the_same_if_merges_make_special_tokens(name, texts, data):
    recipe = RECIPES[name]
    check_moves(recipe, Corpus.from_texts(texts, recipe.split), data, special_tokens=["ab", "aa", "aab"])
