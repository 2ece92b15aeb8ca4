"""A training in another process: the same values as in this one, and no process stays behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from bpeviz import RECIPES, Choice, Corpus, custom_split_pattern, train
from bpeviz.errors import (
    ChoiceError,
    LoneSurrogateError,
    PairNotFoundError,
    SplitPatternError,
    TrainingProcessError,
    TrainingSettingsError,
)
from bpeviz.jobs import training_process
from bpeviz.jobs.training_process import MOST_AT_ONCE, train_in_process
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.training.result import TrainingResult
from bpeviz.training.text_training import (
    TrainingProgress,
    split_and_count,
    train_text,
)
from tests.support.paths import ROOT
from tests.support.processes import CancelledError, all_end, in_session
from tests.support.trained import request

TEXT = read_sample("Many languages") + read_sample("English prose")
GPT2 = get_split_pattern("gpt2")
#: Pairs of bytes that are merged from the twentieth merge on.
LATER = [
    step.pair for step in train(TEXT, "minbpe", num_merges=200) if step.rank >= 20 and max(step.pair) < 256
]
SHORT = request("the cat in the hat " * 3, "minbpe", GPT2, 5)


@pytest.fixture
def processes(monkeypatch):
    """The processes started from here on."""
    started = []

    class Recorded(subprocess.Popen):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            started.append(self)

    monkeypatch.setattr("subprocess.Popen", Recorded)
    return started


def long_training():
    return request(read_sample(STANDARD_LIBRARY.title), "huggingface", GPT2, 20_000)


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


def nothing_is_left_of(processes) -> bool:
    """Whether every process and its thread have ended, and its slot is free."""
    ends = time.monotonic() + 10
    while any("_converse" in t.name for t in threading.enumerate()) and time.monotonic() < ends:
        time.sleep(0.01)
    taken = [training_process._slots.acquire(blocking=False) for _ in range(MOST_AT_ONCE)]
    for _ in filter(None, taken):
        training_process._slots.release()
    return (
        all(p.returncode is not None for p in processes)
        and not any("_converse" in t.name for t in threading.enumerate())
        and all(taken)
    )


# --- the same values -----------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.gate
def test_every_recipe_gives_the_same_in_another_process(recipe):
    training = request(TEXT, recipe, get_split_pattern(RECIPES[recipe].split), 60)
    assert values(train_in_process(*training, lambda now: None)) == values(train_text(*training, print))


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
@pytest.mark.gate
def test_settings_and_choices_give_the_same_in_another_process(settings):
    training = request(**{"source": TEXT, "recipe": "minbpe", "split": GPT2, "num_merges": 60, **settings})
    here = train_text(*training, lambda now: None)
    assert values(train_in_process(*training, lambda now: None)) == values(here)
    assert here.steps


@pytest.mark.gate
def test_a_corpus_that_is_counted_already_gives_the_same_in_another_process():
    corpus, _ = split_and_count(TEXT, GPT2)
    training = request(corpus, "minbpe", GPT2, 60, choices=(Choice(2, LATER[0]),))
    here = train_text(*training, lambda now: None)
    assert values(train_in_process(*training, lambda now: None)) == values(here)
    assert len(here.pre_tokens) == 0


@pytest.mark.gate
def test_a_training_that_goes_on_gives_the_same_in_another_process():
    source, settings = request(TEXT, "minbpe", GPT2, 60)
    whole = train_text(source, settings, lambda now: None)
    choice = replace(settings, choices=(Choice(20, LATER[1]),))
    for made, wanted in ((60, settings), (30, settings), (20, choice), (0, choice)):
        there = train_in_process(whole.after(made), wanted, lambda now: None)
        here = replace(train_text(source, wanted, lambda now: None), pre_tokens=there.pre_tokens)
        assert values(there) == values(here)


def test_a_text_is_split_and_counted_as_a_corpus_is():
    corpus, pre_tokens = split_and_count(TEXT, GPT2)
    assert list(corpus.counts.items()) == list(Corpus.from_text(TEXT, "gpt2").counts.items())
    assert "".join(corpus.pre_tokens[i] for i in pre_tokens) == TEXT
    empty, none = split_and_count("", GPT2)
    assert (dict(empty.counts), none.tolist()) == ({}, [])


@pytest.mark.full
def test_progress_names_each_phase_and_counts_the_merges():
    told: list[TrainingProgress] = []
    trained = train_in_process(*long_training(), told.append)
    assert list(dict.fromkeys(now.phase for now in told)) == ["starting", "splitting", "counting", "merging"]
    assert all(a.made <= b.made for a, b in pairwise(told))
    assert 0 < told[-1].made <= len(trained.steps)
    assert {now.asked for now in told} == {20_000}


# --- errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "error", "data"),
    [
        ({"source": "ab\ud800"}, LoneSurrogateError, {"position": 2, "code_point": 0xD800}),
        (
            {"source": "abc1", "split": custom_split_pattern("[a-z]+")},
            SplitPatternError,
            {"pattern": "[a-z]+", "byte_offset": 3},
        ),
        ({"num_merges": -1}, TrainingSettingsError, {"setting": "num_merges"}),
        ({"choices": (Choice(0, (7, 8)),)}, PairNotFoundError, {"pair": (7, 8)}),
        # one rank is above the number of merges, one is not reached
        ({"choices": (Choice(6, (7, 8)),)}, ChoiceError, {"rank": 6, "pair": (7, 8), "action": "merge"}),
        ({"choices": (Choice(5, (7, 8)),)}, ChoiceError, {"rank": 5, "pair": (7, 8), "action": "merge"}),
    ],
)
@pytest.mark.gate
def test_an_error_is_raised_here_with_its_data(settings, error, data):
    training = request(**{"source": "abab", "recipe": "minbpe", "split": GPT2, "num_merges": 5, **settings})
    with pytest.raises(error) as caught:
        train_in_process(*training, lambda now: None)
    assert {name: getattr(caught.value, name) for name in data} == data


@pytest.mark.full
def test_a_pattern_that_takes_too_long_is_the_same_error(processes):
    told: list[TrainingProgress] = []
    pattern = custom_split_pattern("(a|aa)+$")
    with pytest.raises(SplitPatternError, match="took more than 10 seconds") as caught:
        train_in_process(*request("a" * 100 + "b", "minbpe", pattern, 5), told.append)
    assert caught.value.pattern == "(a|aa)+$"
    assert len([now for now in told if now.phase == "splitting"]) > 50
    assert nothing_is_left_of(processes)


# --- its end -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["starting", "splitting", "merging"])
@pytest.mark.full
def test_a_process_that_is_killed_is_reported(processes, phase):
    def kill(now):
        if now.phase == phase:
            os.kill(processes[0].pid, signal.SIGKILL)

    with pytest.raises(TrainingProcessError, match="SIGKILL, probably because memory ran out") as caught:
        train_in_process(*long_training(), kill)
    assert caught.value.exit_code == -signal.SIGKILL
    assert nothing_is_left_of(processes)
    assert train_in_process(*SHORT, lambda now: None).steps


@pytest.mark.parametrize("phase", ["starting", "splitting", "merging"])
@pytest.mark.full
def test_an_error_raised_by_progress_ends_the_process(processes, phase):
    def cancel(now):
        if now.phase == phase:
            raise CancelledError

    with pytest.raises(CancelledError):
        train_in_process(*long_training(), cancel)
    assert nothing_is_left_of(processes)


@pytest.mark.parametrize(
    ("command", "exit_code", "says"),
    [
        ((sys.executable, "-c", "raise SystemExit(3)"), 3, "with exit code 3"),
        ((sys.executable, "-c", "import os; os.write(1, b'no message')"), 0, "with exit code 0"),
        ((sys.executable, "-c", r"import os; os.write(1, bytes(7) + b'\1\7')"), 0, "with exit code 0"),
        ((sys.executable, "-c", r"import os; os.write(1, bytes(7) + b'\1\x80')"), 0, "with exit code 0"),
        ((str(ROOT / "missing program"),), None, "couldn't start"),
    ],
)
@pytest.mark.full
def test_a_process_that_does_not_work_is_reported(monkeypatch, processes, command, exit_code, says):
    monkeypatch.setattr(training_process, "_COMMAND", command)
    with pytest.raises(TrainingProcessError, match=says) as caught:
        train_in_process(*SHORT, lambda now: None)
    assert caught.value.exit_code == exit_code
    assert nothing_is_left_of(processes)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for a process in /proc")
@pytest.mark.full
def test_the_process_ends_with_the_server_that_started_it():
    code = """
