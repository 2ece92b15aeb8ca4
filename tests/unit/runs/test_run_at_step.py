"""What the page says about a step, compared with the trainer and with plain counting."""

import pytest

from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.runs.run_training import fork_run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from tests.support.trained import run_of

WORDS = NamedText("words", "ab cd ab cd ab cd ef ef")
CAT = NamedText("cat", "the cat in the hat and the cat on the mat. " * 3)


def train(text: NamedText, **settings: object) -> Run:
    return run_of(text, TrainingSettings(**settings), lambda *_: None)  # type: ignore[arg-type]


def words(**settings: object) -> Run:
    return train(WORDS, split="whitespace", num_merges=9, **settings)


def test_the_pairs_of_all_steps_reach_beyond_the_vetoed_ones() -> None:
    run = train(NamedText("a", "Sphinx of black quartz, judge my vow. " * 2), min_frequency=1)
    for _ in range(22):
        run = fork_run(run, Choice(0, run.steps[0].pair, "veto"), lambda *_: None)
    top = [pair for pair, _ in run.top_pairs.at(0)]
    assert len(top) == 24
    assert set(top) - run.vetoed(0) - {run.steps[0].pair}


def test_changes_are_counted_without_the_merged_pair_itself() -> None:
    run = train(NamedText("a", "abab cab cab"), split="none", num_merges=1)
    moment = RunAtStep(run, 0)  # a b a b _ c a b _ c a b
    a, b, c, space = "abc "
    ab = "ab"
    assert {(bar.left + "|" + bar.right, bar.before, bar.after) for bar in moment.change_bars} == {
        ("ab|ab", 0, 1),
        ("c|ab", 0, 2),
        (f"{ab}|␣", 0, 2),
        ("b|a", 1, 0),
        ("c|a", 2, 0),
        ("b|␣", 2, 0),
    }
    assert [bar.change > 0 for bar in moment.change_bars] == [True] * 3 + [False] * 3
    assert moment.what_changes == (
        "Merge 1 joins a + b. Raised: 3 pairs, all new. Lowered: 3 pairs, all to 0."
    )
    assert {a, b, c, space} <= set(run.corpus.text)
    assert RunAtStep(run, 1).change_bars == []
    assert RunAtStep(run, 1).what_changes == "After the last merge: nothing changes any more."


@pytest.mark.parametrize(("step", "count"), [(0, 3), (1, 0)])
def test_a_pair_is_counted_as_of_the_step(step: int, count: int) -> None:
    run = words()
    assert RunAtStep(run, step).count(run.steps[0].pair) == count


def test_what_changes_says_how_many_changes_the_chart_shows() -> None:
    after = "abcdefghi"
    run = train(NamedText("a", " ".join(f"xy{letter}" for letter in after)), split="whitespace", num_merges=1)
    moment = RunAtStep(run, 0)
    assert len(moment.change_bars) == 14
    assert moment.what_changes.endswith(" The chart shows the largest 7 of 9 rises and 7 of 9 falls.")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ab ab", "No other pair changes."),
        ("abc abc", "Raised: 1 pair, new. Lowered: 1 pair, to 0."),
        ("abc abc abd bc", "Raised: 2 pairs, all new. Lowered: 2 pairs, 1 of them to 0."),
    ],
)
def test_what_changes_names_no_kind_of_change_that_is_not_there(text: str, says: str) -> None:
    run = train(NamedText("a", text), split="whitespace", num_merges=1)
    assert RunAtStep(run, 0).what_changes.endswith(f". {says}")
