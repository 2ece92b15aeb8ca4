"""Two runs compared: the first difference, and the tokens of each."""

from itertools import accumulate

import pandas as pd

from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import fork_run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from tests.support.trained import run_of

CAT = NamedText("cat", "the cat in the hat and the cat on the mat. " * 3)


def run(**settings: object) -> Run:
    return run_of(CAT, TrainingSettings(**settings), lambda *_: None)  # type: ignore[arg-type]


def test_a_run_compared_with_itself_has_no_difference() -> None:
    fork_comparison = ForkComparison(run(), run())
    assert fork_comparison.verdict() == "Both made the same merges in the same order."
    assert fork_comparison.sentence() == ""
    assert fork_comparison.parting is None
    assert fork_comparison.differing.empty
    assert fork_comparison.tokens(5)[0] == fork_comparison.tokens(5)[1] == run().steps[4].token_total


def test_a_fork_first_differs_at_the_chosen_merge() -> None:
    parent = run()
    second = parent.history.pair_counts(4).iloc[1]
    fork = fork_run(parent, Choice(4, (second["left"], second["right"])), lambda *_: None)
    fork_comparison = ForkComparison(fork, parent)
    assert fork_comparison.sentence().startswith("Merge 5 is the first that differs. ")
    assert fork.steps[:4] == parent.steps[:4]
    mine = {(s.pair, s.rank) for s in fork.steps}
    assert len(fork_comparison.merges) >= len(mine)
    for column, steps in (("this", fork), ("beside", parent)):
        made = fork_comparison.merges.dropna(subset=[column]).sort_values(column)
        assert made[column].tolist() == list(range(1, len(steps.steps) + 1))
        assert [(steps.label(s.pair[0]), steps.label(s.pair[1])) for s in steps.steps] == list(
            zip(made["left"], made["right"], strict=True)
        )
    same = fork_comparison.merges.drop(fork_comparison.differing.index)
    assert (same["this"] == same["beside"]).all()
    assert pd.isna(fork_comparison.differing[["this", "beside"]]).sum(axis=None) == (
        fork_comparison.differing["this"].isna().sum() + fork_comparison.differing["beside"].isna().sum()
    )


def test_the_sentence_counts_merges_of_one_run_and_those_at_other_ranks() -> None:
    parent = run(num_merges=3, split="none")
    th = parent.steps[0].pair
    fork = fork_run(parent, Choice(0, th, "veto"), lambda *_: None)
    fork_comparison = ForkComparison(fork, parent)
    ours = [(fork.label(s.pair[0]), fork.label(s.pair[1])) for s in fork.steps]
    others = [(parent.label(s.pair[0]), parent.label(s.pair[1])) for s in parent.steps]
    moved = sum(m in others and others.index(m) != ours.index(m) for m in ours)
    only, beside = len(set(ours) - set(others)), len(set(others) - set(ours))
    assert (only, beside, moved) == (1, 1, 2)
    assert fork_comparison.sentence() == (
        "Merge 1 is the first that differs. Only without a + t from 1 makes 1 merge, only cat 1. "
        "Both make 2 merges at different places in the order."
    )


def test_a_shorter_run_stays_at_its_last_merge() -> None:
    short, long = run(num_merges=3), run(num_merges=9)
    assert ForkComparison(short, long).tokens(9) == (short.steps[-1].token_total, long.steps[-1].token_total)


def test_boundaries_are_counted_as_the_encoder_cuts_the_text() -> None:
    parent = run(num_merges=9)
    fork = fork_run(parent, Choice(0, parent.steps[0].pair, "veto"), lambda *_: None)

    def ends(of: Run, step: int) -> set[int]:
        tokenizer = of.tokenizer.after(step)
        return set(accumulate(len(tokenizer.token_bytes(i)) for i in tokenizer.encode(CAT.text)))

    for step in (0, 1, 5, 9):
        only, beside = ends(fork, step) - ends(parent, step), ends(parent, step) - ends(fork, step)
        boundaries = f"{len(only)} boundar{'y' if len(only) == 1 else 'ies'}"
        merges = f"{step} merge{'' if step == 1 else 's'}"
        assert ForkComparison(fork, parent).boundaries(step) == (
            f"After {merges} only without a + t from 1 has {boundaries}, only cat {len(beside)}."
            if only or beside
            else f"After {merges} both cut the text the same way."
        )


def fork_of(parent: Run, place: int, rank: int = 0) -> ForkComparison:
    """A fork that merges the pair at a place of the list at ``rank``, beside its parent."""
    row = parent.history.pair_counts(rank).iloc[place]
    return ForkComparison(
        fork_run(parent, Choice(rank, (row["left"], row["right"])), lambda *_: None), parent
    )


def test_the_verdict_compares_the_tokens_after_the_last_common_merge() -> None:
    parent = run(num_merges=5)
    for place in range(1, 8):
        comparison = fork_of(parent, place)
        more = comparison.run.steps[-1].token_total - parent.steps[-1].token_total
        assert len(comparison.run.steps) == 5
        if more:
            tokens = f"{abs(more)} token{'' if abs(more) == 1 else 's'} {'more' if more > 0 else 'fewer'}"
            assert comparison.verdict("X", "Y") == f"With 5 merges X needs {tokens} than Y."
        else:
            assert "same number of tokens" in comparison.verdict().lower()


def test_a_tie_that_changes_no_total_did_not_matter() -> None:
    # a + b and c + d occur equally often, apart from each other
    parent = run_of(NamedText("tie", "ab cd ab cd"), TrainingSettings(split="whitespace"), lambda *_: None)
    comparison = fork_of(parent, 1)
    assert comparison.always_equal
    assert comparison.verdict() == "Same number of tokens at every step: the tie didn't matter here."


def test_the_texts_part_after_the_first_merge_that_closes_another_gap() -> None:
    parent = run()
    fork = fork_of(parent, 1, 4).run
    comparison = ForkComparison(fork, parent)
    assert comparison.parting is not None
    step, offset = comparison.parting

    def cut(of: Run, k: int) -> list[bytes]:
        tokenizer = of.tokenizer.after(k)
        return [tokenizer.token_bytes(i) for i in tokenizer.encode(CAT.text)]

    assert all(cut(fork, k) == cut(parent, k) for k in range(step))
    mine, others = (list(accumulate(map(len, cut(of, step)))) for of in (fork, parent))
    assert min(set(mine) ^ set(others)) == offset + 1


def test_texts_of_runs_with_the_same_merges_never_part() -> None:
    assert ForkComparison(run(num_merges=3), run(num_merges=5)).parting is None