import subprocess
from bpeviz.text.split_patterns import custom_split_pattern
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.text_training import UncountedText
from bpeviz.jobs import training_process
from bpeviz.jobs.training_process import train_in_process

class Said(subprocess.Popen):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        print(self.pid, flush=True)

subprocess.Popen = Said
slow = UncountedText("a" * 100 + "b", custom_split_pattern("(a|aa)+$"))
train_in_process(slow, TrainingSettings("minbpe"), lambda now: print(now.phase, flush=True))
"""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        while server.stdout.readline() != "splitting\n":
            assert server.poll() is None
        assert pid in in_session(pid)
        server.kill()
    assert all_end(pid)


@pytest.mark.full
def test_a_process_kept_ready_trains_the_next_text_and_is_replaced(monkeypatch, processes):
    monkeypatch.setattr("bpeviz.processes.spare_process.LATER_SECONDS", 0.0)
    spare = training_process.SpareProcess()
    monkeypatch.setattr(training_process, "_spare", spare)
    training_process.keep_process_ready()
    here = values(train_text(*SHORT, lambda now: None))
    for trained in (1, 2):
        until = time.monotonic() + 30
        while spare._ready is None and time.monotonic() < until:
            time.sleep(0.01)
        assert len(processes) == trained
        assert values(train_in_process(*SHORT, lambda now: None)) == here
    time.sleep(0.1)
    spare._end()
    assert nothing_is_left_of(processes)


# --- how many at once ----------------------------------------------------------------------------------


@pytest.fixture
def no_place():
    """Takes every slot, as other trainings would; returns a function that frees one."""
    for _ in range(MOST_AT_ONCE):
        training_process._slots.acquire()
    freed = []

    def free() -> None:
        freed.append(True)
        training_process._slots.release()

    yield free
    for _ in range(MOST_AT_ONCE - len(freed)):
        training_process._slots.release()


@pytest.mark.full
def test_a_training_waits_until_fewer_others_go_on(no_place, processes):
    told: list[TrainingProgress] = []

    def free_at_the_third(now):
        told.append(now)
        if len(told) == 3:
            assert processes == []
            no_place()

    assert train_in_process(*SHORT, free_at_the_third).steps
    assert [now.phase for now in told][:4] == ["waiting", "waiting", "waiting", "starting"]


@pytest.mark.full
def test_a_training_that_waits_can_be_cancelled(no_place, processes):
    def cancel(now):
        assert now.phase == "waiting"
        raise CancelledError

    with pytest.raises(CancelledError):
        train_in_process(*SHORT, cancel)
    assert processes == []
