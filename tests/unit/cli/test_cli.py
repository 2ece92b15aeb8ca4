"""The command line: what each command prints and writes, and its errors."""

import csv
import errno
import io
import json
import os
import random
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from sentencepiece import SentencePieceProcessor
from subword_nmt.apply_bpe import BPE

import bpeviz
import bpeviz.cli.parity
import bpeviz.cli.progress
from bpeviz import RECIPES, Corpus, Tokenizer, Trainer, compare, load_pretrained, tokenizer_metrics
from bpeviz.cli import main
from bpeviz.cli.outputs import write_whole
from bpeviz.cli.progress import Progress
from bpeviz.cli.streams import printable, table
from bpeviz.corpus.counting import cores
from bpeviz.formats.writing import FILE_FORMATS, refusal
from bpeviz.parity import LIBRARIES, Difference, Parity
from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.text.token_text import visible
from tests.support.paths import ROOT
from tests.support.processes import all_end, in_session
from tests.support.server import free_port
from tests.support.texts import ANY_TEXT
from tests.support.tokenizer_files import TINY

CAT = "the cat in the hat"
ESCAPES = "\x1b[31m\x07\u202e\u009b"


class Terminal(io.BytesIO):
    """A stream that claims to be a terminal."""

    def isatty(self):
        return True


class Gone(io.BytesIO):
    """A stream that fails on every write, as if its reader had gone or its disk were full."""

    def __init__(self, number):
        super().__init__()
        self.number = number

    def write(self, data):
        raise OSError(self.number, os.strerror(self.number))


class Result:
    """A command that has run: its exit ``code``, and what it wrote."""

    def __init__(self, *argv, stdin=b"", stdout=None, stderr=None):
        given = io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin)
        stdout, stderr = stdout or io.BytesIO(), stderr or io.BytesIO()
        self.code = main(list(map(str, argv)), given, stdout, stderr)
        self.bytes, self.errors = stdout.getvalue(), stderr.getvalue().decode()

    @property
    def out(self):
        assert (self.code, self.errors) == (0, "")
        return self.bytes.decode()

    @property
    def json(self):
        assert self.out.isascii()
        return json.loads(self.out)

    @property
    def fault(self):
        """The one line that says what is wrong."""
        assert self.bytes == b""
        assert self.errors.startswith("bpeviz: ")
        assert self.errors.endswith(".\n") or "--help" in self.errors
        assert self.errors.count("\n") == 1
        assert self.errors[:-1].isprintable()
        return self.errors.removeprefix("bpeviz: ").rstrip("\n")


def process(*argv, **settings):
    """``python -m bpeviz`` in a new process."""
    command = [sys.executable, "-W", "error", "-m", "bpeviz", *map(str, argv)]
    return subprocess.Popen(command, cwd=ROOT, **settings)


def trained(text, recipe="huggingface", **limits):
    trainer = Trainer(Corpus.from_text(text, RECIPES[recipe].split), recipe, **limits)
    return trainer, list(trainer.steps())


@pytest.fixture
def tiny(tmp_path):
    """A tokenizer.json with two merges."""
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(TINY), "utf-8")
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, which commands are in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# train


def test_the_cat_in_the_hat_by_hand(tmp_path):
    merges = tmp_path / "merges.csv"
    result = Result("train", "--recipe", "minbpe", "--merges", 5, "--merges-out", merges, stdin=CAT)
    assert result.out.splitlines() == [
        "recipe           minbpe",
        "split            cl100k",
        "bytes            18",
        "merges           5",
        "ties             4",
        "vocabulary size  261",
        "tokens           10",
        "bytes per token  1.800",
        "stop reason      Reached the requested 5 merges.",
        f"merges out       {merges}",
    ]
    rows = list(csv.DictReader(io.StringIO(merges.read_bytes().decode(), newline="")))
    assert [row["token"] for row in rows] == ['"th"', '"the"', '"at"', '" c"', '" cat"']
    assert rows[1] == {
        "rank": "1",
        **{"left_id": "256", "right_id": "101", "token_id": "257"},
        **{"left": '"th"', "right": '"e"', "token": '"the"', "token_bytes": "74 68 65"},
        **{"count": "2", "tied": "2", "tokens_after": "14"},
    }


def test_training_prints_the_same_as_json():
    trainer, steps = trained(CAT, "minbpe", num_merges=5)
    assert Result("train", "--recipe", "minbpe", "--merges", 5, "--json", stdin=CAT).json == {
        "recipe": "minbpe",
        "split": "cl100k",
        "special_tokens": [],
        "bytes": 18,
        "merges": len(steps),
        "ties": 4,
        "vocabulary_size": trainer.tokenizer().n_vocab,
        "tokens": trainer.token_total,
        "bytes_per_token": 1.8,
        "stop_reason": trainer.stop_reason,
        "out": None,
        "left_out": None,
        "merges_out": None,
    }


def test_files_are_separate_texts_and_a_dash_is_standard_input(tmp_path):
    (tmp_path / "a").write_text("ab", "utf-8")
    settings = ("--split", "none", "--merges", 9, "--json")
    found = Result("train", tmp_path / "a", "-", tmp_path / "a", *settings, stdin="abab").json
    trainer = Trainer(Corpus.from_texts(["ab", "abab", "ab"], "none"), num_merges=9)
    assert found["merges"] == len(list(trainer.steps())) == 2
    assert (found["bytes"], found["tokens"]) == (8, trainer.token_total)


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        (["--vocab-size", "262"], {"vocab_size": 262}),
        (["--vocab-size=1,000"], {"vocab_size": 1000}),
        (["--min-frequency", "2"], {"min_frequency": 2}),
        (
            ["--special-token", "<a>", "--special-token", "<b>", "--merges=3"],
            {"special_tokens": ["<a>", "<b>"], "num_merges": 3},
        ),
        ([], {}),
    ],
)
def test_every_limit_is_the_trainers(options, limits):
    trainer, steps = trained(CAT, **limits)
    found = Result("train", *options, "--json", stdin=CAT).json
    assert (found["merges"], found["stop_reason"]) == (len(steps), trainer.stop_reason)
    assert found["vocabulary_size"] == trainer.tokenizer().vocab_sizes[-1]
    assert found["special_tokens"] == list(trainer.special_tokens)


def test_a_split_pattern_by_name_or_custom():
    assert Result("train", "--split", "whitespace", "--json", stdin=CAT).json["split"] == "whitespace"
    found = Result("train", "--split-regex", r"\w|\W", "--json", stdin=CAT).json
    assert (found["split"], found["merges"]) == (r"\w|\W", 0)


def test_an_empty_text_trains_nothing():
    assert "bytes per token  0.000" in Result("train").out


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_merges_of_every_recipe_are_written_as_the_trainer_made_them(recipe, tmp_path):
    text = f'{CAT} "é日, 日é" {CAT}\n=1+1\r\n'
    trainer, steps = trained(text, recipe, num_merges=30)
    path = tmp_path / "merges.csv"
    Result("train", "--recipe", recipe, "--merges", 30, "--merges-out", path, stdin=text)
    source = path.read_bytes().decode()
    assert source.count("\r\n") == len(steps) + 1
    for row, step in zip(list(csv.reader(io.StringIO(source, newline="")))[1:], steps, strict=True):
        assert list(map(int, row[:4])) == [step.rank, *step.pair, step.token_id]
        for literal, token_id in zip(row[4:7], (*step.pair, step.token_id), strict=True):
            token = trainer.token_bytes(token_id)
            read = json.loads(literal).encode() if literal[0] == '"' else bytes.fromhex(literal[1:-1])
            assert read == token
        assert bytes.fromhex(row[7]) == step.token
        assert list(map(int, row[8:])) == [step.count, step.tied, step.token_total]


# saved tokenizers


