"""Counts as large as a corpus may hold: no sum overflows 64 bits."""

import numpy as np
import pytest
from hypothesis import given

from bpeviz import RECIPES, Corpus, Trainer
from bpeviz.corpus.corpus import MOST_BYTES
from bpeviz.errors import CorpusError
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from tests.support.texts import TIGHT_TEXTS

EVERY_RECIPE = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
GPT2 = SPLIT_PATTERNS["gpt2"]


@pytest.mark.parametrize(
    "counts",
    [
        {"ab": 2**62, "abc": 2**62, "cd": 5},
        {"ab": 2**61, "c": 1},
        {"abcd": 2**60, "é": 1},
        {"🙂": 2**60 + 1},
        {"a": 2**62 + 1},
        {"a": 10**5000},
        {str(n): 2**58 for n in range(10, 90)},
    ],
)
def test_counts_that_cannot_be_added_up_are_refused(counts):
    for make in (Corpus.from_counts, lambda counts: Corpus(counts, GPT2)):
        with pytest.raises(CorpusError, match=f"more than {MOST_BYTES:,} bytes of text"):
            make(counts)


@pytest.mark.parametrize("counts", [{"a": 2**62}, {"ab": 2**61}, {"🙂": 2**60}, {"é": 2**60, "日a": 2**59}])
def test_counts_up_to_the_bound_are_taken(counts):
    assert Corpus.from_counts(counts).byte_total == MOST_BYTES


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS)
def test_large_counts_train_as_small_ones(recipe, texts):
    """Every number is that of the small counts, times one factor."""
    small = Corpus.from_texts(texts, recipe.split)
    times = MOST_BYTES // max(1, small.byte_total)
    large = Corpus.from_counts({p: n * times for p, n in small.counts.items()}, recipe.split)
    few, many = Trainer(small, recipe, num_merges=15), Trainer(large, recipe, num_merges=15)
    few.min_frequency, many.min_frequency = 1, 1
    steps = list(few.steps())
    assert [(s.pair, s.token_id, s.count, s.tied, s.token_total) for s in many.steps()] == [
        (s.pair, s.token_id, s.count * times, s.tied, s.token_total * times) for s in steps
    ]
    before, after = few.history(), many.history()
    assert (after.token_totals == before.token_totals * times).all()
    for k, step in enumerate(steps):
        assert after.pair_counts(k)["count"].tolist() == (before.pair_counts(k)["count"] * times).tolist()
        changes = before.count_changes(k)[["before", "after", "change"]] * times
        assert (after.count_changes(k)[["before", "after", "change"]] == changes).all(axis=None)
        assert after.overlaps(k, step.pair).counted == before.overlaps(k, step.pair).counted * times
        assert after.overlaps(k, step.pair).replaced == before.overlaps(k, step.pair).replaced * times
        lives = (history.pair_life(step.pair).counts for history in (after, before))
        assert (next(lives) == next(lives) * times).all()


@pytest.mark.parametrize("count", [np.int64(3), np.uint8(3), np.array(3)])
def test_a_whole_number_of_numpy_is_a_count(count):
    corpus = Corpus.from_counts({"ab": count})
    assert corpus == Corpus.from_counts({"ab": 3})
    assert type(corpus.counts["ab"]) is int


def test_an_error_does_not_repeat_a_long_pre_token():
    with pytest.raises(CorpusError) as caught:
        Corpus.from_counts({"a" * 1_000_000: 0})
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("counts", ["ab", ["ab"], None, 5])
def test_only_a_mapping_is_counts(counts):
    with pytest.raises(CorpusError, match="takes a mapping"):
        Corpus.from_counts(counts)
