"""Counting in blocks and in several processes: the same counts in the same order as without them."""

import os
import signal
import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import SPLIT_PATTERNS, Corpus, split
from bpeviz.corpus.blocks import blocks_of_text
from bpeviz.corpus.counting import add_counts, count_blocks, default_processes
from bpeviz.errors import CorpusError
from bpeviz.text.split_patterns import SplitPattern, custom_split_pattern
from tests.support.hard_texts import hard_texts
from tests.support.texts import BORDERS_OF_SPLITTING, PARTING_TEXT

GPT2 = SPLIT_PATTERNS["gpt2"]
#: A few thousand words, so that all batches share some and each has its own.
TEXT = " ".join(f"word{i % 40} and {i} of {i // 7}, isn't it;\n" for i in range(4_000))


@pytest.fixture
def _short_blocks(monkeypatch):
    monkeypatch.setattr("bpeviz.corpus.blocks.BLOCK_CHARACTERS", 3_000)
    monkeypatch.setattr("bpeviz.corpus.counting.BATCH_CHARACTERS", 10_000)


@pytest.mark.parametrize("name", SPLIT_PATTERNS)
@given(texts=st.lists(BORDERS_OF_SPLITTING, max_size=4))
def test_stretches_are_counted_as_their_pre_tokens(name, texts):
    pre_tokens = [p for text in texts for p in split(text, name)]
    assert list(count_blocks(texts, SPLIT_PATTERNS[name]).items()) == list(Counter(pre_tokens).items())


#: Patterns to try with the older tables of Unicode too.
OLDER = ["gpt2", "o200k"]


def counted_by_hand(texts: Iterable[str], pattern: str | SplitPattern) -> list[tuple[str, int]]:
    return list(Counter(p for text in texts for p in split(text, pattern)).items())


@pytest.mark.parametrize("part_bytes", [12, 64_000])
@pytest.mark.parametrize("name", [name for name in SPLIT_PATTERNS if name != "none"])
@given(texts=st.lists(BORDERS_OF_SPLITTING | PARTING_TEXT, max_size=6))
def test_pieces_are_counted_as_their_pre_tokens(name, part_bytes, texts):
    """However many pieces are split at once."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("bpeviz.corpus.counting.BATCH_CHARACTERS", 12)
        monkeypatch.setattr("bpeviz.corpus.pieces.PART_BYTES", part_bytes)
        counts = count_blocks(texts, SPLIT_PATTERNS[name])
    assert list(counts.items()) == counted_by_hand(texts, name)


@pytest.mark.parametrize(
    "pattern",
    [*SPLIT_PATTERNS.values(), *(replace(SPLIT_PATTERNS[name], older_unicode=True) for name in OLDER)],
    ids=[*SPLIT_PATTERNS, *(f"{name}-older" for name in OLDER)],
)
def test_hard_texts_are_counted_as_their_pre_tokens(pattern, monkeypatch):
    """Each text by itself, and all as one text."""
    monkeypatch.setattr("bpeviz.corpus.counting.BATCH_CHARACTERS", 5_000)
    monkeypatch.setattr("bpeviz.corpus.blocks.BLOCK_CHARACTERS", 700)
    for texts in (hard_texts(), ["".join(hard_texts())]):
        counts = Corpus.from_texts(texts, pattern, processes=1).counts
        assert list(counts.items()) == counted_by_hand(texts, pattern)


def test_counts_of_others_are_added_behind_those_known():
    counts = {"b": 2, "a": 1}
    add_counts(counts, {"c": 1, "a": 4})
    assert list(counts.items()) == [("b", 2), ("a", 5), ("c", 1)]


@pytest.mark.usefixtures("_short_blocks")
@pytest.mark.parametrize("name", ["gpt2", "o200k", "spaces", "none"])
@pytest.mark.gate
def test_several_processes_count_as_one_does(name):
    texts = [TEXT, "", "the end", TEXT[:12_345]]
    one = Corpus.from_texts(texts, name, processes=1)
    assert one.byte_total == sum(map(len, texts))
    for processes in (2, 3):
        several = Corpus.from_texts(texts, name, processes=processes)
        assert list(several.counts.items()) == list(one.counts.items())


@pytest.mark.usefixtures("_short_blocks")
@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.gate
def test_counting_reports_progress_and_can_be_stopped(processes):
    heard = []
    Corpus.from_text(TEXT, "gpt2", processes=processes, on_counted=heard.append)
    assert sum(heard) == len(TEXT)
    assert len(heard) > 5

    def stop(characters):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Corpus.from_text(TEXT, "gpt2", processes=processes, on_counted=stop)


def _killed(blocks, pattern):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.usefixtures("_short_blocks")
@pytest.mark.full
def test_a_killed_process_is_an_error(monkeypatch):
    monkeypatch.setattr("bpeviz.corpus.counting._count_batch", _killed)
    with pytest.raises(CorpusError, match=r"One of 2 processes .* Count with processes=1"):
        count_blocks(blocks_of_text(TEXT, GPT2), GPT2, processes=2)


@pytest.mark.usefixtures("_short_blocks")
def test_short_texts_go_to_a_process_together(monkeypatch):
    submitted = []
    monkeypatch.setattr(
        "bpeviz.corpus.counting._count_batch", lambda blocks, pattern: submitted.append(blocks) or {}
    )
    count_blocks(["the cat "] * 5_000, GPT2, processes=1)
    assert [len(blocks) for blocks in submitted] == [1_250] * 4


@pytest.mark.full
def test_other_processes_start_by_default_only_without_other_threads():
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    alone = threading.active_count() == 1
    assert default_processes() == (len(os.sched_getaffinity(0)) if alone else 1)
    thread.start()
    assert default_processes() == 1
    done.set()
    thread.join()


@pytest.mark.usefixtures("_short_blocks")
@pytest.mark.gate
def test_other_processes_start_beside_threads_if_asked_for():
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        counts = count_blocks(blocks_of_text(TEXT, GPT2), GPT2, processes=2)
    finally:
        done.set()
        thread.join()
    assert list(counts.items()) == list(Counter(split(TEXT, GPT2)).items())


def test_a_custom_pattern_is_counted_in_this_process():
    pattern = custom_split_pattern(r"(a)+|.")
    assert Corpus.from_texts(["aab", "c"], pattern, processes=2).counts == {"aa": 1, "b": 1, "c": 1}