@pytest.mark.parametrize(
    ("form", "recipe", "name"),
    [
        ("huggingface", "huggingface", "tokenizer.json"),
        ("gpt2", "course", "not/yet/there"),
        ("tiktoken", "rustbpe", "rustbpe-split.tiktoken"),
        ("minbpe", "minbpe", "cat.model"),
        ("llms-from-scratch", "llms-from-scratch-simple", "pair"),
    ],
)
def test_a_saved_tokenizer_encodes_the_same(form, recipe, name, tmp_path):
    path = tmp_path / name
    result = Result("train", "--recipe", recipe, "--merges=9", "--out", path, "--format", form, stdin=CAT)
    assert result.errors.count("\n") == (1 if form == "llms-from-scratch" else 0)
    rows = dict(re.split("  +", row, maxsplit=1) for row in result.bytes.decode().splitlines())
    assert rows["out"] == str(path)
    assert rows.get("left out", "") == FILE_FORMATS[form].leaves_out
    trainer, _ = trained(CAT, recipe, num_merges=9)
    split = ["--split", RECIPES[recipe].split] if form == "tiktoken" else []
    ids = Result("encode", CAT, "--tokenizer", path, *split).out
    assert list(map(int, ids.split())) == trainer.tokenizer().encode(CAT)
    assert Result("decode", "--tokenizer", path, stdin=ids).out == CAT


def test_tokenizers_of_words_are_saved_for_their_libraries(tmp_path):
    def saved(recipe: str, form: str) -> Path:
        path = tmp_path / form
        result = Result("train", "--recipe", recipe, "--merges=9", "--out", path, "--format", form, stdin=CAT)
        rows = dict(re.split("  +", row, maxsplit=1) for row in result.bytes.decode().splitlines())
        assert rows.get("left out", "") == FILE_FORMATS[form].leaves_out
        assert not result.errors
        return path

    ids = trained(CAT, "sentencepiece", num_merges=9)[0].tokenizer().encode(CAT)
    model = SentencePieceProcessor(model_file=str(saved("sentencepiece", "sentencepiece")))
    assert model.encode(CAT) == ids
    whole = tokenizers.Tokenizer.from_file(str(saved("sentencepiece", "huggingface")))
    assert whole.encode(CAT).ids == ids

    codes = saved("subword-nmt", "subword-nmt")
    rows = Result("encode", "hat thea the", "--tokenizer", codes, "--tokens").out.splitlines()
    with codes.open(encoding="utf-8") as file:
        tokens = BPE(file, separator="").segment("hat thea the").split()
    assert (
        [row.split()[1].removesuffix("</w>") for row in rows] == tokens == ["h", "at", "th", "e", "a", "the"]
    )


def test_without_a_format_it_is_hugging_faces(tmp_path):
    Result("train", "--merges", 3, "--out", tmp_path / "a", stdin=CAT)
    assert json.loads((tmp_path / "a").read_bytes())["model"]["type"] == "BPE"


def test_a_tokenizer_that_a_format_cannot_hold_is_an_error_before_training(tmp_path, monkeypatch):
    monkeypatch.setattr(Trainer, "steps", None)
    for recipe, form in (("subword-nmt", "huggingface"), ("minbpe", "gpt2"), ("course", "tiktoken")):
        place = "--out", tmp_path / "a", "--format", form
        result = Result("train", "--recipe", recipe, *place, stdin=CAT)
        assert result.code == 1
        assert result.fault.startswith(f"The format {form} cannot hold this tokenizer: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_format_that_refuses_an_untrained_tokenizer_refuses_the_trained_one(recipe):
    trainer, _ = trained(f"{CAT} é日", recipe, num_merges=0)
    untrained = trainer.tokenizer()
    trained_on, _ = trained(f"{CAT} é日", recipe, num_merges=9)
    for form in FILE_FORMATS:
        assert bool(refusal(untrained, form)) <= bool(refusal(trained_on.tokenizer(), form))


def test_a_tokenizer_file_may_not_be_a_device_or_a_folder(tmp_path):
    for path in (Path(os.devnull), tmp_path):
        result = Result("train", "--out", path, stdin=CAT)
        assert result.code == 1
        assert result.fault.startswith(f"{path}: it is a ")
    assert not Path(os.devnull).is_file()
    result = Result("train", "--format", "gpt2", "--out", ROOT / "README.md" / "a" / "b", stdin=CAT)
    assert (result.code, result.fault) == (1, f"{ROOT / 'README.md'}: it is not a folder.")


def test_a_file_is_replaced_atomically(tmp_path):
    path, link = tmp_path / "merges.csv", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    write_whole(link, b"new")
    assert path.read_bytes() == b"new"
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, path]


def test_a_device_is_written_to_and_not_replaced():
    write_whole(Path(os.devnull), b"new")
    assert not Path(os.devnull).is_file()


# counts


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_training_on_counts_is_training_on_the_texts(name, tmp_path):
    (tmp_path / "a.txt").write_text(f'{CAT}, "\r\n', "utf-8")
    result = Result(
        "count", tmp_path / "a.txt", "-", "--split", "cl100k", "--out", tmp_path / name, stdin=CAT
    )
    assert result.out.splitlines() == [
        "split                cl100k",
        "bytes                41",
        "pre tokens           12",
        "distinct pre tokens  7",
        f"out                  {tmp_path / name}",
    ]
    train = ["train", "--recipe", "minbpe", "--merges", 5, "--json"]
    of_counts = Result(*train, "--counts", tmp_path / name, "--split", "cl100k")
    assert of_counts.json == Result(*train, tmp_path / "a.txt", "-", stdin=CAT).json


def test_counts_of_a_text_that_special_tokens_did_not_cut_are_refused(tmp_path):
    text, counts = tmp_path / "text.txt", tmp_path / "counts.csv"
    text.write_text("ab<|x|>ab", encoding="utf-8")
    Result("count", text, "--out", counts)
    train = ["train", "--recipe", "cs336", "--counts", counts, "--split", "gpt2", "--json"]
    assert Result(*train).json["merges"] == 3, "the text does not hold the recipe's own special token"
    assert "without a cut" in Result(*train, "--special-token", "<|x|>").errors
    of_text = ["train", "--recipe", "cs336", text, "--special-token", "<|x|>", "--json"]
    assert Result(*of_text).json["merges"] == 1


def test_counts_are_those_of_the_corpus_and_printed_as_json_too(tmp_path):
    path = tmp_path / "a.csv"
    found = Result(
        "count", "--out", path, "--split-regex", r"\w|\W", "--replace-invalid", "--json", stdin=b"aa\xff"
    )
    assert found.json == {
        "split": r"\w|\W",
        "bytes": 5,
        "pre_tokens": 3,
        "distinct_pre_tokens": 2,
        "out": str(path),
    }
    assert path.read_text("utf-8") == 'pre_token,count\n"a",2\n"\ufffd",1\n'
    assert Result("count", "--out", path, "--json", stdin=CAT).json["split"] == "gpt2"
    assert Result("train", "--counts", path, "--split-regex", r"\w|\W", "--json").json["bytes"] == len(CAT)


def test_a_wrong_output_path_is_an_error_before_counting(tmp_path, monkeypatch):
    monkeypatch.setattr(Corpus, "from_files", None)
    for name, why in (
        ("a.txt", "its name does not say what it is"),
        ("no/a.csv", "there is no such folder"),
        ("b.csv", "it is a folder; give the name of a file in it"),
    ):
        (tmp_path / "b.csv").mkdir(exist_ok=True)
        result = Result("count", "--out", tmp_path / name, stdin=CAT)
        assert result.code == 1
        assert why in result.fault


# encode and decode


