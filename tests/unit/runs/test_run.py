"""Runs: their numbers are those of the trainer; short trainings run one at a time; forks; names."""

import gc
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from bpeviz.core.gap_ranks import token_total
from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import BpevizError, CorpusError, SplitPatternError, TrainingSettingsError
from bpeviz.limits import limits
from bpeviz.runs.recipe_comparison import compare_recipes
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_names import free_name, usual_name
from bpeviz.runs.run_training import OWN_PROCESS_BYTES, RunRequest, choose_train_function, fork_run, train_run
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.training import in_worker
from bpeviz.training.choice import Choice
from bpeviz.training.in_worker import MOST_HERE
from bpeviz.training.recipes import RECIPES
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import CUSTOM_SPLIT, TrainingSettings
from bpeviz.training.text_training import OnTraining, Source, train_text
from bpeviz.training.trainer import Trainer
from tests.support.processes import CancelledError
from tests.support.trained import request, run_of

CAT = NamedText("cat", "the cat in the hat and the cat on the mat. " * 3)
SMALL = TrainingSettings(num_merges=5)


def train(text: str | NamedText, **settings: object) -> Run:
    named = text if isinstance(text, NamedText) else NamedText("text", text)
    return run_of(named, TrainingSettings(**settings), lambda *_: None)  # type: ignore[arg-type]


def test_a_run_makes_the_merges_of_its_recipe() -> None:
    run = train(CAT, recipe="minbpe", num_merges=9, min_frequency=1)
    trainer = Trainer(Corpus.from_text(CAT.text, "cl100k"), "minbpe", num_merges=9)
    assert list(run.steps) == list(trainer.steps())
    assert run.stop_reason == "Reached the requested 9 merges."


def test_the_gap_ranks_of_the_text_give_the_trainers_token_totals() -> None:
    run = train(CAT, num_merges=50)
    for step in run.steps:
        assert token_total(run.gap_ranks, step.rank + 1) == step.token_total


def test_vocabulary_sizes_count_special_tokens_and_each_token_once() -> None:
    run = train(CAT, recipe="course", num_merges=5)
    base = len(set(CAT.text.encode()))
    assert run.tokenizer.vocab_sizes.tolist() == [base + 1 + k for k in range(6)]


def test_progress_goes_up_and_names_its_phases() -> None:
    told: list[tuple[float, str]] = []
    run_of(CAT, TrainingSettings(), lambda share, phase: told.append((share, phase)))
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert [phase for _, phase in told][::2] == ["Splitting the text into pre-tokens", "Laying out the text"]


def test_progress_that_raises_cancels() -> None:
    def cancel(_share: float, _phase: str) -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        run_of(CAT, TrainingSettings(), cancel)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "There is no text yet"),
        ("x" * (limits().max_text_bytes + 1), "takes up to 8 MB"),
        ("\ud800", "half of a surrogate pair"),
    ],
)
def test_a_text_that_cannot_be_trained_on_says_why(text: str, says: str) -> None:
    with pytest.raises(CorpusError, match=says):
        train(text)


def test_a_bad_custom_pattern_says_why() -> None:
    with pytest.raises(SplitPatternError, match="does not compile"):
        train(CAT, split=CUSTOM_SPLIT, custom_pattern="(")
    with pytest.raises(BpevizError, match="uncovered"):
        train(CAT, split=CUSTOM_SPLIT, custom_pattern="[a-z]+")


def test_the_table_has_a_row_for_each_merge() -> None:
    run = train(CAT, num_merges=5)
    table = run.merges_table
    assert table["merge"].tolist() == [1, 2, 3, 4, 5]
    assert table["token id"].tolist() == [s.token_id for s in run.steps]
    assert table["count"].tolist() == [s.count for s in run.steps]
    assert (table["left"] + table["right"]).tolist() == table["token"].tolist()


