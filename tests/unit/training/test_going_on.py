"""Going on with a training: the same merges as from the beginning, by the same or by other choices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Choice, Corpus, Trainer, steps_with
from bpeviz.errors import TrainingSettingsError
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.text_training import train_text
from tests.support.texts import TIGHT_TEXTS

MERGES = 12
A, B = b"ab"


def trained(source: Corpus | TrainingResult, settings: TrainingSettings) -> TrainingResult:
    return train_text(source, settings, lambda now: None)


def values(result: TrainingResult) -> tuple[object, ...]:
    return result.steps, result.stop_reason, result.tokens, result.symbol_gap_ranks.tolist()


def of_example(**settings) -> TrainingResult:
    corpus = Corpus.from_text("aaabdaaabac", "none")
    return trained(corpus, TrainingSettings("minbpe-basic", min_frequency=1, **settings))


def test_a_training_after_one_of_three_merges_holds_the_first_alone():
    first = of_example(num_merges=3).after(1)
    assert values(first) == (*values(of_example(num_merges=1))[:1], "", *values(of_example(num_merges=1))[2:])


def test_training_goes_on_with_the_second_merge():
    whole = of_example(num_merges=3)
    again = trained(whole.after(1), TrainingSettings("minbpe-basic", num_merges=3, min_frequency=1))
    assert [step.token for step in again.steps] == [b"aa", b"aaa", b"aaab"]
    assert values(again) == values(whole)


def test_training_goes_on_with_another_merge():
    choice = Choice(1, (A, B))
    settings = TrainingSettings("minbpe-basic", num_merges=3, min_frequency=1, choices=(choice,))
    again = trained(of_example(num_merges=3).after(1), settings)
    assert [step.token for step in again.steps] == [b"aa", b"ab", b"aaab"]
    assert values(again) == values(of_example(num_merges=3, choices=(choice,)))


def test_more_merges_go_on_from_all_those_made():
    more = trained(of_example(num_merges=2), TrainingSettings("minbpe-basic", num_merges=5, min_frequency=1))
    assert values(more) == values(of_example(num_merges=5))


def test_a_veto_before_the_merges_made_still_counts():
    veto = Choice(0, (A, A), "veto")
    whole = of_example(num_merges=9, choices=(veto,))
    settings = TrainingSettings("minbpe-basic", num_merges=9, min_frequency=1, choices=(veto,))
    assert values(trained(whole.after(1), settings)) == values(whole)
    assert (A, A) not in [step.pair for step in whole.steps]


@pytest.mark.parametrize(
    "other",
    [
        {"corpus": Corpus.from_text("aaabdaaaba", "none")},
        {"recipe": "minbpe"},
        {"special_tokens": ["<s>"]},
        {"max_token_length": 4},
    ],
    ids=["text", "recipe", "special tokens", "token length"],
)
def test_merges_of_another_training_are_refused(other):
    made = of_example(num_merges=2)
    with pytest.raises(TrainingSettingsError, match="another corpus, recipe, start or special tokens"):
        Trainer(**{"corpus": made.corpus, "recipe": "minbpe-basic", "made": made, **other})


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
@given(texts=TIGHT_TEXTS, data=st.data())
def test_going_on_after_any_number_of_merges_equals_training_from_the_beginning(recipe, texts, data):
    """With a pair that a person chose and one that was vetoed, before and after that number."""
    corpus = Corpus.from_texts(texts, recipe.split)
    plain = trained(corpus, TrainingSettings(recipe, num_merges=MERGES, min_frequency=1))
    choices = []
    for action in ("merge", "veto"):
        rank = data.draw(
            st.integers(choices[-1].rank + 1 if choices else 0, MERGES - 2 + len(choices)), "rank"
        )
        settings = TrainingSettings(recipe, num_merges=MERGES, min_frequency=1, choices=tuple(choices))
        now = trained(corpus, settings)
        if rank > len(now.steps) or now.history.pair_counts(rank).empty:
            break
        pairs = now.history.pair_counts(rank)[["left", "right"]].to_numpy().tolist()
        choices.append(Choice(rank, tuple(data.draw(st.sampled_from(pairs), "pair")), action))
    settings = TrainingSettings(recipe, num_merges=MERGES, min_frequency=1, choices=tuple(choices))
    whole = trained(corpus, settings)
    made = data.draw(st.integers(0, len(whole.steps)), "made")
    assert values(trained(whole.after(made), settings)) == values(whole)
    if choices and choices[0].rank <= len(plain.steps):
        assert values(trained(plain.after(choices[0].rank), settings)) == values(whole)


def test_the_vetoes_of_a_continued_training_hold_and_are_choices_once() -> None:
    corpus = Corpus.from_text("the cat in the hat " * 3, "gpt2")
    trainer = Trainer(corpus, "minbpe", num_merges=4)
    trainer.step()
    trainer.veto((256, 101))
    trainer.step()
    made = trainer.result()
    continued = Trainer(corpus, "minbpe", num_merges=4, made=made)
    continued.veto((256, 101))
    assert continued.result().choices == made.choices
    assert [step.token for step in continued.steps()] == [step.token for step in trainer.steps()]
    again = Trainer(corpus, "minbpe", num_merges=4, made=made.after(1))
    assert [step.token for step in again.steps()] == [step.token for step in trainer.result().steps[1:]]


def test_merges_forced_after_the_end_are_choices_that_can_be_followed() -> None:
    corpus = Corpus.from_text("ab cd ef", "none")
    trainer = Trainer(corpus, "minbpe-basic", num_merges=1, min_frequency=1)
    list(trainer.steps())
    for pair in ((99, 100), (101, 102)):
        trainer.step(pair)
    again = Trainer(corpus, "minbpe-basic", num_merges=1, min_frequency=1)
    assert list(steps_with(again, trainer.result().choices)) == list(trainer.result().steps)
