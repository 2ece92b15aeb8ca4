"""The command trim: what it prints, what it saves, and its errors."""

import json

import pytest
from tokenizers import Tokenizer as TheirTokenizer

from bpeviz import Tokenizer, load_pretrained
from tests.support.tokenizer_files import minbpe_model, tiny
from tests.unit.cli.test_cli import Result


@pytest.fixture
def tokenizer(tmp_path):
    """ab and ␣ab, with a token around each text."""
    changes = {("post_processor",): {"type": "BertProcessing", "sep": ["<|end|>", 6], "cls": ["<|end|>", 6]}}
    changes[("model", "vocab")] = {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġab": 4, "ba": 5, "<|end|>": 6}
    changes[("model", "merges")] = [["a", "b"], ["Ġ", "ab"], ["b", "a"]]
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(tiny(changes)))
    return path


def test_it_says_what_fell_and_what_it_costs(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("in the hat they put the cat")
    result = Result("trim", "gpt2", "--drop", " the", "--file", text)
    first, cost, saved = result.out.splitlines()
    assert first.startswith("1 token dropped, 49 with them; 50,207 of 50,257 left; with them: ␣they, ␣their")
    assert cost == f"{text}: 7 tokens before, 10 after, +42.9%"
    assert saved == "Nothing is saved. Give --out PATH."


def test_the_saved_file_keeps_what_is_around_a_text(tokenizer, tmp_path):
    out = tmp_path / "out.json"
    assert f"saved: {out}" in Result("trim", tokenizer, "--drop", "ab", "--out", out).out
    left = TheirTokenizer.from_file(str(out))
    assert left.encode("ab ba").tokens == ["<|end|>", "a", "b", "Ġ", "ba", "<|end|>"]
    assert left.encode("ab ba").ids == [4, 0, 1, 2, 3, 4]


def test_with_holes_the_ids_stay(tokenizer, tmp_path):
    out = tmp_path / "out.json"
    Result("trim", tokenizer, "--drop-id", "3", "--ids", "holes", "--out", out)
    assert TheirTokenizer.from_file(str(out)).encode("ba").ids == [6, 5, 6]


@pytest.mark.parametrize(
    ("conditions", "dropped"),
    [
        (["--never-used-in", "-"], [5]),
        (["--longer-than", "2"], [4]),
        (["--script", "Latin"], [3, 4, 5]),
        (["--script", "Latin", "--longer-than", "2"], [4]),
        (["--longer-than", "2", "--drop", "ba"], [4, 5]),
    ],
)
def test_conditions_choose_tokens(tokenizer, conditions, dropped):
    result = Result("trim", tokenizer, *conditions, "--json", stdin=b"ab ab")
    assert json.loads(result.out)["dropped"] == dropped


def test_what_a_text_never_needs_costs_it_nothing(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("in the hat they put the cat")
    values = json.loads(Result("trim", "gpt2", "--never-used-in", text, "--json").out)
    assert values["texts"] == [{"file": str(text), "before": 7, "after": 7}]
    assert values["fallen"] == []


def test_a_pretrained_tokenizer_and_other_files_are_saved_as_a_tokenizer_json(tmp_path):
    out = tmp_path / "out.json"
    Result("trim", "gpt2", "--drop", " the", "--out", out)
    expected = load_pretrained("gpt2").without([" the"])
    assert Tokenizer.load(out).encode("in the hat") == expected.encode("in the hat")
    model = tmp_path / "own.model"
    model.write_bytes(minbpe_model("97 98", "256 99")["tokenizer.model"])
    Result("trim", model, "--drop", "abc", "--out", out)
    assert Tokenizer.load(out).encode("abc") == [256, 99]
    Result("trim", model, "--drop", "abc", "--format", "minbpe", "--out", tmp_path / "out.model")
    assert Tokenizer.load(tmp_path / "out.model").encode("abc") == [256, 99]


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["gpt2"], 2, "say what to drop"),
        (["gpt2", "--drop", "a"], 1, "'a' is a base symbol"),
        (["gpt2", "--drop", "<|endoftext|>"], 1, "is a special token"),
        (["gpt2", "--drop", "thezz"], 1, "There is no token 'thezz'"),
        (["gpt2", "--drop-id", "60000"], 1, "no token with id 60000"),
        (["gpt2", "--script", "Klingon"], 1, "There is no script 'Klingon'"),
        (["gpt2", "--longer-than", "-1"], 2, "--longer-than must be 0 or more"),
        (["gpt2", "--drop", " the", "--format", "gpt2"], 2, "give --out too"),
        (["gpt2", "--drop", " the", "--out", "."], 1, "it is a folder"),
    ],
)
def test_a_fault_is_one_line(arguments, code, why):
    result = Result("trim", *arguments)
    assert result.code == code
    assert why in result.fault


def test_the_file_that_is_read_is_not_written(tokenizer):
    assert "is given twice" in Result("trim", tokenizer, "--drop", "ab", "--out", tokenizer).fault
