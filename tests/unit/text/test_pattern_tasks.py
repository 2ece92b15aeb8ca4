"""Custom patterns in another process: limits at every way in, and no compiled pattern is kept here."""

import gc
import json
import os
import pickle
import subprocess
import sys
import weakref
from contextlib import closing, suppress

import pytest

from bpeviz.errors import BpevizError, SplitPatternBusyError, SplitPatternError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.text import pattern_tasks, split_patterns
from bpeviz.text.pattern_tasks import check_pattern, compiled_size
from bpeviz.text.split_patterns import (
    CUSTOM_CHARACTERS,
    MAX_COMPILED_SIZE,
    SPLIT_PATTERNS,
    SplitPattern,
    custom_split_pattern,
)
from bpeviz.training.in_worker import train_in_worker
from bpeviz.workers.pool import Pool
from tests.support.hostile_patterns import HOSTILE_PATTERNS
from tests.support.inline_workers import work_with
from tests.support.paths import ROOT
from tests.support.processes import CancelledError, started_by, still_run
from tests.support.trained import request
from tests.support.worker_tasks import FailingWorkers

DOUBLES = "(" * 20 + "a" + ")+" * 20
#: The same for the package, but no estimate by reading sees it.
DOUBLES_UNSEEN = "(?x)" + "(" * 20 + "a" + ") +" * 20
#: The limit of a search that never ends.
SECONDS = 0.05
LONG = "ab " * CUSTOM_CHARACTERS
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")


@pytest.fixture(autouse=True)
def _own_workers():
    """Limits need real processes."""
    with closing(Pool()) as pool, work_with(pool):
        yield


class NoWorkers:
    """Fails at the first task."""

    def run(self, *_, **__):
        raise AssertionError("asked a worker")


# --- every door ----------------------------------------------------------------------------------------


def split_by(pattern: str) -> None:
    split_patterns.split("the cat in the hat " * 20, pattern=custom_split_pattern(pattern, timeout=SECONDS))


def split_by_hand_made(pattern: str) -> None:
    SplitPattern("mine", pattern, timeout_seconds=SECONDS).split("a" * 2 * CUSTOM_CHARACTERS)


def read_file(name: str, data: bytes) -> None:
    read_tokenizer({name: data}, split_timeout=SECONDS)


def read_huggingface(pattern: str) -> None:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    steps = [
        split,
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
    ]
    whole = {
        "version": "1.0",
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]},
    }
    read_file("tokenizer.json", json.dumps(whole).encode())


def read_minbpe(pattern: str) -> None:
    read_file("tokenizer.model", f"minbpe v1\n{pattern}\n0\n97 98\n".encode("utf-8", "replace"))


def train_here_and_there(pattern: str) -> None:
    training = request("a b " * 50, "minbpe", SplitPattern("custom", pattern, timeout_seconds=SECONDS), 3)
    train_in_worker(*training, lambda now: None)


DOORS = {
    "custom_split_pattern": (split_by, HOSTILE_PATTERNS),
    "SplitPattern": (split_by_hand_made, HOSTILE_PATTERNS),
    "tokenizer.json": (read_huggingface, HOSTILE_PATTERNS),
    "minbpe": (read_minbpe, HOSTILE_PATTERNS),
    "training process": (train_here_and_there, [DOUBLES, DOUBLES_UNSEEN, "(?R)|."]),
}


def grown_by_a_door(name: str) -> float:
    """By how many MB this process grew at most while it took patterns from one way in. Raises errors that are
    not BpevizErrors."""
    import resource

    enter, patterns = DOORS[name]
    enter_quietly(enter, r"\w+|\W+")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for pattern in patterns:
        enter_quietly(enter, pattern)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def enter_quietly(enter, pattern: str) -> None:
    with suppress(BpevizError):
        enter(pattern)


@on_linux
@pytest.mark.parametrize("name", DOORS)
@pytest.mark.full
def test_no_hostile_pattern_grows_the_process_that_it_comes_to(name):
    code = f"from tests.unit.text.test_pattern_tasks import *; print('MB', grown_by_a_door({name!r}))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert float(run.stdout.split()[-1]) < 60


