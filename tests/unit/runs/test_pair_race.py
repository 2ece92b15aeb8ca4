"""The pair race: who runs, where they end, and the sentence that says who overtook whom and why."""

import re

import numpy as np
import pytest

from bpeviz.runs.pair_race import PairRace
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.runs.run_training import fork_run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from tests.support.trained import run_of

CAT = NamedText("cat", "the cat in the hat and the cat on the mat. " * 3)
#: ab is merged first; then b + c has lost 2 of its 3 places, and d + e, seen twice, passes it.
ABC = NamedText("abc", "abc abc ab bc de de")


def train(text: NamedText = CAT, **settings: object) -> Run:
    return run_of(text, TrainingSettings(**settings), lambda *_: None)  # type: ignore[arg-type]


def race(run: Run, step: int, length: int = 50, picked: tuple[int, int] | None = None) -> PairRace:
    return RunAtStep(run, step).race(length, picked, more=True)


def pairs(raced: PairRace) -> list[str]:
    return [f"{racer.left} + {racer.right}" for racer in raced.racers]


def test_a_pair_that_loses_places_is_overtaken_and_the_sentence_says_by_which_merge() -> None:
    run = train(ABC, split="whitespace", min_frequency=1)
    raced = race(run, 1)
    assert pairs(raced)[:4] == ["a + b", "d + e", "ab + c", "b + c"]
    ab, de, ab_c, bc = raced.racers[:4]
    assert (ab.merged, de.place, ab_c.place, bc.place) == (1, 1, 2, 3)
    assert (ab.counts.tolist(), bc.counts.tolist()) == ([3, 0], [3, 1])
    passed = "Merge 1 (a + b) lowered b + c from 3 to 1, so {} passed it."
    assert raced.sentence == (
        "d + e and 1 other pair lead, seen 2 times each; the tie rule takes d + e. " + passed.format("d + e")
    )
    assert race(run, 2).sentence == "ab + c leads, seen 2 times. " + passed.format("ab + c")


def test_three_leaders_run_with_the_overtaken_and_the_picked_pair() -> None:
    raced = RunAtStep(train(ABC, split="whitespace", min_frequency=1), 1).race(50, None)
    assert pairs(raced) == ["d + e", "ab + c", "b + c"]
    run = train(min_frequency=1)
    last = run.history.pair_counts(5).iloc[-1]
    raced = RunAtStep(run, 5).race(50, (last["left"], last["right"]))
    assert {racer.place for racer in raced.racers} >= {1, 2, 3}
    assert [racer.merged for racer in raced.racers] == [None] * len(raced.racers)
    assert sum(racer.picked for racer in raced.racers) == 1
    assert 4 <= len(raced.racers) <= 5  # with the overtaken one


def test_after_the_last_merge_three_merged_pairs_run() -> None:
    run = train(NamedText("words", "ab cd ab cd ab cd ef ef"), split="whitespace", num_merges=9)
    raced = RunAtStep(run, len(run.steps)).race(50, None)
    assert [racer.merged for racer in raced.racers] == [1, 2, 3]


def test_the_racers_run_over_the_merges_on_show_with_the_counts_of_the_history() -> None:
    run = train(min_frequency=1)
    step, length = 12, 5
    raced = race(run, step, length)
    assert raced.first == 7
    moments = [run.history.pair_counts(k) for k in range(raced.first, step + 1)]
    assert [merge.count for merge in raced.merges] == [int(m["count"].max()) for m in moments[:-1]]
    assert [merge.pair for merge in raced.merges] == [run.pair_label(s.pair) for s in run.steps[7:12]]
    label_of = {run.pair_label(s.pair): s.rank + 1 for s in run.steps[7:12]}
    for racer in raced.racers:
        label = f"{racer.left} + {racer.right}"
        assert racer.merged == label_of.get(label)
        expected = [
            sum(m["count"][i] for i in m.index if run.pair_label((m["left"][i], m["right"][i])) == label)
            for m in moments
        ]
        assert racer.counts.tolist() == expected
    places = [racer.place for racer in raced.racers if racer.place]
    assert places == list(range(1, len(places) + 1))
    now = [
        run.pair_label((left, right))
        for left, right in zip(moments[-1]["left"], moments[-1]["right"], strict=True)
    ]
    assert [f"{r.left} + {r.right}" for r in raced.racers if r.place] == now[: len(places)]


