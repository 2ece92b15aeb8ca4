"""Forks: by hand, then against a brute-force trainer that is told the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Choice, Corpus, Trainer, steps_with
from bpeviz.errors import PairNotFoundError
from bpeviz.fork import continued_with
from tests.brute_force import BruteForceTrainer
from tests.texts import TIGHT_TEXTS

EVERY_RECIPE = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
MERGES = 12
A, B = b"ab"


def trainer(**settings) -> Trainer:
    return Trainer(Corpus.from_text("aaabdaaabac", "none"), "minbpe-basic", **settings)


def test_without_choices_it_is_the_run_itself():
    assert list(steps_with(trainer(num_merges=3), [])) == list(trainer(num_merges=3).steps())


def test_another_pair_is_merged_at_its_rank_and_training_goes_on_from_there():
    steps = list(steps_with(trainer(num_merges=3), [Choice(0, (A, B))]))
    assert [s.token for s in steps] == [b"ab", b"aa", b"aaab"]
    assert [(s.count, s.tied) for s in steps] == [(2, 1), (2, 2), (2, 1)]
    steps = list(steps_with(trainer(num_merges=3), [Choice(1, (A, B))]))
    assert [s.token for s in steps] == [b"aa", b"ab", b"aaab"]


def test_a_vetoed_pair_is_not_merged_and_not_counted_among_the_tied():
    steps = list(steps_with(trainer(num_merges=2), [Choice(0, (A, A), "veto")]))
    assert steps[0].token == b"ab"
    assert steps[0].tied == 1
    forked = trainer(num_merges=9)
    list(steps_with(forked, [Choice(0, (A, A), "veto")]))
    assert (A, A) not in [pair for pair, _ in forked.merges]


def test_a_veto_from_a_later_merge_on_leaves_the_earlier_ones():
    steps = list(steps_with(trainer(num_merges=3), [Choice(1, (256, A), "veto")]))
    assert [s.token for s in steps] == [b"aa", b"ab", b"aaab"]


def test_training_stops_when_only_vetoed_pairs_are_left():
    forked = Trainer(Corpus.from_text("abab", "none"), "minbpe-basic")
    vetoes = [Choice(0, (A, B), "veto"), Choice(0, (B, A), "veto")]
    assert list(steps_with(forked, vetoes)) == []
    assert forked.stop_reason == "No pair is left that was not vetoed."
    assert forked.top_pairs(9) == []


def test_a_vetoed_pair_is_merged_when_it_is_chosen():
    choices = [Choice(0, (A, B), "veto"), Choice(0, (A, B))]
    assert next(steps_with(trainer(num_merges=1), choices)).token == b"ab"


def test_a_pair_that_does_not_occur_is_refused():
    with pytest.raises(PairNotFoundError):
        list(steps_with(trainer(num_merges=3), [Choice(1, (A, A))]))


def test_choices_after_the_end_are_refused_by_name():
    with pytest.raises(PairNotFoundError):
        list(steps_with(trainer(num_merges=1), [Choice(1, (A, A))]))


def test_a_fork_of_a_fork_keeps_the_choices_before_it():
    first, second, veto = Choice(3, (1, 2)), Choice(5, (3, 4)), Choice(5, (5, 6), "veto")
    assert continued_with([first, veto, second], Choice(5, (7, 8))) == (first, veto, Choice(5, (7, 8)))
    assert continued_with([first, second], Choice(4, (7, 8), "veto")) == (first, Choice(4, (7, 8), "veto"))
    assert continued_with([], first) == (first,)


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS, data=st.data())
def test_a_fork_equals_brute_force(recipe, texts, data):
    """One pair forced, then one vetoed: every merge, count, tie and total as counted from scratch."""
    corpus = Corpus.from_texts(texts, recipe.split)
    brute = BruteForceTrainer(corpus, recipe)
    expected = brute.steps(data.draw(st.integers(0, 4), "merges before"))
    if not brute.pairs():
        return
    chosen = Choice(len(expected), data.draw(st.sampled_from([pair for pair, _ in brute.pairs()]), "chosen"))
    expected.append(brute.step(chosen.pair))
    pairs = [pair for pair, _ in brute.pairs()]
    choices = [chosen]
    if pairs:
        vetoed = data.draw(st.sampled_from(pairs), "vetoed")
        choices.append(Choice(len(expected), vetoed, "veto"))
        brute.vetoed.add(vetoed)
    expected += brute.steps(max(0, MERGES - len(expected)))
    forked = list(steps_with(Trainer(corpus, recipe, num_merges=MERGES), choices))
    assert [(s.pair, s.token_id, s.token, s.count, s.tied, s.token_total) for s in forked] == [
        (s.pair, s.token_id, s.token, s.count, s.tied, s.token_total) for s in expected
    ]
