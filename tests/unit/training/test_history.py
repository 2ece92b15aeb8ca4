"""The corpus after any number of merges: by hand, then against a brute-force trainer.

The histories of chosen and vetoed merges are in test_vetoed_merges.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Trainer
from bpeviz.core.gap_ranks import NEVER, WALL, token_ends
from bpeviz.errors import CorpusError, TrainingSettingsError
from tests.support.brute_force import BruteForceTrainer
from tests.support.texts import TIGHT_TEXTS

EVERY_RECIPE = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
MERGES = 15


def aaabdaaabac():
    trainer = Trainer(Corpus.from_text("aaabdaaabac", "none"), "minbpe-basic", num_merges=3)
    list(trainer.steps())
    return trainer.history()


def rows(frame) -> list[tuple[tuple[int, int], int]]:
    return [
        ((row.left, row.right), row.count_) for row in frame.rename(columns={"count": "count_"}).itertuples()
    ]


def test_aaabdaaabac_by_hand():
    history = aaabdaaabac()  # aa, aaa, aaab
    assert [history.token_total(k) for k in range(4)] == [11, 9, 7, 5] == history.token_totals.tolist()
    a, b, c, d = b"abcd"
    assert rows(history.pair_counts(0)) == [
        ((a, a), 4),
        ((a, b), 2),
        ((b, d), 1),
        ((d, a), 1),
        ((b, a), 1),
        ((a, c), 1),
    ]
    assert rows(history.pair_counts(3)) == [((258, d), 1), ((d, 258), 1), ((258, a), 1), ((a, c), 1)]
    assert history.gap_ranks("aaabdaaabac").tolist() == [0, 1, 2, NEVER, NEVER, 0, 1, 2, NEVER, NEVER, WALL]


def test_pair_counts_are_a_frame_of_whole_numbers():
    frame = aaabdaaabac().pair_counts(1)
    assert list(frame.columns) == ["left", "right", "count"]
    assert [str(kind) for kind in frame.dtypes] == ["int64"] * 3
    assert list(frame.index) == list(range(len(frame)))


def test_a_repeated_pre_token_counts_each_time():
    trainer = Trainer(
        Corpus.from_text("the cat in the hat the", "gpt2"), "tiktoken-educational", num_merges=1
    )
    list(trainer.steps())
    history = trainer.history()
    # the | cat | in | the | hat | the: th once in "the" and twice in " the"
    assert rows(history.pair_counts(0))[0] == ((ord("t"), ord("h")), 3)
    assert [history.token_total(k) for k in (0, 1)] == [22, 19]


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS)
def test_every_moment_equals_brute_force(recipe, texts):
    """Compares totals, counts, and the order of equal counts, which top_pairs gave at that step."""
    corpus = Corpus.from_texts(texts, recipe.split)
    trainer, brute = Trainer(corpus, recipe, num_merges=MERGES), BruteForceTrainer(corpus, recipe)
    moments = [(brute.token_total, brute.pairs(), trainer.top_pairs(10**6))]
    while trainer.step() is not None:
        brute.step()
        moments.append((brute.token_total, brute.pairs(), trainer.top_pairs(10**6)))
    history = trainer.history()
    assert history.num_merges == len(moments) - 1
    assert history.token_totals.tolist() == [total for total, _, _ in moments]
    for k, (total, pairs, top) in enumerate(moments):
        assert history.token_total(k) == total
        assert rows(history.pair_counts(k)) == pairs == top


@given(texts=TIGHT_TEXTS, data=st.data())
def test_gap_ranks_of_a_text_cut_at_k_are_its_tokens_after_k_merges(texts, data):
    recipe = RECIPES["minbpe"]
    corpus = Corpus.from_texts(texts, recipe.split)
    trainer, brute = Trainer(corpus, recipe, num_merges=MERGES), BruteForceTrainer(corpus, recipe)
    list(trainer.steps())
    k = data.draw(st.integers(0, len(trainer.merges)))
    brute.steps(k)
    tokens_of = dict(zip(corpus.counts, brute.words, strict=True))
    for text in texts:
        lengths = [len(brute.tokens[i]) for p in corpus.split.split(text) for i in tokens_of[p]]
        gap_ranks = trainer.history().gap_ranks(text)
        assert gap_ranks.dtype == np.int32
        assert token_ends(gap_ranks, k).tolist() == (np.cumsum(lengths, dtype=int) - 1).tolist()


def test_count_changes_of_aaabdaaabac_by_hand():
    a, d = b"ad"
    changes = aaabdaaabac().count_changes(0)  # a+a becomes 256
    assert list(changes.columns) == ["left", "right", "before", "after", "change"]
    assert changes.to_numpy().tolist() == [
        [a, a, 4, 0, -4],
        [256, a, 0, 2, 2],
        [d, a, 1, 0, -1],
        [d, 256, 0, 1, 1],
    ]
    assert aaabdaaabac().count_changes(2)["change"].tolist() == [-2, -1, -1, -1, 1, 1, 1]
    assert {str(kind) for kind in changes.dtypes} == {"int64"}


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS)
def test_count_changes_equal_brute_force(recipe, texts):
    corpus = Corpus.from_texts(texts, recipe.split)
    trainer, brute = Trainer(corpus, recipe, num_merges=MERGES), BruteForceTrainer(corpus, recipe)
    list(trainer.steps())
    history = trainer.history()
    for k in range(history.num_merges):
        before = dict(brute.pairs())
        brute.step()
        after = dict(brute.pairs())
        expected = {
            (*pair, before.get(pair, 0), after.get(pair, 0), after.get(pair, 0) - before.get(pair, 0))
            for pair in before | after
            if before.get(pair, 0) != after.get(pair, 0)
        }
        found = history.count_changes(k)
        assert set(found.itertuples(index=False, name=None)) == expected
        assert found["change"].abs().is_monotonic_decreasing


@pytest.mark.parametrize(
    ("text", "counted", "replaced", "runs"),
    [
        ("aaaa", 3, 2, ((4, 1),)),
        ("aaa b aa c aaa", 5, 3, ((2, 1), (3, 2))),
        ("abab", 0, 0, ()),
    ],
)
def test_overlaps_by_hand(text, counted, replaced, runs):
    history = Trainer(Corpus.from_text(text, "none"), "minbpe-basic").history()
    overlaps = history.overlaps(0, (ord("a"), ord("a")))
    assert (overlaps.counted, overlaps.replaced, overlaps.runs) == (counted, replaced, runs)


def test_a_run_does_not_cross_a_wall_and_a_repeated_pre_token_counts_each_time():
    history = Trainer(Corpus.from_text("aaa aaa aaa", "whitespace"), "minbpe").history()
    overlaps = history.overlaps(0, (ord("a"), ord("a")))
    assert (overlaps.counted, overlaps.replaced, overlaps.runs) == (6, 3, ((3, 3),))


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS, data=st.data())
def test_overlaps_equal_what_merging_by_brute_force_replaces(recipe, texts, data):
    corpus = Corpus.from_texts(texts, recipe.split)
    trainer, brute = Trainer(corpus, recipe, num_merges=MERGES), BruteForceTrainer(corpus, recipe)
    list(trainer.steps())
    k = data.draw(st.integers(0, len(trainer.merges)))
    brute.steps(k)
    pairs = dict(brute.pairs())
    if not pairs:
        return
    pair = data.draw(st.sampled_from(sorted(pairs)))
    overlaps = trainer.history().overlaps(k, pair)
    total = brute.token_total
    assert overlaps.counted == pairs[pair]
    assert overlaps.replaced == total - brute.step(pair).token_total


def test_a_history_is_of_the_merges_made_when_it_was_asked_for():
    trainer = Trainer(Corpus.from_text("aaabdaaabac", "none"), "minbpe-basic")
    trainer.step()
    history = trainer.history()
    trainer.step()
    assert history.num_merges == 1
    assert history.token_totals.tolist() == [11, 9]
    assert history.gap_ranks("aaabdaaabac").tolist() == [0, NEVER, NEVER, NEVER, NEVER, 0, *[NEVER] * 4, WALL]


@pytest.mark.parametrize("k", [-1, 4])
@pytest.mark.parametrize("ask", ["token_total", "pair_counts", "count_changes"])
def test_a_moment_that_was_not_is_refused(ask, k):
    with pytest.raises(TrainingSettingsError, match=f"ask for a number from 0 to [23], not {k}"):
        getattr(aaabdaaabac(), ask)(k)


def test_the_gap_ranks_of_a_pre_token_not_trained_on_are_refused():
    trainer = Trainer(Corpus.from_text("the cat"), "tiktoken-educational")
    with pytest.raises(CorpusError, match="' dog'"):
        trainer.history().gap_ranks("the dog")


@EVERY_RECIPE
def test_the_history_of_nothing_is_empty(recipe):
    history = Trainer(Corpus.from_text("", recipe.split), recipe).history()
    assert history.token_total(0) == 0
    assert rows(history.pair_counts(0)) == []
    assert history.gap_ranks("").tolist() == []
