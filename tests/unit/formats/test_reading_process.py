"""Tokenizer files read in another process: the same tokenizer, the same errors, and limits."""

import signal
import sys

import pytest

from bpeviz import train_tokenizer
from bpeviz.errors import SplitPatternError, TokenizerFileError
from bpeviz.formats import read_tokenizer, reading_process, write_tokenizer
from bpeviz.formats.reading_process import MOST_AT_ONCE, read_in_process
from bpeviz.tokenizer.tokenizer import Tokenizer
from tests.support.tokenizer_files import as_file, minbpe_model, split_then_bytes, tiny

TEXT = "low lower lowest, newer wider: “naïve” 東京 🙂\n" * 3
RECIPE = {"minbpe": "minbpe", "llms-from-scratch": "llms-from-scratch-simple"}


def parts(tokenizer: Tokenizer) -> tuple[object, ...]:
    base = tokenizer.base
    return (
        (type(base), base.first_id, list(base.symbols), tokenizer.merges, tokenizer.merge_token_ids),
        (tokenizer.special_tokens, tokenizer.found_last, tokenizer.split, tokenizer.vocabulary),
        (tokenizer.split.timeout_seconds, tokenizer.encode(TEXT, allowed_special="all")),
    )


def files_of(name: str) -> dict[str, bytes]:
    recipe = RECIPE.get(name, "huggingface")
    special_tokens = ["<s>", "<pad>"] if name == "huggingface" else None
    tokenizer = train_tokenizer(TEXT, recipe, num_merges=30, special_tokens=special_tokens)
    return write_tokenizer(tokenizer, name)


@pytest.mark.parametrize("name", ["huggingface", "gpt2", "tiktoken", "minbpe", "llms-from-scratch"])
@pytest.mark.gate
def test_a_file_gives_the_tokenizer_that_reading_it_here_gives(name):
    files = files_of(name)
    split = "cl100k" if name == "tiktoken" else None
    away = read_in_process(files, split=split, split_timeout=7.0)
    assert parts(away) == parts(read_tokenizer(files, split=split, split_timeout=7.0))


@pytest.mark.gate
def test_codes_give_the_tokenizer_that_reading_them_here_gives():
    files = {"codes.bpe": b"#version: 0.2\nl o\nlo w</w>\n"}
    away, here = read_in_process(files, split=None, split_timeout=7.0), read_tokenizer(files)
    assert (away.base, away.split, away.vocabulary) == (here.base, here.split, here.vocabulary)
    assert away.encode("low  owl") == here.encode("low  owl")


@pytest.mark.parametrize("pattern", ["\ud800|.", "a|\ud800*", "(\ud800"])
@pytest.mark.gate
def test_half_of_a_surrogate_pair_in_a_pattern_is_refused_with_the_reason(pattern):
    files = as_file(tiny({("pre_tokenizer",): split_then_bytes({"Regex": pattern})}))
    with pytest.raises(TokenizerFileError, match="surrogate"):
        read_in_process(files, split=None, split_timeout=3.0)


@pytest.mark.gate
def test_a_pattern_of_the_file_keeps_its_time_limit():
    files = minbpe_model("97 98", pattern=r"\w+|\W+")
    assert read_in_process(files, split=None, split_timeout=3.0).split.timeout_seconds == 3.0


@pytest.mark.gate
def test_special_tokens_keep_their_ids_and_their_order():
    files = minbpe_model("97 98", specials=("<z> 900", "<a> 300"))
    away = read_in_process(files, split=None, split_timeout=7.0)
    assert list(away.special_tokens.items()) == [("<z>", 900), ("<a>", 300)]


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"a.json": b'{"model": 1'}, TokenizerFileError),
        ({"a.txt": b"\xff"}, TokenizerFileError),
        (minbpe_model("97 98", pattern="(?:ab){99999999}"), SplitPatternError),
    ],
    ids=["no JSON", "no UTF-8", "a pattern that does not compile"],
)
@pytest.mark.gate
def test_a_bad_file_raises_what_reading_it_here_raises(files, kind):
    with pytest.raises(kind) as here:
        read_tokenizer(files)
    with pytest.raises(kind) as away:
        read_in_process(files, split=None, split_timeout=7.0)
    assert str(away.value) == str(here.value)
    assert away.value.__dict__ == here.value.__dict__


def dying(by: int) -> tuple[str, ...]:
    return (sys.executable, "-c", f"import os, sys; sys.stdin.buffer.readline(); os.kill(os.getpid(), {by})")


@pytest.mark.parametrize(
    ("by", "says"), [(signal.SIGKILL, "was killed, probably"), (signal.SIGPROF, "more than 30 seconds")]
)
@pytest.mark.full
def test_a_process_that_is_ended_says_why(monkeypatch, by, says):
    monkeypatch.setattr(reading_process, "_COMMAND", dying(by))
    with pytest.raises(TokenizerFileError, match=says):
        read_in_process(files_of("minbpe"), split=None, split_timeout=7.0)


@pytest.mark.full
def test_a_process_that_ends_before_it_has_the_whole_file(monkeypatch):
    monkeypatch.setattr(reading_process, "_COMMAND", (sys.executable, "-c", "raise SystemExit(1)"))
    with pytest.raises(TokenizerFileError, match="crashed with code 1"):
        read_in_process({"a.json": b" " * 5_000_000}, split=None, split_timeout=7.0)


@pytest.mark.full
def test_a_file_that_takes_too_long_is_given_up(monkeypatch):
    waits = "import time; [None for _ in iter(int, 1)]"
    limits = "from bpeviz.text.pattern_worker import limit_this_process; limit_this_process(0.1, 2**30)"
    monkeypatch.setattr(reading_process, "_COMMAND", (sys.executable, "-c", f"{limits}; {waits}"))
    with pytest.raises(TokenizerFileError, match="seconds"):
        read_in_process(files_of("minbpe"), split=None, split_timeout=7.0)


@pytest.mark.full
def test_a_file_that_takes_too_much_memory_is_refused(monkeypatch):
    less = "from bpeviz.formats import reading_process as r; r.READ_BYTES = 2**24; r.work()"
    monkeypatch.setattr(reading_process, "_COMMAND", (sys.executable, "-c", less))
    with pytest.raises(TokenizerFileError, match="more than 3 GiB of memory"):
        read_in_process({"a.json": b"[" + b"[]," * 1_200_000 + b"0]"}, split=None, split_timeout=7.0)


def test_a_process_that_cannot_start(monkeypatch):
    monkeypatch.setattr(reading_process, "_COMMAND", ("no such program",))
    with pytest.raises(TokenizerFileError, match="Try again"):
        read_in_process(files_of("minbpe"), split=None, split_timeout=7.0)


@pytest.mark.full
def test_whoever_waits_for_a_place_can_give_up(monkeypatch):
    class StoppedError(Exception):
        pass

    def stop() -> None:
        raise StoppedError

    taken = [reading_process._slots.acquire(blocking=False) for _ in range(MOST_AT_ONCE)]
    try:
        assert all(taken)
        with pytest.raises(StoppedError):
            read_in_process(files_of("minbpe"), split=None, split_timeout=7.0, on_wait=stop)
    finally:
        for _ in taken:
            reading_process._slots.release()