@pytest.mark.parametrize(
    ("line", "stdin", "out"),
    [
        ("encode the cat", "", "1169 3797\n"),
        ("encode", "the cat", "1169 3797\n"),
        ("encode -", "the cat", "1169 3797\n"),
        ("encode", "the cat\n", "1169 3797 198\n"),
        ("encode", "", "\n"),
        ("encode --file a --file b", "", "1169\n1169 198 9246\n"),  # each file is a line
        ("encode '日 cat\n' --tokens", "", "33768  E6 97\n   98  A5\n 3797  ␣cat\n  198  ⏎\n"),
        ("encode --tokens", "", ""),
        ("encode 'ab ab' --tokenizer tiny.json --tokens", "", "4  ab\n5  ␣ab\n"),
        # special tokens are plain text unless they are allowed
        ("encode 'a<|endoftext|>'", "", "64 27 91 437 1659 5239 91 29\n"),
        ("encode 'a<|endoftext|>' --allowed-special all", "", "64 50256\n"),
        ("encode 'a<|endoftext|>' --allowed-special '<|endoftext|>'", "", "64 50256\n"),
        ("decode 33768", "", b"\xe6\x97"),
        ("decode", "", ""),
    ],
)
@pytest.mark.usefixtures("tiny", "folder")
def test_a_line_of_encode_or_decode_writes_this_and_nothing_more(line, stdin, out):
    for name, text in (("a", "the"), ("b", "the\ncat")):
        Path(name).write_text(text, "utf-8")
    result = Result(*shlex.split(line), stdin=stdin)
    assert (result.code, result.errors) == (0, "")
    assert result.bytes == (out if isinstance(out, bytes) else out.encode())


@given(ANY_TEXT)
def test_any_text_has_the_ids_that_the_library_gives(text):
    ids = Result("encode", stdin=text).out
    assert list(map(int, ids.split())) == load_pretrained("gpt2").encode(text)
    assert Result("decode", stdin=ids).out == text


def test_encoding_as_json():
    assert Result("encode", "é日", "--json").json == {
        "ids": [2634, 33768, 98],
        "tokens": [
            {"id": 2634, "text": "é", "bytes": "C3 A9"},
            {"id": 33768, "text": None, "bytes": "E6 97"},
            {"id": 98, "text": None, "bytes": "A5"},
        ],
    }


def test_the_order_of_merges_can_be_left_to_right():
    text = "uncharacteristically"
    for order in ("merge-rank", "left-to-right"):
        expected = load_pretrained("gpt2").encode(f" {text}s", order=order)
        assert Result("encode", f" {text}s", "--order", order).out.split() == list(map(str, expected))


@pytest.mark.parametrize(
    "written", ["1169 3797", "[1169, 3797]", "1169,3797\n", "(1169;3797)", "{1169}\t3797"]
)
def test_ids_are_read_however_they_are_written(written):
    assert Result("decode", written).bytes == b"the cat"
    assert Result("decode", *written.split()).bytes == b"the cat"
    assert Result("decode", stdin=written).bytes == b"the cat"


def test_control_characters_are_visible_on_a_terminal():
    ids = load_pretrained("gpt2").encode(f"a{ESCAPES}\tb\n")
    found = Result("decode", *ids, 33768, stdout=Terminal()).out
    assert found == "a\\u001b[31m\\u0007\\u202e\\u009b\tb\n\\xe6\\x97\n"
    assert Result("decode", *ids).out == f"a{ESCAPES}\tb\n"


@given(st.binary(max_size=40))
def test_decoding_any_bytes_byte_for_byte(data):
    gpt2 = load_pretrained("gpt2")
    id_of_byte = {gpt2.token_bytes(i): i for i in range(256)}
    ids = [id_of_byte[data[i : i + 1]] for i in range(len(data))]
    assert Result("decode", stdin=json.dumps(ids)).bytes == data


# compare


def test_comparing_the_cat_in_the_hat_by_hand(tiny):
    """One merge gives ab, space, ab; the second joins the last two."""
    found = Result("compare", "ab ab", "--left", tiny, "--left-merges", 1, "--right", tiny)
    assert found.out.splitlines() == [
        f"                             {tiny}  {tiny}",
        *(
            f"{name:<27}  {left:<{len(str(tiny))}}  {right}"
            for name, left, right in (
                ("merges", "1", "2"),
                ("tokens", "3", "2"),
                ("bytes per token", "1.667", "2.500"),
                ("boundaries only in this one", "1", "0"),
            )
        ),
        "boundaries shared            1",
        "precision 0.500  recall 1.000  F1 0.667",
        "longest disagreements (byte, times, left, right):",
        "2  1×  ␣ | ab  ␣ab",
    ]


def test_a_comparison_as_json_is_the_librarys():
    gpt2 = load_pretrained("gpt2")
    text = "the tokenization of hats, 日本"
    expected = compare(text, gpt2.after(400), gpt2)
    found = Result(
        "compare", text, "--left", "gpt2", "--left-merges", 400, "--disagreements", 3, "--json"
    ).json
    assert found["left"] == {
        "tokenizer": "gpt2",
        "merges": 400,
        "tokens": expected.a.token_total,
        "bytes_per_token": expected.a.bytes_per_token,
        "boundaries_only_here": len(expected.only_a),
    }
    assert found["right"]["merges"] == 50_000
    assert found["shared_boundaries"] == expected.shared_boundaries
    assert (found["precision"], found["recall"]) == (expected.precision, expected.recall)
    assert (found["f1"], found["bytes"]) == (expected.f1, expected.byte_total)
    longest = expected.disagreements(text, 3)
    assert [(d["start"], d["end"], d["count"]) for d in found["disagreements"]] == [
        (d.start, d.end, d.count) for d in longest
    ]
    for d in found["disagreements"]:
        both = [b"".join(map(bytes.fromhex, d[side])) for side in ("left", "right")]
        assert both == [text.encode()[d["start"] : d["end"]]] * 2
        assert d["left"] != d["right"]


def test_two_that_agree_have_no_disagreement():
    found = Result("compare", CAT, "--left", "gpt2").out
    assert "precision 1.000  recall 1.000  F1 1.000" in found
    assert "disagreements" not in found
    assert "F1 1.000" in Result("compare", "--left", "gpt2").out


# compare --tokenizer


def many(*names):
    """The options that compare several tokenizers."""
    return [f"--tokenizer={name}" for name in names]


def test_compare_lists_the_words_that_change_in_several_files(tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("a.txt", "b.txt")]
    names[0].write_text("größer und größer", "utf-8")
    names[1].write_text("=größer", "utf-8")
    command = ("compare", "--left=gpt2", "--right=o200k_base", "--changes=2")
    files = ("--file", names[0], "--file", names[1])
    lines = Result(*command, *files).out.splitlines()
    assert lines[0].split() == ["tokens", "gpt2", "14", "o200k_base", "7", "change", "-7"]
    assert lines[1] == "words   5, of which 1 different ones change"
    assert lines[3].split()[:5] == ["größer", "3", "12", "5", "-7"]
    found = Result(*command, *files, "--json").json
    (change,) = found["changes"]
    assert (change["word"], change["change"], found["words"]) == ("größer", -7, 5)
    assert Result(*command, *files, "--csv").out.splitlines()[1] == '"größer",3,12,5,-7'


def test_two_tokenizers_in_a_table_by_hand(tiny):
    """The file has six tokens, and makes ab and ␣ab of ab ab; alone, both words are ab."""
    found = Result("compare", "ab ab", *many(tiny, "gpt2")).out.splitlines()
    assert found[0] == f"5 bytes, 2 words; NSL is against {tiny}"
    assert [re.split("  +", line) for line in found[1:]] == [
        [
            *("tokenizer", "vocabulary", "tokens", "bytes per token", "tokens per word"),
            *("words kept whole", "NSL", "Rényi", "vocabulary used"),
        ],
        [str(tiny), "6", "2", "2.500", "1.000", "100.0%", "1.000", "1.000", "33.33%"],
        ["gpt2", "50,257", "2", "2.500", "1.000", "100.0%", "1.000", "1.000", "0.00%"],
    ]


