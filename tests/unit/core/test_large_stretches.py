"""Stretches of large corpora: added up part by part, they give the same lists and counts as all at once."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Recipe, Trainer
from bpeviz.core import large_stretches
from bpeviz.training import history as history_module
from tests.support.texts import TIGHT_TEXTS


def test_equal_stretches_are_one() -> None:
    """ "ab" is in three pre-tokens; its merge closes the gap in each. The first of them is at gap 0."""
    trainer = Trainer(Corpus.from_counts({"ab": 1, "xab": 2, "yab": 3}), "minbpe", num_merges=1)
    list(trainer.steps())
    history = trainer.history()
    summed = large_stretches.summed_stretches(
        history._spelling.ids, history._gap_ranks, history._weights, history._merges
    )
    rows = zip(
        summed.lefts, summed.rights, summed.gaps, summed.first, summed.end, summed.weights, strict=True
    )
    assert [row for row in rows if row[0] == ord("a")] == [(97, 98, 0, 0, 1, 6)]


@pytest.mark.property
@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
@given(texts=TIGHT_TEXTS, part=st.integers(1, 9), most=st.sampled_from([1, 3, 20]))
def test_parts_of_any_length_give_the_same(recipe: Recipe, texts: list[str], part: int, most: int) -> None:
    trainer = Trainer(Corpus.from_texts(texts, recipe.split), recipe, num_merges=15)
    list(trainer.steps())
    history = trainer.history()
    steps = range(len(trainer.merges) + 1)
    top = history.top_pairs(most)
    counts = [history.pair_counts(k) for k in steps]
    with (
        patch.object(large_stretches, "PART_SYMBOLS", part),
        patch.object(history_module, "PART_SYMBOLS", part),
    ):
        again = history.top_pairs(most)
        assert [again.at(k) for k in steps] == [top.at(k) for k in steps]
        for k in steps:
            assert history.pair_counts(k).equals(counts[k])