@on_linux
@pytest.mark.parametrize("pattern", [DOUBLES, DOUBLES_UNSEEN])
@pytest.mark.gate
def test_the_command_line_refuses_a_pattern_in_one_line(pattern):
    program = [sys.executable, "-m", "bpeviz", "count", "--split-regex", pattern, "--out", "-", "-"]
    run = subprocess.run(program, cwd=ROOT, input="the cat", capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "does not compile in the memory" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_there_are_forty_kinds_of_hostile_patterns():
    assert len(set(HOSTILE_PATTERNS)) >= 40


# --- compiling -----------------------------------------------------------------------------------------


@pytest.fixture
def not_compiled_here(monkeypatch):
    def compile_pattern(pattern):
        raise AssertionError(f"compiled in this process: {pattern[:40]}")

    monkeypatch.setattr("bpeviz.text.split_patterns.compile_pattern", compile_pattern)


@on_linux
@pytest.mark.usefixtures("not_compiled_here")
@pytest.mark.parametrize("pattern", [DOUBLES, DOUBLES_UNSEEN])
@pytest.mark.gate
def test_a_pattern_that_is_too_large_is_refused_before_it_is_compiled_here(pattern):
    for enter in (custom_split_pattern, lambda p: SplitPattern("mine", p).split("a")):
        with pytest.raises(SplitPatternError, match="does not compile in the memory") as caught:
            enter(pattern)
        assert caught.value.pattern == pattern


@pytest.mark.parametrize(
    "pattern",
    [
        DOUBLES,
        "(?:(?:a{99}){99}){99}",
        "(?:" * 40 + "a" + "){1,2}" * 40,
        "(?>" * 99 + "a" + ")+" * 99,
    ],
)
def test_a_pattern_that_is_clearly_too_large_is_refused_without_a_worker(pattern):
    with work_with(NoWorkers()), pytest.raises(SplitPatternError, match="does not compile in the memory"):
        custom_split_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "size"),
    [
        ("abc", 3),
        ("a+", 2),
        ("a+?b++", 4),
        ("(a+)+", 6),
        ("(a*)*", 4),
        ("(a?)?", 4),
        ("a{3}", 3),
        ("a{3,}", 4),
        ("a{3,9}", 4),
        ("a{0,9}b{,9}", 6),
        (r"[()+]+\+\(", 4),
        ("(a", 1),
        ("a))))", 5),
    ],
)
def test_the_size_counts_what_repetitions_write_out(pattern, size):
    assert compiled_size(pattern) == size


def test_named_and_common_patterns_are_far_from_too_large():
    common = [p.regex for p in SPLIT_PATTERNS.values() if p.regex] + [
        "[0-9a-f]{64}|.",
        ".{1,9999}",
        "(\\w+\\s+)+|.",
    ]
    assert all(compiled_size(pattern) * 4 < MAX_COMPILED_SIZE for pattern in common)


def test_a_pattern_is_checked_once():
    pattern = r"\w+|\W+|once"
    custom_split_pattern(pattern)
    with work_with(NoWorkers()):
        assert custom_split_pattern(pattern).split("ab cd") == ["ab", " ", "cd"]
        with pytest.raises(AssertionError):
            check_pattern(pattern + "|another")


def test_the_compiled_expression_is_freed_with_its_pattern():
    pattern = custom_split_pattern(r"\w+|\W+|gone")
    pattern.split("ab")
    compiled = weakref.ref(pattern.compiled)
    assert pattern.compiled is compiled()
    copy = pickle.loads(pickle.dumps(pattern))
    assert (copy, copy.timeout_seconds) == (pattern, pattern.timeout_seconds)
    assert not any("compiled" in name for name in vars(copy))
    del pattern
    gc.collect()
    assert compiled() is None


# --- searching -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("not_compiled_here")
@pytest.mark.gate
def test_a_long_text_is_searched_in_another_process():
    assert custom_split_pattern(r"\w+|\W+").split(LONG) == ["ab", " "] * CUSTOM_CHARACTERS