def test_the_metrics_as_json_are_the_librarys():
    text = "the tokenization of hats, 日本"
    gpt2, o200k = (tokenizer_metrics([text], load_pretrained(name)) for name in ("gpt2", "o200k_base"))
    found = Result("compare", text, *many("gpt2", "o200k_base"), "--baseline=o200k_base", "--json").json
    assert (found["bytes"], found["words"], found["baseline"]) == (32, 5, "o200k_base")
    assert found["tokenizers"] == [
        {"tokenizer": "gpt2"} | gpt2.figures(o200k),
        {"tokenizer": "o200k_base"} | o200k.figures(o200k),
    ]
    assert found["parts"] == [
        {
            "name": "text",
            "bytes": 32,
            "tokens": {"gpt2": gpt2.token_total, "o200k_base": o200k.token_total},
            "normalized_length": {"gpt2": gpt2.normalized_length(o200k), "o200k_base": 1.0},
        }
    ]


def test_several_files_are_measured_together_and_each_alone(tmp_path):
    names = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for name, text in zip(names, ("the cat", "in the hat\n"), strict=True):
        name.write_text(text)
    command = ("compare", "--file", names[0], "--file", names[1], *many("gpt2", "cl100k_base"))
    found = Result(*command, "--json").json
    both = tokenizer_metrics(["the cat", "in the hat\n"], load_pretrained("gpt2"))
    assert found["tokenizers"][0]["tokens"] == both.token_total == 6
    assert [(part["name"], part["tokens"]["gpt2"]) for part in found["parts"]] == [
        (str(names[0]), 2),
        (str(names[1]), 4),
    ]
    assert Result(*command).out.splitlines()[-4:] == [
        "tokens, and their ratio to gpt2:",
        f"{'':<{len(str(names[0]))}}  gpt2      cl100k_base",
        f"{names[0]}  2 (1.00)  2 (1.00)",
        f"{names[1]}  4 (1.00)  4 (1.00)",
    ]


def test_the_parallel_sample_gives_the_tokens_of_each_language():
    found = Result("compare", "--parallel", *many("gpt2", "o200k_base", "cl100k_base"), "--json").json
    assert [part["code"] for part in found["parts"]] == list(LANGUAGES)
    for part in found["parts"]:
        language = LANGUAGES[part["code"]]
        assert (part["name"], part["script"]) == (language.name, language.script)
        sentences = parallel_sentences(part["code"])
        for name, tokens in part["tokens"].items():
            assert tokens == sum(map(len, load_pretrained(name).encode_batch(sentences)))
            assert part["normalized_length"][name] == tokens / part["tokens"]["gpt2"]
    for row in found["tokenizers"]:
        assert row["tokens"] == sum(part["tokens"][row["tokenizer"]] for part in found["parts"])
    lines = Result("compare", "--parallel", *many("gpt2", "o200k_base")).out.splitlines()
    assert lines[5].split() == ["gpt2", "o200k_base"]
    assert lines[6].split() == ["English", "91", "(1.00)", "91", "(1.00)"]
    assert len(lines) == 6 + len(LANGUAGES)


def test_a_metric_without_a_value_is_null_or_a_dash():
    found = Result("compare", "--json", *many("gpt2", "cl100k_base")).json
    assert [row["renyi_efficiency"] for row in found["tokenizers"]] == [None, None]
    row = Result("compare", *many("gpt2", "cl100k_base")).out.splitlines()[2]
    assert row.split() == ["gpt2", "50,257", "0", "0.000", "0.000", "0.0%", "0.000", "-", "0.00%"]


# limits


