"""Forks: by hand, then against a brute-force trainer with the same choices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Choice, Corpus, Trainer, steps_with
from bpeviz.errors import TrainingSettingsError
from bpeviz.training.choice import continued_with
from bpeviz.words import in_short
from tests.support.brute_force import BruteForceTrainer
from tests.support.texts import TIGHT_TEXTS

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


@pytest.mark.parametrize("num_merges", [3, 1])
def test_a_pair_that_does_not_occur_is_refused(num_merges):
    with pytest.raises(TrainingSettingsError, match="does not occur in the corpus"):
        list(steps_with(trainer(num_merges=num_merges), [Choice(1, (A, A))]))


def test_a_merge_at_the_rank_at_which_training_stops_is_still_made():
    assert [s.token for s in steps_with(trainer(num_merges=1), [Choice(1, (A, B))])] == [b"aa", b"ab"]


# Each with a part of the error message.
IMPOSSIBLE = {
    "above the last merge": ([Choice(10, (A, B))], "stops after 5 merges"),
    "descending": ([Choice(3, (A, B)), Choice(1, (A, A))], "ascending rank"),
    "descending vetoes": ([Choice(3, (A, B), "veto"), Choice(1, (A, A), "veto")], "ascending rank"),
    "negative": ([Choice(-1, (A, B))], "whole number of 0 or more"),
    "negative veto": ([Choice(-3, (A, B), "veto")], "whole number of 0 or more"),
    "twice at one rank": ([Choice(1, (A, B)), Choice(1, (A, A))], "at most one merge"),
    "a veto after the merge of its rank": (
        [Choice(1, (A, B)), Choice(1, (A, A), "veto")],
        "after the vetoes",
    ),
    "no whole rank": ([Choice(1.5, (A, B))], "whole number of 0 or more"),
    "a truth for a rank": ([Choice(True, (A, B))], "whole number of 0 or more"),
    "no rank": ([Choice(None, (A, B))], "whole number of 0 or more"),
    "a rank that cannot be written": ([Choice(10**5000, (A, B))], "stops after 5 merges"),
    "unknown action": ([Choice(1, (A, B), "drop")], "Choose merge or veto"),
    "an action of another kind": ([Choice(1, (A, B), ["merge"])], "Choose merge or veto"),
    "a text for a pair": ([Choice(1, "ab")], "not two token ids"),
    "bytes for a pair": ([Choice(1, b"ab")], "not two token ids"),
    "one id": ([Choice(1, (A,))], "not two token ids"),
    "three ids": ([Choice(1, (A, B, A), "veto")], "not two token ids"),
    "a number for a pair": ([Choice(1, A)], "not two token ids"),
    "ids of another kind": ([Choice(1, (97.0, 98.0))], "not two token ids"),
}


@pytest.mark.parametrize(("choices", "says"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_a_choice_that_cannot_be_followed_is_refused_before_anything_is_trained(choices, says):
    fresh = trainer(num_merges=5)
    with pytest.raises(TrainingSettingsError, match=says) as caught:
        list(steps_with(fresh, choices))
    assert fresh.merges == []
    culprit = choices[-1]
    where = f"rank {in_short(culprit.rank)} ({in_short(culprit.action)} {in_short(culprit.pair)})"
    assert str(caught.value).startswith(f"The choice at {where} cannot be followed: ")


@pytest.mark.parametrize("choices", [Choice(0, (A, B)), [(0, (A, B))], ["merge"], None, 5])
def test_only_a_list_of_choices_is_taken(choices):
    fresh = trainer(num_merges=5)
    with pytest.raises(TrainingSettingsError, match="choices takes"):
        list(steps_with(fresh, choices))
    assert fresh.merges == []


@pytest.mark.parametrize("action", ["merge", "veto"])
@pytest.mark.parametrize("settings", [{}, {"vocab_size": 258}, {"min_frequency": 3}])
def test_a_rank_that_training_does_not_reach_is_refused(settings, action):
    forked = trainer(**settings)
    plain = list(trainer(**settings).steps())
    with pytest.raises(TrainingSettingsError, match="The choice at rank 100 ") as caught:
        list(steps_with(forked, [Choice(100, (A, B), action)]))
    number = f"{len(plain)} merge{'s' * (len(plain) > 1)}"
    assert f"training stops after {number} ({forked.stop_reason.rstrip('.')})." in str(caught.value)
    assert forked.merges == [(step.pair, step.token_id) for step in plain]


def test_a_trainer_that_has_merged_already_does_not_go_back():
    used = trainer(num_merges=3)
    used.step()
    used.step()
    with pytest.raises(TrainingSettingsError, match="the trainer has made 2 merges already"):
        steps_with(used, [Choice(1, (A, B))])
    assert [s.rank for s in steps_with(used, [Choice(2, (A, ord("c")))])] == [2]


def test_ids_and_ranks_may_be_those_of_numpy():
    choices = [Choice(np.int64(0), tuple(np.array([A, B])))]
    forked = trainer(num_merges=3)
    steps = list(steps_with(forked, choices))
    assert steps == list(steps_with(trainer(num_merges=3), [Choice(0, (A, B))]))
    assert {type(token_id) for token_id in forked.merges[0][0]} == {int}


@pytest.mark.parametrize("pair", ["ab", b"ab", (97,), (97, 98, 99), 97, (97.0, 98.0), ("a", "b"), [[97], 98]])
def test_only_two_token_ids_are_a_pair(pair):
    fresh = trainer()
    for act in (fresh.step, fresh.veto):
        with pytest.raises(TrainingSettingsError, match="two token ids"):
            act(pair)
    assert fresh.merges == []


def test_a_fork_of_a_fork_keeps_the_choices_before_it():
    first, second, veto = Choice(3, (1, 2)), Choice(5, (3, 4)), Choice(5, (5, 6), "veto")
    assert continued_with([first, veto, second], Choice(5, (7, 8))) == (first, veto, Choice(5, (7, 8)))
    assert continued_with([first, second], Choice(4, (7, 8), "veto")) == (first, Choice(4, (7, 8), "veto"))
    assert continued_with([], first) == (first,)


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS, data=st.data())
def test_a_fork_equals_brute_force(recipe, texts, data):
    """One pair is chosen, then one vetoed."""
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
    assert forked == expected
