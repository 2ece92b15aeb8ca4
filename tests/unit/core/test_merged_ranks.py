"""How frequent each merged pair was among all pairs, against counting."""

from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Corpus, Trainer, load_pretrained
from bpeviz.core.merged_ranks import MergedRanks
from bpeviz.training.result import TrainingResult

CORPUS = st.text("abcd e", min_size=2, max_size=60)


def by_counting(result: TrainingResult) -> list[tuple[int, int, int]]:
    """The rank of each merged pair, the highest count, and the number of pairs, at each step."""
    rows = []
    for k, step in enumerate(result.steps):
        counts = result.history.pair_counts(k)["count"].tolist()
        rows.append((1 + sum(count > step.count for count in counts), max(counts), len(counts)))
    return rows


def rows_of(ranks: MergedRanks) -> list[tuple[int, int, int]]:
    return list(zip(ranks.ranks.tolist(), ranks.best.tolist(), ranks.pairs.tolist(), strict=True))


@given(CORPUS)
def test_the_ranks_of_a_start_are_those_of_counting(text: str) -> None:
    trainer = Trainer(Corpus.from_text(text), start=load_pretrained("gpt2"), num_merges=2)
    list(trainer.steps())
    assert rows_of(trainer.history().merged_ranks) == by_counting(trainer.result())


@given(CORPUS)
def test_a_recipe_always_takes_a_pair_of_the_first_rank(text: str) -> None:
    trainer = Trainer(Corpus.from_text(text), "minbpe", num_merges=8)
    list(trainer.steps())
    found = trainer.history().merged_ranks
    assert found.ranks.tolist() == [1] * len(trainer.merges)
    assert rows_of(found) == by_counting(trainer.result())