class Endless(io.BytesIO):
    """A stream that never ends, like that of ``yes``, and counts what was read."""

    given = 0

    def read(self, size=-1):
        assert size >= 0, "this would never come back"
        self.given += size
        return b"1\n" * (size // 2)


@pytest.mark.parametrize(
    "command",
    [
        ["encode"],
        ["decode"],
        ["compare", "--left", "gpt2"],
        ["parity", "--merges", "1"],
        ["player", "--out", os.devnull],
    ],
)
def test_an_endless_input_is_refused_at_the_limit(command):
    stdin, stdout, stderr = Endless(), io.BytesIO(), io.BytesIO()
    assert main(command, stdin, stdout, stderr) == 1
    assert stderr.getvalue().startswith(b"bpeviz: standard input goes over the limit of 100,000,000 bytes")
    assert b"--max-bytes" in stderr.getvalue()
    assert stderr.getvalue().count(b"\n") == 1
    assert stdin.given <= 110_000_000


@pytest.mark.parametrize(
    "command", ["encode", "compare --left gpt2", "parity --recipe rustbpe --merges 1", "decode"]
)
def test_the_limit_can_be_set_and_holds_to_the_byte(command):
    argv = command.split()
    assert Result(*argv, "--max-bytes", 5, stdin="1 2 3").code == 0
    result = Result(*argv, "--max-bytes", 4, stdin="1 2 3")
    over = "standard input goes over the limit of 4 bytes for all input."
    assert (result.code, result.fault[:60]) == (1, over)
    assert Result(*argv, "--max-bytes=-1").code == 2


def test_the_limit_is_one_for_all_files_together(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text("the cat", "utf-8")
    files = ["--file", tmp_path / "a", "--file", tmp_path / "b"]
    assert Result("encode", *files, "--max-bytes", 14).code == 0
    result = Result("encode", *files, "--max-bytes", 13)
    assert result.fault.startswith(f"{tmp_path / 'b'} goes over the limit of 13 bytes for all input.")
    assert Result("encode", "the cat", "--max-bytes", 6).fault.startswith("the text given goes over")


def test_many_ids_are_written_as_few_are():
    text, ids = "a b" * 15_000, load_pretrained("gpt2").encode("a b" * 15_000)
    assert Result("encode", stdin=text).out == f"{' '.join(map(str, ids))}\n"
    found = Result("encode", "--json", stdin=text).json
    assert found["ids"] == ids == [token["id"] for token in found["tokens"]]


def test_a_stream_that_can_be_cut_nowhere_is_refused(monkeypatch):
    monkeypatch.setattr("bpeviz.corpus.blocks.MOST_BLOCK_CHARACTERS", 3_000_000)
    stdin, stderr = Endless(), io.BytesIO()
    assert main(["train", "--split", "none"], stdin, io.BytesIO(), stderr) == 1
    assert stderr.getvalue().startswith(b"bpeviz: More than 3,000,000 characters of a file have no place")
    assert stdin.given <= 5_000_000
    many = "a b " * 1_000_000
    assert Result("train", "--merges", 1, stdin=many).code == 0


# recipes


def test_every_recipe_has_a_row():
    heading, *rows = Result("recipes").out.splitlines()
    assert heading.split("  ")[0] == "recipe"
    assert [row.split()[0] for row in rows] == list(RECIPES)
    row = rows[list(RECIPES).index("subword-nmt")]
    cells = ["subword-nmt", RECIPES["subword-nmt"].split, "greatest-tokens", "word-characters", "count < 2"]
    assert re.split("  +", row) == [*cells, "subword-nmt’s learn_bpe"]


def test_recipes_as_json():
    found = Result("recipes", "--json").json
    assert [recipe["name"] for recipe in found] == list(RECIPES)
    assert found[0]["special_tokens"] == ["<|endoftext|>"]


# parity


@pytest.mark.parametrize("recipe", LIBRARIES)
def test_the_real_library_agrees(recipe):
    name = LIBRARIES[recipe].name.replace("-", "_")
    pytest.importorskip({"tokenizers": "tokenizers.trainers"}.get(name, name))  # from 1.0 on it has none
    found = Result("parity", "--recipe", recipe, "--merges", 5, "--min-frequency", 1, stdin=CAT).out
    assert found.startswith(f"Identical for all 5 merges: {LIBRARIES[recipe].name} ")


def test_a_limit_by_vocabulary_size_is_asked_of_the_library(monkeypatch):
    def asked(texts, recipe, merges, *, num_merges, min_frequency, special_tokens, split, timeout, on_wait):
        on_wait(1.0)
        assert (texts, recipe, len(merges)) == ([CAT], RECIPES["huggingface"], 3)
        assert (num_merges, min_frequency, special_tokens, timeout) == (4, 2, ["<a>"], 5)
        assert split == SPLIT_PATTERNS["gpt2"]
        return Parity("identical", recipe.name, "tokenizers", "0", 3)

    monkeypatch.setattr(bpeviz.cli.parity, "check_parity", asked)
    settings = ("--vocab-size", 261, "--min-frequency", 2, "--special-token", "<a>", "--timeout", 5)
    terminal = Terminal()
    result = Result("parity", *settings, stdin=CAT, stderr=terminal)
    assert (result.code, result.bytes) == (0, b"Identical for all 3 merges: tokenizers 0\n")
    assert "Training with the library, 1 s" in result.errors


DIFFERENT = Parity(
    *("different", "rustbpe", "rustbpe", "0.1", 1),
    Difference("tie", 1, (b"a", b"\x1b"), (b"b", b"c"), "Both pairs occur twice."),
)


@pytest.mark.parametrize(
    ("parity", "code"),
    [
        (DIFFERENT, 1),
        (Parity("failed", "rustbpe", "rustbpe", reason="It was too slow\x1b[31m."), 1),
        (Parity("missing", "rustbpe", "rustbpe", reason="It is not installed."), 3),
        (Parity("unchecked", "minbpe", reason="There is none."), 3),
    ],
)
def test_each_outcome_has_its_exit_code(parity, code, monkeypatch):
    monkeypatch.setattr(bpeviz.cli.parity, "check_parity", lambda *_, **__: parity)
    result = Result("parity", "--merges", 1, stdin=CAT)
    assert result.code == code
    told = result.bytes.decode() + result.errors.removeprefix("bpeviz: ")
    assert told == f"{printable(parity.sentence)}\n"
    assert (parity.status == "different") == bool(result.bytes)
    result = Result("parity", "--merges", 1, "--json", stdin=CAT)
    assert (result.code, result.errors) == (code, "")
    found = json.loads(result.bytes)
    assert (found["status"], found["sentence"]) == (parity.status, parity.sentence)
    if parity is DIFFERENT:
        assert found["difference"] == {
            **{"kind": "tie", "rank": 1, "why": "Both pairs occur twice."},
            **{"ours": ["61", "1B"], "theirs": ["62", "63"]},
        }
    else:
        assert found["difference"] is None


# errors


NO_NAME = "No such file or directory. Check the path. These names need no file (in Python: load_pretrained):"
MANY_DIGITS = "9" * 5000
TWO = "--tokenizer=gpt2 --tokenizer=o200k"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("train --recipe bpe", "There is no recipe named 'bpe'. Choose one of: course, minbpe"),
        ("train --split words", "There is no split pattern named 'words'."),
        ("train --split-regex '('", "The split pattern does not compile:"),
        ("train --vocab-size 10", "vocab_size 10 is smaller than the base vocabulary"),
        ("train --merges -1", "num_merges must be a whole number of 0 or more, not -1."),
        ("train --special-token ''", "Special tokens must be different from each other and not empty."),
        ("train nosuch", "nosuch cannot be read: No such file or directory."),
        ("train tests", "tests cannot be read: Is a directory."),
        ("train --out nosuch/a.json", "nosuch: there is no such folder."),
        ("train --merges-out README.md/a.csv", "README.md: it is not a folder."),
        ("train --merges 1 --merges-out tests", "tests: it is a folder; give the name of a file in it."),
        ("train --counts no.csv --split gpt2", "no.csv: No such file or"),
        ("train --counts README.md --split gpt2", "README.md: its name does not say what it"),
        ("count nosuch --out a.csv", "nosuch cannot be read: No such file or directory."),
        ("count nosuch --out a.csv --split no", "There is no split pattern named 'no'."),
        ("encode --file nosuch", "nosuch: No such file or directory."),
        ("encode --tokenizer nosuch", "nosuch: No such file or directory."),
        ("encode --tokenizer gpt-4o", f"gpt-4o: {NO_NAME} o200k_base, "),
        ("encode --tokenizer cl1OOk", f"cl1OOk: {NO_NAME} cl100k_base, "),
        ("encode --tokenizer tests", "tests: it holds neither tokenizer.json nor a pair of files"),
        ("encode --tokenizer README.md", "README.md: it is not a tokenizer file."),
        ("decode 50257", "There is no token with id 50257; ids of this tokenizer are below 50,257."),
        ("decode -5", "There is no token with id -5;"),
        ("decode 1 two", "“two” is not a token id."),
        (f"decode {MANY_DIGITS}", "“99999999999…99999999999” is not a token id."),
        ("compare a --left nosuch", "nosuch: No such file or directory."),
        ("compare a --left-merges 50001 --left gpt2", "This tokenizer has 50,000 merges, so"),
    ],
)
def test_a_failure_is_one_line_and_exit_code_1(line, message, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = Result(*shlex.split(line), stdin=CAT)
    assert result.code == 1
    assert result.fault.startswith(message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "the following arguments are required: COMMAND."),
        ("trian", "argument COMMAND: invalid choice: 'trian'"),
        ("train --merges many", "argument --merges: 'many' is not a whole number."),
        (f"train --merges {MANY_DIGITS}", "argument --merges: '9999"),
        ("train --merges 1 --vocab-size 300", "argument --vocab-size: not allowed with"),
        ("train --format gpt2", "--format says how --out is written"),
        ("train --out a --format word", "argument --format: invalid choice: 'word'"),
        ("train --out a --merges-out ./a", "a is given twice: use a different path for each file"),
        ("train README.md --out ./README.md", "README.md is given twice"),
        ("train --counts a.csv", "a file of counts does not say which pattern cut them: give --split"),
        ("train --counts a.csv --split gpt2 b", "--counts replaces the texts"),
        ("train --counts a --split gpt2 --replace-invalid", "--counts replaces the texts"),
        ("train --counts a.csv --split gpt2 --out a.csv", "a.csv is given twice"),
        ("count README.md", "the following arguments are required: --out."),
        ("count a.csv --out ./a.csv", "a.csv is given twice"),
        ("encode a --file README.md", "give the text as arguments or as --file, not both."),
        ("encode a --split none", "gpt2 has its own split pattern: give no other."),
        ("encode a --order up", "argument --order: invalid choice: 'up'"),
        ("encode a --tok gpt2", "unrecognized arguments: --tok gpt2."),
        ("compare a", "give --left or --right, or both; the other is gpt2."),
        (
            "compare --left=gpt2 --file=README.md --file=README.md",
            "give only one --file, or --changes for the words of several.",
        ),
        ("compare a --left=gpt2 --csv", "--csv needs --changes."),
        ("compare a --left=gpt2 --changes=0", "--changes must be 1 or more."),
        (
            "compare a --left=gpt2 --changes=2 --csv --json",
            "give one of --csv, --json and --color with --changes; --color is for one text.",
        ),
        (f"compare a {TWO} --changes=2", "--changes needs --left or --right."),
        ("compare a --left gpt2 --disagreements -1", "--disagreements must be 0 or more."),
        ("compare a --tokenizer=gpt2", "give --tokenizer 2 to 6 times, not 1."),
        (
            f"compare a {' '.join(many(*'abcdefg'))}",
            "give --tokenizer 2 to 6 times, not 7.",
        ),
        ("compare a --tokenizer=gpt2 --tokenizer=gpt2", "give each --tokenizer only once."),
        (
            f"compare a {TWO} --baseline=cl100k",
            "--baseline must be one of the tokenizers: gpt2, o200k.",
        ),
        (f"compare a {TWO} --parallel", "give a text or --parallel, not both."),
        (
            f"compare {TWO} --file=README.md --file=README.md",
            "give each --file only once.",
        ),
        (
            f"compare a {TWO} --left-merges=5",
            "give --tokenizer, or --left and --right, not both.",
        ),
        ("compare a --parallel", "--baseline and --parallel need --tokenizer, twice or more."),
        (
            "compare a --left=gpt2 --baseline=gpt2",
            "--baseline and --parallel need --tokenizer, twice or more.",
        ),
        ("recipes all", "unrecognized arguments: all."),
        ("train mine.bpeviz", "mine.bpeviz is a run, not a text. “bpeviz app mine.bpeviz” opens it."),
        ("train --out -", "“-” is not the name of a file to write."),
        ("parity --timeout -1", "argument --timeout: -1 is below 1"),
    ],
)
def test_a_usage_error_is_one_line_and_exit_code_2(line, message, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = Result(*shlex.split(line), stdin=CAT)
    assert result.code == 2
    assert result.fault.startswith(message)


@pytest.mark.parametrize(
    ("line", "message", "call", "error"),
    [
        ("train --merges-out a", "a: No space left on device.", "pathlib.Path.replace", errno.ENOSPC),
        ("train --merges-out a", "a: Broken pipe.", "pathlib.Path.replace", errno.EPIPE),
        ("train secret", "secret cannot be read: Permission denied.", "pathlib.Path.open", errno.EACCES),
        ("app --port 80", "Port 80 can't be used: Permission denied.", "socket.socket.bind", errno.EACCES),
    ],
)
def test_what_the_system_refuses_is_one_line_and_the_existing_file_stays(  # noqa: PLR0917
    line, message, call, error, served, folder, monkeypatch
):
    Path("a").write_bytes(b"old")

    def fail(*_, **__):  # root, who may do everything, runs the tests too
        raise OSError(error, os.strerror(error))

    with monkeypatch.context() as failed:
        failed.setattr(call, fail)
        result = Result(*shlex.split(line), stdin=CAT)
    assert (result.code, served) == (1, [])
    assert result.fault.removesuffix(" Give another one with --port.") == message
    assert [(path.name, path.read_bytes()) for path in folder.iterdir()] == [("a", b"old")]


def test_memory_that_runs_out_is_one_line(monkeypatch):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr(Tokenizer, "encode", full)
    result = Result("encode", CAT)
    assert (result.code, result.fault[:16]) == (1, "memory ran out. ")


def test_a_folder_that_may_not_be_written_in_is_known_before_training(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "access", lambda *_: False)
    result = Result("train", "--out", tmp_path / "a.json")
    assert (result.code, result.fault) == (1, f"{tmp_path}: you may not write in this folder.")


def test_a_file_name_reaches_no_terminal_raw(tmp_path):
    for command in (["train"], ["encode", "--tokenizer"], ["encode", "--file"]):
        result = Result(*command, tmp_path / f"no{ESCAPES}\n")
        assert result.code == 1
        assert r"no\u001b[31m\u0007\u202e\u009b\u000a" in result.fault
    result = Result("encode", f"--no{ESCAPES}")
    assert (result.code, r"--no\u001b[31m\u0007" in result.fault) == (2, True)
    path = tmp_path / f"{ESCAPES}.csv"
    found = Result("train", "--merges", 1, "--merges-out", path, stdin=CAT, stdout=Terminal()).out
    assert r"\u001b[31m\u0007\u202e\u009b.csv" in found
    assert path.exists()


def test_a_token_reaches_no_terminal_raw():
    found = Result("encode", ESCAPES, "--tokens").out
    assert all(line.isprintable() for line in found.splitlines())
    found = Result("compare", ESCAPES * 2, "--left", "gpt2", "--left-merges", 0).out
    assert all(line.isprintable() for line in found.splitlines())


def test_bytes_that_are_not_utf8_are_refused_or_replaced(tmp_path):
    path = tmp_path / "latin1"
    path.write_bytes(b"caf\xe9")
    for command in (["train"], ["encode", "--file"], ["compare", "--left", "gpt2", "--file"]):
        result = Result(*command, path)
        assert (result.code, result.fault.partition(":")[0]) == (1, f"{path} is not UTF-8")
    assert Result("encode", stdin=b"\xff").fault.startswith("standard input is not UTF-8")
    assert Result("encode", os.fsdecode(b"a\xff")).fault.startswith(
        "the text given is not UTF-8: the byte at"
    )
    assert Result("decode", stdin=b"\xff").fault.startswith("standard input is not UTF-8")
    expected = load_pretrained("gpt2").encode("caf\ufffd")
    assert Result("encode", "--file", path, "--replace-invalid", "--json").json["ids"] == expected
    assert Result("train", path, "--replace-invalid", "--json").json["bytes"] == len("caf\ufffd".encode())


def test_help_is_printed_and_no_fault():
    assert Result("--help").out.startswith("usage: python -m bpeviz")
    for command in ("app", "train", "count", "encode", "decode", "compare", "recipes", "parity", "check"):
        assert command in Result("--help").out
        assert Result(command, "--help").out.startswith(f"usage: python -m bpeviz {command}")


@pytest.mark.parametrize(
    ("command", "times"),
    [("encode", 1), ("decode", 1), ("compare", 2), ("train", 0), ("audit", 0), ("trim", 0), ("player", 0)],
)
def test_help_says_gpt2_only_of_options_that_are_gpt2_if_they_are_left_out(command: str, times: int) -> None:
    said = " ".join(Result(command, "--help").out.split())
    assert said.count("otherwise gpt2") == times
    assert "one of gpt2" in said


def test_help_and_errors_name_the_program_that_was_started(capfdbinary):
    assert main(["train", "--merges", "many"], program="bpeviz") == 2
    assert main(["app", "--help"], program="bpeviz") == 0
    said = capfdbinary.readouterr()
    assert said.err.endswith(b" See: bpeviz train --help\n")
    assert said.out.startswith(b"usage: bpeviz app [-h] [--port N] [FILE ...]\n")


def test_a_reader_that_closes_the_pipe_causes_no_message():
    result = Result("recipes", stdout=Gone(errno.EPIPE))
    assert (result.code, result.errors) == (1, "")


@pytest.mark.parametrize("command", [["recipes"], ["--help"], ["decode", "64"], ["encode", "a", "--json"]])
def test_a_full_disk_is_one_line(command):
    result = Result(*command, stdout=Gone(errno.ENOSPC))
    assert (result.code, result.fault) == (1, "standard output: No space left on device.")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["train", "--merges", "2", "--merges-out", "/dev/full"], "/dev/full"),
        (["recipes"], "standard output"),
        (["--version"], "standard output"),
        (["train", "--help"], "standard output"),
    ],
)
def test_a_full_device_is_named(command, name):
    with Path("/dev/full").open("wb") as full:
        stdout = subprocess.PIPE if name == "/dev/full" else full
        run = process(*command, stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE)
        out, err = run.communicate(CAT.encode())
    assert (out or b"", err) == (b"", f"bpeviz: {name}: No space left on device.\n".encode())
    assert run.returncode == 1