@pytest.mark.parametrize("pattern", [r"\w+|\W+", r"(?r)\w+|\W+", r"(\w)(\w)|(?<s>.)", ".", r"\X"])
@pytest.mark.parametrize("text", [LONG, "é🙂\ud800 " * CUSTOM_CHARACTERS], ids=["ASCII", "others"])
@pytest.mark.gate
def test_a_long_text_is_cut_as_a_short_one(pattern, text):
    split = SplitPattern("mine", pattern)
    part = text[: CUSTOM_CHARACTERS // 12 * 12]
    assert split.split(text)[: len(split.split(part)) - 2] == split.split(part)[:-2]
    assert "".join(split.split(text)) == text


@pytest.mark.gate
def test_half_of_a_surrogate_pair_that_is_left_uncovered_is_named():
    with pytest.raises(SplitPatternError, match="leaves bytes 1 to 3 uncovered") as caught:
        SplitPattern("mine", "a").split("a\ud800")
    assert caught.value.byte_offset == 1


@pytest.mark.gate
def test_the_first_fault_in_a_long_text_is_named():
    with pytest.raises(SplitPatternError, match=r"leaves bytes 2 to 2 uncovered: ' '") as caught:
        custom_split_pattern(r"\w+").split(LONG)
    assert caught.value.byte_offset == 2
    with pytest.raises(SplitPatternError, match="matches the empty string at character 2"):
        custom_split_pattern(r"\w+|(?= )| ").split(LONG)


@on_linux
@pytest.mark.full
def test_a_search_that_takes_too_much_memory_ends_in_the_other_process(monkeypatch):
    monkeypatch.setattr(pattern_tasks, "SEARCH_BYTES", 2**20)
    monkeypatch.setattr(pattern_tasks, "SEARCH_BYTES_PER_CHARACTER", 0)
    with pytest.raises(SplitPatternError, match="needs too much memory on this text"):
        SplitPattern("mine", r"(?:(a)|(b)|(.))+").split(LONG)


@pytest.mark.parametrize("text", ["a" * 40 + "b", "a" * 2 * CUSTOM_CHARACTERS + "b"])
@pytest.mark.full
def test_a_search_that_takes_too_long_says_so(text):
    with pytest.raises(SplitPatternError, match=r"took more than 0\.2 seconds on this text"):
        SplitPattern("mine", r"(a|aa)+$", timeout_seconds=0.2).split(text)


# --- the processes -------------------------------------------------------------------------------------


@pytest.mark.full
def test_waiting_too_long_for_a_turn_is_an_error_that_says_so(monkeypatch):
    monkeypatch.setattr(pattern_tasks, "MOMENT_SECONDS", 0.1)
    monkeypatch.setattr(pattern_tasks, "PATIENCE", 0.0)
    with work_with(Pool(most_at_once=0)), pytest.raises(SplitPatternBusyError, match="machine is busy"):
        check_pattern("a|waits")


@pytest.mark.parametrize(
    ("ending", "says"),
    [
        ("not started", "couldn't start"),
        ("memory", "does not compile in the memory"),
        ("time", "does not compile in the memory"),
        ("crashed", "does not compile in the memory"),
    ],
)
def test_a_worker_without_an_answer_is_an_error_that_names_the_remedy(ending, says):
    with work_with(FailingWorkers(ending)), pytest.raises(SplitPatternError, match=says):
        check_pattern("a|no answer")


@pytest.mark.parametrize(
    ("ending", "says"),
    [("memory", "needs too much memory"), ("time", "took more than"), ("crashed", "needs too much memory")],
)
def test_a_search_without_an_answer_is_an_error_that_names_the_remedy(ending, says):
    pattern = custom_split_pattern(r"\w+|\W+")
    with work_with(FailingWorkers(ending)), pytest.raises(SplitPatternError, match=says):
        pattern.split(LONG)


@on_linux
@pytest.mark.full
def test_a_cancelled_training_leaves_no_search_behind():
    before, started = set(started_by(os.getpid())), []  # other tests may have left a worker that waits

    def cancel(now):
        started[:] = set(started_by(os.getpid())) - before
        if now.phase == "splitting" and len(started) > 1:  # the training and its search
            raise CancelledError

    text = "a" * 2 * CUSTOM_CHARACTERS + "b"
    training = request(text, "minbpe", SplitPattern("mine", r"(a|aa)+$", timeout_seconds=60), 3)
    with pytest.raises(CancelledError):
        train_in_worker(*training, cancel)
    assert still_run(started) == []
