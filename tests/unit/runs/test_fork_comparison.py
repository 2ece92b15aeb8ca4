"""Two runs compared: the first difference, and the tokens of each."""

from itertools import accumulate

import pandas as pd

from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.runs.run import NamedText, Run, fork_run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from tests.support.trained import run_of

CAT = NamedText("cat", "the cat in the hat and the cat on the mat. " * 3)


def run(**settings: object) -> Run:
    return run_of(CAT, TrainingSettings(**settings), lambda *_: None)  # type: ignore[arg-type]


def test_a_run_compared_with_itself_has_no_difference() -> None:
    fork_comparison = ForkComparison(run(), run())
    assert fork_comparison.sentence == "Both made the same merges in the same order."
    assert fork_comparison.differing.empty
    assert fork_comparison.tokens(5)[0] == fork_comparison.tokens(5)[1] == run().steps[4].token_total


def test_a_fork_first_differs_at_the_chosen_merge() -> None:
    parent = run()
    second = parent.history.pair_counts(4).iloc[1]
    fork = fork_run(parent, Choice(4, (second["left"], second["right"])), lambda *_: None)
    fork_comparison = ForkComparison(fork, parent)
    assert fork_comparison.sentence.startswith("They part at merge 5. ")
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
    words = [f"{n} merge{'s' if n != 1 else ''}" for n in (only, beside, moved)]
    assert fork_comparison.sentence == (
        f"They part at merge 1. {words[0]} only this run makes, {words[1]} only the other; "
        f"{words[2]} both make, but not at the same place."
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
        boundaries = f"{len(only)} token boundar{'y' if len(only) == 1 else 'ies'}"
        assert ForkComparison(fork, parent).boundaries(step) == (
            f"In the text after {step} merges, {boundaries} only this run has, {len(beside)} only the other."
        )