def test_the_longest_file_name_can_be_written(tmp_path):
    write_whole(tmp_path / ("a" * 255), b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_a_device_is_written_to_even_in_a_folder_without_permission(tmp_path, monkeypatch):
    """Only root may make files in /dev."""
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) == Path(os.devnull))
    assert Result("train", "--merges", 2, "--merges-out", os.devnull, stdin=CAT).code == 0


def test_the_version_is_that_of_the_package():
    """The wheel has it from there too."""
    assert Result("--version").out == f"bpeviz {bpeviz.__version__}\n"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"] == {"path": "bpeviz/__init__.py"}


def test_an_error_that_cannot_be_printed_is_still_an_exit_code():
    assert Result("train", "nosuch", stderr=Gone(errno.EPIPE)).code == 1


@pytest.mark.parametrize("stream", [io.BytesIO, Terminal])
def test_a_training_that_is_stopped_writes_nothing(stream, tmp_path, monkeypatch):
    def steps(self):
        yield self.step()
        raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "steps", steps)
    places = ("--out", tmp_path / "a.json", "--merges-out", tmp_path / "a.csv")
    output, errors = io.BytesIO(), stream()
    with pytest.raises(KeyboardInterrupt):
        main(["train", *map(str, places)], io.BytesIO(CAT.encode()), output, errors)
    assert output.getvalue() == b""
    assert errors.getvalue().decode().rpartition("\r")[2] == ""  # the line of progress is cleared
    assert not list(tmp_path.iterdir())


