"""What the page says about a step, compared with the trainer and with plain counting."""

import pytest

from bpeviz.charts.token_color import token_hue
from bpeviz.runs.run import NamedText, Run, fork_run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from tests.support.trained import run_of

WORDS = NamedText("words", "ab cd ab cd ab cd ef ef")
CAT = NamedText("cat", "the cat in the hat and the cat on the mat. " * 3)


def train(text: NamedText, **settings: object) -> Run:
    return run_of(text, TrainingSettings(**settings), lambda *_: None)  # type: ignore[arg-type]


def words(**settings: object) -> Run:
    return train(WORDS, split="whitespace", num_merges=9, **settings)


def test_leading_are_the_most_frequent_pairs() -> None:
    run = words()
    assert [run.pair_label(pair) for pair in RunAtStep(run, 0).leading] == ["a + b", "c + d", "e + f"]
    assert RunAtStep(run, len(run.steps)).leading == []


def test_a_chosen_pair_that_is_rare_still_leads() -> None:
    run = train(NamedText("a", "Sphinx of black quartz, judge my vow. " * 2), min_frequency=1)
    rare = run.history.pair_counts(0).iloc[-1]
    forked = fork_run(run, Choice(0, (rare["left"], rare["right"])), lambda *_: None)
    leading = RunAtStep(forked, 0).leading
    assert len(leading) == 20
    assert leading[-1] == (rare["left"], rare["right"])


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
        "Merge 1 uses up a + b. Raised: 3 pairs, 3 of them new. Lowered: 3 pairs, 3 of them to nothing."
    )
    assert {a, b, c, space} <= set(run.corpus.text)
    assert RunAtStep(run, 1).change_bars == []
    assert RunAtStep(run, 1).what_changes == "After the last merge: nothing changes any more."


def test_the_race_is_of_the_leading_pairs_with_their_counts_at_every_step_on_show() -> None:
    run = train(CAT, min_frequency=1)
    step, length = 12, 5
    lines, winning, first = RunAtStep(run, step).race(length, None)
    assert first == 7
    moments = [run.history.pair_counts(k) for k in range(first, step + 1)]
    top = moments[-1].head(8)
    for line, (left, right, count) in zip(lines, top.itertuples(index=False), strict=True):
        assert (line.left, line.right) == (run.label(left), run.label(right))
        assert line.counts.tolist() == [
            int(m.loc[(m["left"] == left) & (m["right"] == right), "count"].sum()) for m in moments
        ]
        assert line.counts[-1] == count
        token = run.tokenizer.token_bytes(left) + run.tokenizer.token_bytes(right)
        assert line.hue == token_hue(token)
    assert winning.tolist() == [m["count"].max() for m in moments]


def test_a_picked_pair_runs_along_though_it_does_not_lead() -> None:
    run = train(CAT, min_frequency=1)
    last = run.history.pair_counts(3).iloc[-1]
    lines, _, _ = RunAtStep(run, 3).race(5, (last["left"], last["right"]))
    assert [line.picked for line in lines] == [False] * 8 + [True]
    assert lines[-1].counts[-1] == last["count"]


def test_after_the_last_merge_nobody_may_be_left_in_the_race() -> None:
    run = words()
    lines, winning, first = RunAtStep(run, len(run.steps)).race(50, None)
    assert (lines, first) == ([], 0)
    assert winning.tolist() == [s.count for s in run.steps]


@pytest.mark.parametrize(("step", "count"), [(0, 3), (1, 0)])
def test_a_pair_is_counted_as_of_the_step(step: int, count: int) -> None:
    run = words()
    assert RunAtStep(run, step).count(run.steps[0].pair) == count
