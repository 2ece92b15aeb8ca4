"""Tokenizer files read in a worker: the same tokenizer, the same errors, and in no other process."""

import base64
import json
import subprocess
import sys

import pytest

from bpeviz import train_tokenizer
from bpeviz.errors import SplitPatternError, TokenizerFileError
from bpeviz.formats.isolated import read_in_worker
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.writing import write_tokenizer
from bpeviz.tokenizer.tokenizer import Tokenizer
from tests.support.inline_workers import work_with
from tests.support.paths import ROOT
from tests.support.tokenizer_files import as_file, minbpe_model, split_then_bytes, tiny
from tests.support.worker_tasks import FailingWorkers

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
def test_a_file_gives_the_tokenizer_that_reading_it_here_gives(name):
    files = files_of(name)
    split = "cl100k" if name == "tiktoken" else None
    away = read_in_worker(files, split=split, split_timeout=7.0)
    assert parts(away) == parts(read_tokenizer(files, split=split, split_timeout=7.0))


def test_codes_give_the_tokenizer_that_reading_them_here_gives():
    files = {"codes.bpe": b"#version: 0.2\nl o\nlo w</w>\n"}
    away, here = read_in_worker(files, split=None, split_timeout=7.0), read_tokenizer(files)
    assert (away.base, away.split, away.vocabulary) == (here.base, here.split, here.vocabulary)
    assert away.encode("low  owl") == here.encode("low  owl")


@pytest.mark.parametrize("pattern", ["\ud800|.", "a|\ud800*", "(\ud800"])
def test_half_of_a_surrogate_pair_in_a_pattern_is_refused_with_the_reason(pattern):
    files = as_file(tiny({("pre_tokenizer",): split_then_bytes({"Regex": pattern})}))
    with pytest.raises(TokenizerFileError, match="surrogate"):
        read_in_worker(files, split=None, split_timeout=3.0)


def test_a_pattern_of_the_file_keeps_its_time_limit():
    files = minbpe_model("97 98", pattern=r"\w+|\W+")
    assert read_in_worker(files, split=None, split_timeout=3.0).split.timeout_seconds == 3.0


def test_special_tokens_keep_their_ids_and_their_order():
    files = minbpe_model("97 98", specials=("<z> 900", "<a> 300"))
    away = read_in_worker(files, split=None, split_timeout=7.0)
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
def test_a_bad_file_raises_what_reading_it_here_raises(files, kind):
    with pytest.raises(kind) as here:
        read_tokenizer(files)
    with pytest.raises(kind) as away:
        read_in_worker(files, split=None, split_timeout=7.0)
    assert str(away.value) == str(here.value)
    assert away.value.__dict__ == here.value.__dict__


def test_a_worker_without_an_answer_says_why():
    says = "reading it took too long. Check that it is the right file"
    with work_with(FailingWorkers("time")), pytest.raises(TokenizerFileError, match=says):
        read_in_worker(files_of("minbpe"), split=None, split_timeout=7.0)


#: Prints the ids that a server gets from the files, and whether it has loaded a library that reads them.
SERVER = """
import base64, json, sys
from bpeviz.formats.shared_tokenizers import read_shared
for name, data in json.load(sys.stdin).items():
    tokenizer = read_shared({name: base64.b64decode(data)}, split=None, split_timeout=3.0)
    ids = tokenizer.encode("ab a")
    print(json.dumps([ids, tokenizer.decode(ids)]))
print(json.dumps([name in sys.modules for name in ("tokenizers", "sentencepiece")]))
"""


@pytest.mark.gate
def test_a_server_gives_no_file_to_a_library_in_its_own_process():
    """Whatever the file is, and for any text: it has not even loaded the library."""
    files = {
        "tiny.json": tiny({("normalizer",): {"type": "NFC"}}),
        "words.json": tiny({("model",): {"type": "WordLevel", "vocab": {"ab": 0, "a": 1}, "unk_token": "a"}}),
    }
    sent = {name: json.dumps(file).encode() for name, file in files.items()}
    sent |= write_tokenizer(train_tokenizer("ab a ab", "sentencepiece", num_merges=2), "sentencepiece")
    given = json.dumps({name: base64.b64encode(data).decode() for name, data in sent.items()})
    run = subprocess.run(
        [sys.executable, "-c", SERVER], cwd=ROOT, input=given, capture_output=True, text=True, check=True
    )
    *answers, loaded = map(json.loads, run.stdout.splitlines())
    here = [read_tokenizer({name: data}) for name, data in sent.items()]
    assert answers == [[t.encode("ab a"), t.decode(t.encode("ab a"))] for t in here]
    assert loaded == [False, False]
