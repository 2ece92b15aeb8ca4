"""Pair stretches: by hand; and added up part by part, they are the same as all at once."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Recipe, Trainer
from bpeviz.core import pair_stretches
from bpeviz.core.pair_stretches import PairStretches
from tests.support.texts import TIGHT_TEXTS


def stretches(trainer: Trainer) -> PairStretches:
    list(trainer.steps())
    return trainer.history()._lives.stretches


def rows(found: PairStretches) -> list[tuple[int, ...]]:
    """left, right, first, end, gap, weight"""
    columns = (found.lefts, found.rights, found.first, found.end, found.gaps, found.weights)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_the_stretches_of_aaabdaaabac_by_hand() -> None:
    """a+a becomes 256 at two places, each before a third a."""
    a, b, c, d = b"abcd"
    trainer = Trainer(Corpus.from_text("aaabdaaabac", "none"), "minbpe-basic", num_merges=1)
    assert rows(stretches(trainer)) == [
        (a, a, 0, 1, 0, 4),
        (a, b, 0, 2, 2, 2),
        (a, c, 0, 2, 9, 1),
        (b, a, 0, 2, 8, 1),
        (b, d, 0, 2, 3, 1),
        (d, a, 0, 1, 4, 1),
        (d, 256, 1, 2, 4, 1),
        (256, a, 1, 2, 1, 2),
    ]


def test_equal_stretches_are_one() -> None:
    """ "ab" is in three pre-tokens; its merge closes the gap in each. The first of them is at gap 0."""
    trainer = Trainer(Corpus.from_counts({"ab": 1, "xab": 2, "yab": 3}), "minbpe", num_merges=1)
    assert [row for row in rows(stretches(trainer)) if row[0] == ord("a")] == [(97, 98, 0, 1, 0, 6)]


@pytest.mark.property
@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
@given(texts=TIGHT_TEXTS, part=st.integers(1, 9))
def test_parts_of_any_length_give_the_same(recipe: Recipe, texts: list[str], part: int) -> None:
    trainer = Trainer(Corpus.from_texts(texts, recipe.split), recipe, num_merges=15)
    whole = rows(stretches(trainer))
    assert [row[:4] for row in whole] == sorted({row[:4] for row in whole})
    with patch.object(pair_stretches, "PART_SYMBOLS", part):
        assert rows(stretches(trainer)) == whole
