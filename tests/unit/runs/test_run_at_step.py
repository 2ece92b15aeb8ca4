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


def fork(run: Run, rank: int, pair: bytes, action: str = "merge") -> Run:
    left, right = (run.tokenizer.encode(chr(byte))[0] for byte in pair)
    return fork_run(run, Choice(rank, (left, right), action), lambda *_: None)  # type: ignore[arg-type]


def test_bars_are_the_most_frequent_pairs_with_the_next_merge_first_and_its_ties_named() -> None:
    bars = RunAtStep(words(), 0).bars()
    assert [(b.left, b.right, b.count, b.role) for b in bars] == [
        ("a", "b", 3, "next"),
        ("c", "d", 3, "tied"),
        ("e", "f", 2, "other"),
    ]
    run = words()
    assert [b.role for b in RunAtStep(run, len(run.steps)).bars()] == []
    assert [b.picked for b in RunAtStep(run, 0).bars(run.steps[1].pair)] == [False, True, False]


def test_a_chosen_merge_is_solid_and_nothing_ties_with_it() -> None:
    moment = RunAtStep(fork(words(), 0, b"cd"), 0)
    assert [(b.left, b.role) for b in moment.bars()] == [("a", "other"), ("c", "next"), ("e", "other")]
    assert moment.why == "Chosen by you. Of the others a + b is the most frequent, seen 3 times."


def test_a_chosen_pair_that_is_rare_is_still_among_the_bars() -> None:
    run = train(NamedText("a", "Sphinx of black quartz, judge my vow. " * 2), min_frequency=1)
    rare = run.history.pair_counts(0).iloc[-1]
    forked = fork_run(run, Choice(0, (rare["left"], rare["right"])), lambda *_: None)
    bars = RunAtStep(forked, 0).bars()
    assert len(bars) == 20
    assert (bars[-1].pair, bars[-1].role) == ((rare["left"], rare["right"]), "next")


def test_a_vetoed_pair_says_so_from_there_on() -> None:
    forked = fork(words(), 1, b"cd", "veto")
    assert [b.role for b in RunAtStep(forked, 0).bars()] == ["next", "tied", "other"]
    assert [(b.left, b.role) for b in RunAtStep(forked, 1).bars()] == [("c", "vetoed"), ("e", "next")]
    assert RunAtStep(forked, 1).why == "Chosen because it is the only pair left to merge."


def test_the_reason_names_the_tie_rule_or_the_margin_to_the_runner_up() -> None:
    tied, ahead = RunAtStep(words(), 0), RunAtStep(words(), 1)
    assert tied.why == (
        "Chosen because its ids are smallest: 2 pairs share the highest count, 3. First of the others: c + d."
    )
    assert ahead.why == "Chosen because it is the most frequent: 3, 1 more than the runner-up e + f."
    assert "it was seen first in the text" in RunAtStep(words(recipe="minbpe"), 0).why
    assert RunAtStep(words(), 3).why == "After the last merge."
    assert RunAtStep(fork(words(), 0, b"ef"), 0).why == (
        "Chosen by you. The most frequent pair was a + b, seen 3 times: 1 more."
    )


def test_every_reason_of_a_run_is_true_to_its_steps() -> None:
    run = train(CAT, min_frequency=1)
    for step in run.steps:
        why = RunAtStep(run, step.rank).why
        counts = run.history.pair_counts(step.rank)["count"].tolist()
        if step.tied > 1:
            assert counts[: step.tied] == [step.count] * step.tied
            assert f": {step.tied:,} pairs share the highest count, {step.count}." in why
        elif len(counts) > 1:
            assert f": {step.count}, {step.count - counts[1]} more than the runner-up " in why


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