def test_of_many_merges_the_last_of_each_quarter_runs() -> None:
    raced = race(train(min_frequency=1), 16, 16)
    assert [racer.merged for racer in raced.racers if racer.merged] == [4, 8, 12, 16]


def test_a_picked_pair_runs_along_though_it_does_not_lead() -> None:
    run = train(min_frequency=1)
    last = run.history.pair_counts(3).iloc[-1]
    raced = race(run, 3, 5, (last["left"], last["right"]))
    assert sum(racer.picked for racer in raced.racers) == 1
    assert len(raced.racers) == 8


def test_a_picked_pair_that_was_merged_on_the_way_ends_at_its_merge() -> None:
    run = train(min_frequency=1)
    (picked,) = (racer for racer in race(run, 16, 16, run.steps[6].pair).racers if racer.picked)
    assert picked.merged == 7


def test_a_pair_that_never_occurs_does_not_run() -> None:
    run = train(min_frequency=1)
    assert not any(racer.picked for racer in race(run, 3, 5, (run.steps[-1].token_id, 97)).racers)


def test_after_the_last_merge_no_pair_may_be_left() -> None:
    run = train(NamedText("words", "ab cd ab cd ab cd ef ef"), split="whitespace", num_merges=9)
    raced = race(run, len(run.steps))
    assert [racer.merged for racer in raced.racers] == [1, 2, 3]
    assert raced.sentence == "No pair is left to merge. Go back to see earlier races."


def test_after_the_last_merge_the_sentence_names_who_would_be_next() -> None:
    run = train(num_merges=3)
    following = train(num_merges=4).steps[3]
    assert race(run, 3).sentence == (
        f"The training ends here. {run.pair_label(following.pair)} would be next, "
        f"seen {following.count} times."
    )


def test_a_merge_that_the_person_chose_does_not_win_the_race() -> None:
    run = train()
    rare = run.history.pair_counts(4).iloc[5]
    forked = fork_run(run, Choice(4, (rare["left"], rare["right"])), lambda *_: None)
    label = run.pair_label((rare["left"], rare["right"]))
    raced = race(forked, 4)
    assert pairs(raced)[-4:][0] == label or label in pairs(raced)
    assert raced.sentence == f"You chose {label} as the next merge, so the counts don't decide this merge."


def test_a_vetoed_pair_does_not_run() -> None:
    run = train()
    first = run.steps[0].pair
    forked = fork_run(run, Choice(0, first, "veto"), lambda *_: None)
    assert run.pair_label(first) not in pairs(race(forked, 5))


@pytest.mark.parametrize("length", [20, 1000])
def test_what_the_sentence_says_is_so_at_every_step(length: int) -> None:
    run = train(min_frequency=1)
    for step in range(1, len(run.steps)):
        raced = race(run, step, length)
        assert raced.leader == run.steps[step].pair
        if raced.overtaken is None or "Merge " not in raced.sentence:
            continue
        leader, other = (run.history.pair_life(pair).counts for pair in (raced.leader, raced.overtaken))
        at = int(raced.sentence.split("Merge ")[1].split(" ")[0])
        assert other[at - 1] > leader[at - 1]
        passes = re.search("passed it|, above|more frequent than", raced.sentence)
        assert bool(passes) == bool(leader[at] > other[at])
        assert np.all(other[at : step + 1] <= leader[at : step + 1])
        assert max(len(sentence.split()) for sentence in raced.sentence.split(". ")) <= 22