@pytest.mark.full
def test_short_trainings_go_on_one_at_a_time_whatever_asks_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    now, most, lock = 0, 0, threading.Lock()
    done: list[object] = []
    waited: list[str] = []

    def counted(source: Source, settings: TrainingSettings, on_progress: OnTraining) -> TrainingResult:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.03)
        try:
            return train_text(source, settings, on_progress)
        finally:
            with lock:
                now -= 1

    def tell(_share: float, words: str) -> None:
        if "aiting" in words:
            waited.append(words)

    parent = train(CAT)
    monkeypatch.setattr("bpeviz.training.in_worker.train_text", counted)
    both = TrainingSettings("course", num_merges=5), TrainingSettings("minbpe", num_merges=5)
    ways: list[Callable[[], object]] = [
        lambda: run_of(CAT, SMALL, tell),
        lambda: train_run(RunRequest("again", CAT, SMALL), tell),
        lambda: fork_run(parent, Choice(0, parent.steps[1].pair), tell),
        lambda: compare_recipes(CAT, both, tell),
    ]
    threads = [threading.Thread(target=lambda way: done.append(way()), args=(way,)) for way in ways * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == len(threads)
    assert most == MOST_HERE
    assert any("Waiting for other trainings" in words for words in waited)
    assert any("waiting for other trainings" in words for words in waited)


def test_a_short_training_that_waits_can_be_cancelled() -> None:
    def cancel(_share: float, words: str) -> None:
        assert words.startswith("Waiting")
        raise CancelledError

    with ExitStack() as others:
        for _ in range(MOST_HERE):
            others.enter_context(in_worker._turns_here.turn(print))
        with pytest.raises(CancelledError):
            run_of(CAT, SMALL, cancel)
    assert run_of(CAT, SMALL, lambda share, words: None).steps


@pytest.mark.parametrize(("split", "here"), [("gpt2", True), ("none", False)])
def test_a_text_that_is_not_split_goes_to_a_process_sooner(
    monkeypatch: pytest.MonkeyPatch, split: str, here: bool
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr("bpeviz.runs.run_training.train_here", lambda *_: asked.append(True))
    monkeypatch.setattr("bpeviz.runs.run_training.train_in_worker", lambda *_: asked.append(False))
    text = NamedText("text", "a" * (OWN_PROCESS_BYTES // 2))
    choose_train_function(text)(*request(text.text, "minbpe", get_split_pattern(split), 5), print)
    assert asked == [here]


def second_pair(run: Run, step: int) -> tuple[int, int]:
    row = run.history.pair_counts(step).iloc[1]
    return int(row["left"]), int(row["right"])


@pytest.mark.parametrize(("limit", "base"), [("num_merges", 0), ("vocab_size", 256)])
def test_a_fork_trained_again_keeps_the_choices_that_come_before_its_end(limit: str, base: int) -> None:
    parent = train(CAT, num_merges=9, min_frequency=1)
    fork = fork_run(parent, Choice(4, second_pair(parent, 4)), lambda *_: None)
    settings = replace(fork.settings, num_merges=20)
    again, shorter = (
        run_of(CAT, replace(settings, **{limit: base + most}), lambda *_: None, like=fork) for most in (5, 4)
    )
    assert (again.name, again.choices, again.steps) == (fork.name, fork.choices, fork.steps[:5])
    assert (shorter.choices, shorter.steps) == ((), parent.steps[:4])
    assert shorter.name != fork.name


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("merges", [1, 7, 20])
def test_a_run_stops_at_its_vocabulary_size(recipe: str, merges: int) -> None:
    text = NamedText("ab", "abab abab aabb ababab abba aab bbaab " * 3)  # two merges make the same bytes
    rules = TrainingSettings(recipe, min_frequency=1, num_merges=100)
    size = run_of(text, replace(rules, num_merges=merges)).result.vocab_size
    run = run_of(text, replace(rules, vocab_size=size))
    trainer = Trainer(run.result.corpus, recipe, vocab_size=size, min_frequency=1)
    assert list(run.steps) == list(trainer.steps())
    assert (run.result.vocab_size, trainer.current_vocab_size) == (size, size)
    assert run.stop_reason == f"The vocabulary reached the requested {size:,} tokens."
    assert run.cut_short == ""


def test_a_vocabulary_size_does_not_lift_the_limit_of_merges() -> None:
    run = train(CAT, num_merges=3, vocab_size=1_000)
    assert len(run.steps) == 3
    assert run.cut_short == "259 of 1,000 tokens: Reached the requested 3 merges."


def test_a_vocabulary_without_room_for_a_merge_says_so() -> None:
    with pytest.raises(CorpusError, match="begins with 256 tokens"):
        train(CAT, vocab_size=256)
    with pytest.raises(BpevizError, match="ask for at least 256"):
        train(CAT, vocab_size=255)


def test_special_tokens_and_the_longest_token_are_those_of_the_settings() -> None:
    run = train(CAT, recipe="minbpe", max_token_length=3, special_tokens=("<s>",), min_frequency=1)
    trainer = Trainer(run.result.corpus, "minbpe", max_token_length=3, special_tokens=["<s>"])
    assert list(run.steps) == list(trainer.steps())
    assert max(len(step.token) for step in run.steps) == 3
    assert run.tokenizer.special_tokens == {"<s>": 256 + len(run.steps)}


def test_a_choice_that_is_not_reached_says_why() -> None:
    parent = train(CAT, num_merges=9, min_frequency=1)
    fork = fork_run(parent, Choice(4, second_pair(parent, 4)), lambda *_: None)
    with pytest.raises(TrainingSettingsError, match="training stops after 0 merges"):
        run_of(CAT, replace(fork.settings, min_frequency=1_000), lambda *_: None, like=fork)


def test_a_run_says_why_it_has_fewer_merges_than_asked_for() -> None:
    all_made = run_of(CAT, TrainingSettings(num_merges=5))
    assert all_made.cut_short == ""
    few = run_of(CAT, TrainingSettings(num_merges=500))
    assert few.cut_short == "17 of 500 merges: No pair is left: every pre-token is a single token."
    assert few.cut_short_briefly == "This text allows 17 merges."


@pytest.mark.parametrize(
    ("text", "settings", "says"),
    [
        ("ab ab ab abc abd abe", {}, "This text allows 2 merges."),
        ("ab ab ab abc abd abe", {"min_frequency": 3}, "This text allows 2 merges."),
        ("abab", {}, "This text allows 1 merge."),
        ("abab", {"min_frequency": 1, "max_token_length": 2}, "This text allows 1 merge."),
        ("ab ab ab abc abd abe", {"vocab_size": 1_000}, "This text allows 2 merges."),
    ],
)
def test_a_line_with_little_room_says_that_no_merge_is_left(
    text: str, settings: dict[str, Any], says: str
) -> None:
    run = run_of(NamedText("abc", text), TrainingSettings(**{"num_merges": 500} | settings))
    assert run.made_all_possible
    assert run.cut_short
    assert run.cut_short_briefly == says


@pytest.mark.parametrize(
    ("text", "settings", "says"),
    [
        ("abc", {}, "No pair occurs 2 times, so nothing is merged."),
        ("a", {}, "No pair occurs 2 times, so nothing is merged."),
        ("abab", {"min_frequency": 1_000}, "No pair occurs 1,000 times, so nothing is merged."),
        ("a", {"min_frequency": 1}, "No pair occurs, so nothing is merged."),
    ],
)
def test_a_text_without_a_merge_is_a_run_that_says_why(
    text: str, settings: dict[str, Any], says: str
) -> None:
    run = run_of(NamedText("text", text), TrainingSettings(**settings))
    assert run.nothing_merged == says
    assert run.end == run.cut_short_briefly == says
    assert "lower the minimum frequency" in run.cut_short


def test_a_fork_that_vetoes_every_pair_says_why_it_has_no_merge() -> None:
    run = train("aabaab")
    for pair in ((64, 64), (64, 65)):
        run = fork_run(run, Choice(0, pair, "veto"), lambda *_: None)
    assert run.end == "No other pair occurs 2 times, so nothing is merged."


def test_a_text_without_a_merge_shows_its_tokens() -> None:
    run = train("abc")
    assert [run.tokenizer.token_bytes(token) for token in run.tokenizer.encode("abc")] == [b"a", b"b", b"c"]
    assert token_total(run.gap_ranks, 0) == 3


def test_another_setting_that_is_in_the_way_is_no_usual_end() -> None:
    run = train(CAT, num_merges=3, vocab_size=1_000)
    assert not run.made_all_possible
    assert run.cut_short_briefly == "259 of 1,000 tokens: reached the requested 3 merges"


@pytest.mark.parametrize(
    ("name", "taken", "free"),
    [("mine", [], "mine"), ("mine", ["mine"], "mine · 2"), ("mine", ["mine", "mine · 2"], "mine · 3")],
)
def test_a_taken_name_gets_a_number(name: str, taken: list[str], free: str) -> None:
    assert free_name(name, taken) == free


def test_a_run_is_named_after_its_text_and_a_fork_after_its_choice() -> None:
    run = train(CAT, num_merges=9)
    assert (run.name, usual_name(run)) == (CAT.name, CAT.name)
    second = run.history.pair_counts(1).iloc[1]
    pair = int(second["left"]), int(second["right"])
    merged = fork_run(run, Choice(1, pair), lambda *_: None)
    assert merged.name == f"{run.pair_label(pair)} at 2"
    vetoed = fork_run(run, Choice(2, pair, "veto"), lambda *_: None)
    assert vetoed.name == f"without {run.pair_label(pair)} from 3"


def test_a_long_name_of_a_text_loses_its_middle() -> None:
    assert usual_name(run_of(NamedText("a" * 50 + "b" * 50, CAT.text), TrainingSettings())) == (
        f"{'a' * 29}…{'b' * 29}"
    )


def test_a_run_that_nobody_holds_is_freed_without_garbage_collection() -> None:
    """A run has megabytes of arrays but few objects: Python would collect hundreds of them too late."""
    gc.disable()
    try:
        run = train(CAT, num_merges=5)
        _ = run.top_pairs, run.merges_table, run.result.walls, run.history.pair_life(run.steps[0].pair)
        parts = run, run.result, run.history, run.result.corpus, run.tokenizer
        held = [weakref.ref(part) for part in parts]
        del run, parts
        assert [part() for part in held] == [None] * len(held)
    finally:
        gc.enable()