def test_ctrl_c_is_one_line_and_exit_code_130():
    program = "import bpeviz.__main__ as command\ndef main(*_, **__): raise KeyboardInterrupt\n"
    program += "command.main = main\ncommand.script()"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=ROOT, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (130, b"", b"bpeviz: stopped.\n")


# the line of progress


def test_progress_is_one_line_that_disappears_at_the_end():
    terminal, now = Terminal(), iter([0.0, 0.0, 0.05, 2.0, 2.05, 4.0])
    with Progress(terminal, lambda: next(now)) as progress:
        progress.say("Merging …")
        for done in (1, 1000, 1001, 2000):
            progress.report(done, 4000)
        drawn = "1,000 of 4,000 merges, 6 s left", "2,000 of 4,000 merges, 4 s left"
        assert terminal.getvalue().decode() == f"\rMerging …\r{drawn[0]}\r{drawn[1]}"
        now = iter([5.0])
    assert terminal.getvalue().decode().endswith(f"\r{' ' * len(drawn[1])}\r")


def test_without_an_end_there_is_no_time_left():
    terminal, now = Terminal(), iter([0.0, 9.0])
    Progress(terminal, lambda: next(now)).report(1234, None)
    assert terminal.getvalue() == b"\r1,234 merges"


def test_progress_is_for_terminals(monkeypatch):
    monkeypatch.setattr(bpeviz.cli.progress, "SECONDS_BETWEEN", 0)
    terminal = Terminal()
    Result("train", "--vocab-size", 261, stdin=CAT, stderr=terminal)
    assert "4 of 5 merges, 0 s left" in terminal.getvalue().decode()
    assert Result("train", "--vocab-size", 261, stdin=CAT, stdout=Terminal()).errors == ""


# in a new process


