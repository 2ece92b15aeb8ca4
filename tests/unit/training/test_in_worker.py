"""A training in a worker: the same values as in this process, the same errors, and its progress."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bpeviz import RECIPES, Choice, Corpus, custom_split_pattern, train
from bpeviz.errors import CorpusError, SplitPatternError, TrainingProcessError, TrainingSettingsError
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.training.in_worker import train_in_worker
from bpeviz.training.result import TrainingResult
from bpeviz.training.text_training import (
    TrainingProgress,
    split_and_count,
    train_text,
)
from bpeviz.workers.pool import Pool
from tests.support.inline_workers import InlineWorkers, work_with
from tests.support.paths import ROOT
from tests.support.processes import started_by, still_run
from tests.support.trained import request
from tests.support.worker_tasks import FailingWorkers

TEXT = read_sample("Many languages") + read_sample("English prose")
GPT2 = get_split_pattern("gpt2")
#: Pairs of bytes that are merged from the twentieth merge on.
LATER = [
    step.pair for step in train(TEXT, "minbpe", num_merges=200) if step.rank >= 20 and max(step.pair) < 256
]
SHORT = request("the cat in the hat " * 3, "minbpe", GPT2, 5)
LONG = request(read_sample(STANDARD_LIBRARY.title), "huggingface", GPT2, 20_000)


@pytest.fixture
def real_workers() -> Iterator[None]:
    """Workers in other processes."""
    pool = Pool()
    with work_with(pool):
        yield
    pool.close()


def values(trained: TrainingResult):
    return {
        "steps": trained.steps,
        "stop reason": trained.stop_reason,
        "pre-tokens": trained.pre_tokens.tolist(),
        "counts": list(trained.corpus.counts.items()),
        "split": trained.corpus.split,
        "recipe": trained.recipe,
        "special tokens": trained.special_tokens,
        "base": (trained.base.first_id, list(trained.base.symbols)),
        "merges": trained.merges,
        "tokens": trained.tokens,
        "gap ranks": trained.symbol_gap_ranks.tolist(),
    }


# --- the same values -----------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_gives_the_same_in_a_worker(recipe):
    training = request(TEXT, recipe, get_split_pattern(RECIPES[recipe].split), 60)
    assert values(train_in_worker(*training, lambda now: None)) == values(train_text(*training, print))


@pytest.mark.parametrize(
    "settings",
    [
        {"split": custom_split_pattern(r"\w+|\W")},
        {"min_frequency": 40, "num_merges": 5000},
        {"min_frequency": 1, "num_merges": 100_000},
        {"choices": (Choice(3, LATER[0], "veto"), Choice(5, LATER[1]), Choice(9, LATER[2], "veto"))},
    ],
    ids=["custom pattern", "fewest occurrences", "until no pair is left", "merge and vetoes"],
)
def test_settings_and_choices_give_the_same_in_a_worker(settings):
    training = request(**{"source": TEXT, "recipe": "minbpe", "split": GPT2, "num_merges": 60, **settings})
    here = train_text(*training, lambda now: None)
    assert values(train_in_worker(*training, lambda now: None)) == values(here)
    assert here.steps


def test_a_corpus_that_is_counted_already_gives_the_same_in_a_worker():
    corpus, _ = split_and_count(TEXT, GPT2)
    training = request(corpus, "minbpe", GPT2, 60, choices=(Choice(2, LATER[0]),))
    here = train_text(*training, lambda now: None)
    assert values(train_in_worker(*training, lambda now: None)) == values(here)
    assert len(here.pre_tokens) == 0


def test_a_training_that_goes_on_gives_the_same_in_a_worker():
    source, settings = request(TEXT, "minbpe", GPT2, 60)
    whole = train_text(source, settings, lambda now: None)
    choice = replace(settings, choices=(Choice(20, LATER[1]),))
    for made, wanted in ((60, settings), (30, settings), (20, choice), (0, choice)):
        there = train_in_worker(whole.after(made), wanted, lambda now: None)
        here = replace(train_text(source, wanted, lambda now: None), pre_tokens=there.pre_tokens)
        assert values(there) == values(here)


@pytest.mark.gate
@pytest.mark.usefixtures("real_workers")
def test_a_process_gives_the_same() -> None:
    training = request(TEXT, "huggingface", GPT2, 60)
    assert values(train_in_worker(*training, lambda _: None)) == values(train_text(*training, print))


def test_a_text_is_split_and_counted_as_a_corpus_is():
    corpus, pre_tokens = split_and_count(TEXT, GPT2)
    assert list(corpus.counts.items()) == list(Corpus.from_text(TEXT, "gpt2").counts.items())
    assert "".join(corpus.pre_tokens[i] for i in pre_tokens) == TEXT
    empty, none = split_and_count("", GPT2)
    assert (dict(empty.counts), none.tolist()) == ({}, [])


# --- progress ------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.usefixtures("real_workers")
def test_progress_names_each_phase_and_counts_the_merges() -> None:
    told: list[TrainingProgress] = []
    trained = train_in_worker(*LONG, told.append)
    phases = list(dict.fromkeys(now.phase for now in told))
    assert [phase for phase in phases if phase != "starting"] == ["splitting", "counting", "merging"]
    assert all(a.made <= b.made for a, b in pairwise(told))
    assert 0 < told[-1].made <= len(trained.steps)
    assert {now.asked for now in told} == {20_000}


def test_a_training_that_waits_says_so_and_silence_repeats_the_latest_news() -> None:
    class BusyWorkers(InlineWorkers):
        def run(self, task: Any, wanted: Any, limit: Any, on_wait: Any, on_event: Any) -> Any:
            on_wait(True)
            on_wait(False)
            on_event(TrainingProgress("merging", 3, 5))
            on_wait(False)
            return super().run(task, wanted, limit)

    told: list[TrainingProgress] = []
    with work_with(BusyWorkers()):
        train_in_worker(*SHORT, told.append)
    assert [(now.phase, now.made) for now in told] == [
        ("waiting", 0),
        ("starting", 0),
        ("merging", 3),
        ("merging", 3),
    ]
    assert {now.asked for now in told} == {5}


# --- errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "error", "says"),
    [
        ({"source": "ab\ud800"}, CorpusError, r"Character 2 is U\+D800"),
        (
            {"source": "abc1", "split": custom_split_pattern("[a-z]+")},
            SplitPatternError,
            "leaves bytes 3 to 3 uncovered",
        ),
        ({"num_merges": -1}, TrainingSettingsError, "num_merges must be"),
        ({"choices": (Choice(0, (7, 8)),)}, TrainingSettingsError, r"The pair \(7, 8\) does not occur"),
        # one rank is above the number of merges, one is not reached
        (
            {"choices": (Choice(6, (7, 8)),)},
            TrainingSettingsError,
            r"rank 6 \(merge \(7, 8\)\)",
        ),
        (
            {"choices": (Choice(5, (7, 8)),)},
            TrainingSettingsError,
            r"rank 5 \(merge \(7, 8\)\)",
        ),
    ],
)
def test_an_error_is_raised_here_as_it_was_there(settings, error, says):
    training = request(**{"source": "abab", "recipe": "minbpe", "split": GPT2, "num_merges": 5, **settings})
    with pytest.raises(error, match=says):
        train_in_worker(*training, lambda now: None)


@pytest.mark.full
@pytest.mark.usefixtures("real_workers")
def test_a_pattern_that_takes_too_long_is_the_same_error() -> None:
    told: list[TrainingProgress] = []
    pattern = custom_split_pattern("(a|aa)+$")
    with pytest.raises(SplitPatternError, match="took more than 10 seconds") as caught:
        train_in_worker(*request("a" * 100 + "b", "minbpe", pattern, 5), told.append)
    assert caught.value.pattern == "(a|aa)+$"
    assert len([now for now in told if now.phase == "splitting"]) > 50


def test_a_worker_that_ends_early_is_an_error() -> None:
    says = "The training crashed. Train again, or take a smaller text"
    with work_with(FailingWorkers("crashed")), pytest.raises(TrainingProcessError, match=says):
        train_in_worker(*SHORT, lambda _: None)


# --- its end -------------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for a process in /proc")
@pytest.mark.full
def test_a_worker_and_its_split_pattern_end_with_the_server() -> None:
    code = """
from bpeviz.text.split_patterns import custom_split_pattern
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.text_training import UncountedText
from bpeviz.training.in_worker import train_in_worker

slow = UncountedText("a" * 100 + "b", custom_split_pattern("(a|aa)+$"))
train_in_worker(slow, TrainingSettings("minbpe"), lambda now: print(now.phase, flush=True))
"""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        while server.stdout.readline() != "splitting\n":
            assert server.poll() is None
        while len(working := started_by(server.pid)) < 2:  # the training, and its search
            assert server.poll() is None
        server.kill()
    assert still_run(working) == []