def test_through_a_real_pipe():
    text = "日本 the cat\r\n\x00"
    encode = process("encode", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    decode = process("decode", stdin=encode.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    encode.stdout.close()
    encode.stdin.write(text.encode())
    encode.stdin.close()
    assert decode.communicate() == (text.encode(), b"")
    assert encode.stderr.read() == b""
    encode.stderr.close()
    assert (encode.wait(), decode.returncode) == (0, 0)


def test_the_locale_changes_nothing():
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    encode = process("encode", "--tokens", stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert encode.communicate("é".encode())[0].decode() == "2634  é\n"
    encode = process("encode", "é", **streams, env={**environment, "PYTHONCOERCECLOCALE": "0"})
    assert encode.communicate() == (b"2634\n", b"")


def test_head_closes_the_pipe_in_silence():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        run = process("recipes", stdout=pipe, stderr=subprocess.PIPE)
        assert run.communicate()[1] == b""
    assert run.returncode == 1


def test_a_process_gives_the_exit_code():
    run = process("train", "nosuch", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.communicate() == (b"", b"bpeviz: nosuch cannot be read: No such file or directory.\n")
    assert run.returncode == 1


def until(terminal, pattern, seconds=120):
    """What a pseudo-terminal shows up to ``pattern``, or to its end."""
    shown, due = b"", time.monotonic() + seconds
    with suppress(OSError):  # Linux raises it when the other side is closed
        while not re.search(pattern, shown) and time.monotonic() < due:
            shown += os.read(terminal, 4096)
    return shown


@pytest.fixture
def _interruptible():
    """In the background of a shell, tests and the processes that they start would ignore Ctrl+C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.usefixtures("_interruptible")
@pytest.mark.full
def test_a_terminal_sees_the_line_of_progress_and_stops_it_with_ctrl_c(tmp_path):
    import pty

    text = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=1_000_000))  # a minute of work
    (tmp_path / "text").write_text(text, "utf-8")
    ours, theirs = pty.openpty()
    out = tmp_path / "merges.csv"
    run = process(
        *("train", tmp_path / "text", "--split", "none", "--merges", 300_000, "--merges-out", out),
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    assert b"merges" in until(ours, rb"\r[\d,]+ of 300,000 merges, [\w ]+ left")
    run.send_signal(signal.SIGINT)
    rest = until(ours, b"stopped")
    assert re.search(rb"\r +\rbpeviz: stopped\.", rest + until(ours, b"$^"))
    assert run.communicate()[0] == b""
    os.close(ours)
    assert run.returncode == 130
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("group", [False, True], ids=["the command", "its whole group, as a terminal does"])
@pytest.mark.full
def test_ctrl_c_ends_a_command_and_the_processes_that_count_for_it(group, tmp_path):
    (tmp_path / "text").write_text(f"{CAT}. {CAT}!\n" * 1_000_000, "utf-8")
    command = [sys.executable, "-W", "error", "-m", "bpeviz", "count", str(tmp_path / "text")]
    command += ["--split", "cl100k", "--out", str(tmp_path / "a.csv")]
    with (tmp_path / "stderr").open("wb") as stderr, started(command, stderr) as run:
        while run.poll() is None and len(in_session(run.pid)) < (1 + cores() if cores() > 1 else 1):
            time.sleep(0.01)
        time.sleep(0.3)  # Python loses a Ctrl+C in the middle of a fork
        os.killpg(run.pid, signal.SIGINT) if group else run.send_signal(signal.SIGINT)
    assert (run.returncode, (tmp_path / "stderr").read_bytes()) == (130, b"bpeviz: stopped.\n")
    assert all_end(run.pid)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
@pytest.mark.full
def test_the_processes_that_count_end_with_a_command_that_is_killed(tmp_path):
    (tmp_path / "text").write_text(f"{CAT}. {CAT}!\n" * 1_000_000, "utf-8")
    command = [sys.executable, "-m", "bpeviz", "count", str(tmp_path / "text"), "--split", "cl100k"]
    out = ["--out", str(tmp_path / "a.csv")]
    with (tmp_path / "stderr").open("wb") as stderr, started([*command, *out], stderr) as run:
        while run.poll() is None and len(in_session(run.pid)) < 2:
            time.sleep(0.01)
        if cores() > 1:
            assert len(in_session(run.pid)) > 1
        run.kill()
    assert all_end(run.pid)


def started(command, stderr, folder=ROOT):
    """A process in a new session, without output; the context waits for its end."""
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=stderr, start_new_session=True
    )


@pytest.mark.full
def test_a_command_that_ignores_ctrl_c_keeps_ignoring_it():
    """As with nohup, and in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        run = process("encode", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        run.send_signal(signal.SIGINT)
        assert run.communicate(b"the cat") == (b"1169 3797\n", b"")
    finally:
        signal.signal(signal.SIGINT, before)


# helpers


def test_a_table_aligns_its_columns():
    assert table([("a", "bb"), ("ccc", "")]) == ["a    bb", "ccc"]
    assert table([]) == []


@given(ANY_TEXT)
def test_printable_text_prints(text):
    assert printable(text).isprintable()
    assert visible(text.encode()).isprintable()
    assert set(printable(text, keep="\n")) - {"\n"} <= set(filter(str.isprintable, printable(text)))


# the page


@pytest.fixture
def served(monkeypatch):
    """The ports that the page would be served on."""
    ports = []
    monkeypatch.setattr("bpeviz.ui.server.launch.serve", lambda port, files, query: ports.append(port) or 0)
    monkeypatch.delenv("STREAMLIT_SERVER_PORT", raising=False)
    return ports


@pytest.fixture
def taken():
    """A port of this machine that another program listens on."""
    with socket.socket() as other:
        other.bind(("localhost", 0))
        other.listen()
        yield other.getsockname()[1]


def test_the_page_is_served_on_the_port_asked_for(served, monkeypatch):
    port, other = free_port(), free_port()
    assert Result("app", "--port", port).out == ""
    monkeypatch.setenv("STREAMLIT_SERVER_PORT", str(other))
    assert Result("app").out == ""
    assert Result("app", "--port", port).out == ""
    assert served == [port, other, port]


@pytest.mark.parametrize("port", ["0", "-1", "65536", "abc", "", "1.5", "9" * 5000])
def test_a_port_that_is_none_is_one_line_and_exit_code_2(port, served):
    result = Result("app", f"--port={port}")
    assert (result.code, served) == (2, [])
    assert result.fault.startswith("argument --port: ")


def test_a_port_in_use_is_one_line_and_exit_code_1(served, taken):
    result = Result("app", "--port", taken)
    assert (result.code, served) == (1, [])
    assert result.fault == f"Port {taken} is in use. Give another one with --port."


def test_without_a_port_the_page_takes_the_first_free_one(served, taken, monkeypatch):
    monkeypatch.setattr("bpeviz.cli.app._FIRST_PORT", taken)
    assert Result("app").out == ""
    assert taken < served[0] < taken + 100
    monkeypatch.setattr("bpeviz.cli.app._TRIED_PORTS", 1)
    assert Result("app").fault == f"Port {taken} is in use. Give another one with --port."


# the documentation


@pytest.mark.parametrize(
    ("page", "heading", "parts"),
    [
        (
            "command-line.md",
            "Train, encode, compare",
            [
                "␣the\n",
                "\nthe hat",
                "\nprecision ",
                "\nmerges.html: 200 merges, ",
                "subword-nmt",
                "\nIdentical for",
                "\nEqual to huggingface: all ",
            ],
        ),
        (
            "command-line.md",
            "Check your trainer",
            ["\nThe first 4 merges are equal. At merge 5 you merged ␣ + s (105 times)", '"status": "equal"'],
        ),
        (
            "large-corpora.md",
            "Counts from any engine",
            ["\ndistinct pre tokens ", "\nvocabulary size  500\n"],
        ),
    ],
)
def test_the_lines_of_the_documentation_work(page, heading, parts, tmp_path):
    section = (ROOT / "docs" / page).read_text("utf-8").partition(f"\n## {heading}\n")[2]
    lines = re.search(r"```sh\n(.*?)```", section, re.DOTALL)[1]
    assert lines.count("python -m bpeviz") >= 2
    (tmp_path / "sample_texts").symlink_to(ROOT / "sample_texts")
    python = f'python() {{ {sys.executable} -W error "$@"; }}\n'
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", python + lines],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stderr.decode()) == (0, "")
    said = run.stdout.decode()
    assert [part for part in parts if part not in said] == []


# tokenizer files that lack something


def test_a_file_of_ranks_without_a_pattern_is_refused_and_can_be_given_one(tmp_path):
    path = tmp_path / "mine.tiktoken"
    saved = Result(
        "train", "--recipe", "rustbpe", "--merges=9", "--out", path, "--format=tiktoken", stdin=CAT
    )
    assert "The file holds no split pattern" in saved.errors
    assert saved.errors.count("\n") == 1
    assert "its name says none. Give the pattern" in Result("encode", CAT, "--tokenizer", path).fault
    assert Result("encode", CAT, "--tokenizer", path, "--split=rustbpe").errors == ""
    regex = ("--split-regex", r"\S|\s")
    by_regex = Result("encode", "the cat", "--tokenizer", path, *regex)
    assert len(by_regex.out.split()) == len("the cat")
    assert Result("decode", "97", "--tokenizer", path).errors == ""
    compared = Result("compare", CAT, "--left", path, "--left-split-regex", r"\S|\s", "--json")
    assert compared.json["left"]["tokens"] == len(CAT)


def test_a_pattern_is_named_or_written_not_both():
    assert "not allowed with" in Result("encode", "a", "--split=gpt2", "--split-regex=.").fault
    assert "has its own split pattern" in Result("encode", "a", "--split-regex=.").fault


def test_a_caution_about_minbpe_is_a_line_on_standard_error(tmp_path):
    options = ("--merges=9", "--format=minbpe", "--out", tmp_path / "x.model")
    assert Result("train", "--recipe=minbpe", *options, stdin=CAT).errors == ""
    told = Result("train", "--recipe=rustbpe", *options, stdin=CAT).errors
    assert "minbpe's own load() ignores the split pattern" in told
    assert told.count("\n") == 1


def test_short_names_and_folders_of_models(tmp_path):
    assert Result("encode", CAT, "--tokenizer=r50k").out == Result("encode", CAT).out
    Result("train", "--merges=9", "--out", tmp_path / "tokenizer.json", stdin=CAT)
    of_folder = Result("encode", CAT, "--tokenizer", tmp_path).out
    assert of_folder == Result("encode", CAT, "--tokenizer", tmp_path / "tokenizer.json").out


# --- tokens in colour ----------------------------------------------------------------------------------


def without_colours(written):
    return re.sub(r"\x1b\[[0-9;]*m", "", written)


def test_encode_prints_the_tokens_in_colour():
    out = Result("encode", "--color", "tokenization\x1b[31m of\nlines").out
    assert without_colours(out) == "tokenization\\u001b[31m␣of⏎\nlines\n"
    assert out.count("\x1b[0m") == len(load_pretrained("gpt2").encode("tokenization\x1b[31m of\nlines"))


def test_compare_prints_the_tokens_of_both_in_colour():
    plain = Result("compare", "--left", "gpt2", "--right", "o200k", "日本語").out
    coloured = Result("compare", "--left", "gpt2", "--right", "o200k", "--color", "日本語").out
    assert coloured.startswith(plain)
    rows = without_colours(coloured.removeprefix(plain)).splitlines()
    assert rows == ["gpt2: 6 tokens", "E6 97A5E6 9CACE8 AA9E", "o200k: 2 tokens", "日本語"]


def test_colours_need_two_tokenizers():
    given = ["compare", "--color", "--tokenizer", "gpt2", "--tokenizer", "o200k", "a"]
    assert Result(*given).fault == "--color needs --left or --right."


def test_a_training_that_saves_nothing_says_so(tmp_path):
    text = tmp_path / "cat.txt"
    text.write_text("the cat in the hat " * 3)
    said = "Nothing is saved. To save the tokenizer, give --out PATH."
    assert Result("train", text).out.splitlines()[-1] == said
    assert said not in Result("train", text, "--out", tmp_path / "a.json").out
    assert said not in Result("train", text, "--merges-out", tmp_path / "a.csv").out
    assert Result("train", text, "--json").json["out"] is None
