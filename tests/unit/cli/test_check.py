"""The command check: what it prints, and its exit codes."""

import json

import pytest

from bpeviz import RECIPES
from tests.support import wrong_trainers as wrong
from tests.support.paths import ROOT
from tests.unit.cli.test_cli import Result

CAT = (ROOT / "sample_texts" / "english-prose.txt").read_text("utf-8")


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(CAT, "utf-8")
    return path


def merges_of(tmp_path, best=wrong.first_of, merges=20):
    """Write the merges of a trainer as Python prints them."""
    pre_tokens = RECIPES["minbpe"].split_pattern().split(CAT)
    path = tmp_path / "merges.txt"
    path.write_text("".join(f"{left!r} {right!r}\n" for left, right in wrong.train(pre_tokens, merges, best)))
    return path


def test_equal_merges_are_0(tmp_path, corpus):
    out = tmp_path / "own.json"
    Result("train", corpus, "--recipe", "minbpe", "--merges", 9, "--out", out)
    result = Result("check", out, "--text", corpus, "--recipe", "minbpe")
    assert (result.code, result.out) == (0, "Equal to minbpe: all 9 merges are the same.\n")


def test_different_merges_are_1_with_the_cause_in_a_line(tmp_path, corpus):
    result = Result("check", merges_of(tmp_path, wrong.last_of), "--text", corpus, "--recipe", "minbpe")
    assert result.code == 1
    first, cause, how_far = result.bytes.decode().splitlines()
    assert first.endswith(": a tie.")
    assert "all your merges" in how_far
    assert "whose first place in the text comes last" in cause


def test_json_has_the_pairs_in_bytes_and_each_cause(tmp_path, corpus):
    path = merges_of(tmp_path, wrong.last_of)
    result = Result("check", path, "--text", corpus, "--recipe", "minbpe", "--json")
    values = json.loads(result.bytes)
    assert (result.code, values["status"], values["recipe"], values["merges"]) == (
        1,
        "different",
        "minbpe",
        20,
    )
    assert values["theirs"]["count"] == values["rule"]["count"]
    assert values["tie"] is True
    assert bytes.fromhex(values["rule"]["left"])
    assert values["causes"][0]["kinds"] == ["tie"]
    assert values["causes"][-1]["sentence"] in values["cause"]


def test_settings_are_those_of_the_rule(tmp_path, corpus):
    path = merges_of(tmp_path, merges=6)
    of_rule = ["check", path, "--text", corpus, "--recipe", "minbpe"]
    assert Result(*of_rule, "--split", "none").code == 1
    assert Result(*of_rule, "--split", "cl100k").code == Result(*of_rule).code
    assert "yours stops" in Result(*of_rule, "--merges", "9").bytes.decode()
    assert "the rule stops" in Result(*of_rule, "--min-frequency", "9000").bytes.decode()
    assert Result(*of_rule, "--special", "<|endoftext|>", "--by-line").code in (0, 1)


def test_texts_come_from_files_and_standard_input(tmp_path, corpus):
    path = merges_of(tmp_path, merges=6)
    of_file = Result("check", path, "--text", corpus, "--recipe", "minbpe")
    assert Result("check", path, "--text", "-", "--recipe", "minbpe", stdin=CAT.encode()).out == of_file.out
    both = Result("check", path, "--text", corpus, "--text", corpus, "--recipe", "minbpe", "--json")
    assert json.loads(both.bytes)["same"] >= 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--recipe", "gpt5"], "There is no recipe named"),
        (["--split", "gpt5"], "There is no split pattern named"),
        (["--split-regex", "("], "does not compile"),
    ],
)
def test_wrong_use_is_2(tmp_path, corpus, options, says):
    result = Result("check", merges_of(tmp_path), "--text", corpus, *options)
    assert (result.code, result.bytes) == (2, b"")
    assert says in result.errors
    assert Result("check", corpus).code == Result("check").code == 2


def test_what_could_not_be_checked_is_3(tmp_path, corpus):
    path = merges_of(tmp_path)
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    pickled = tmp_path / "merges.pkl"
    pickled.write_bytes(b"\x80\x04]\x94.")
    for merges, text, says in (
        (tmp_path / "none.txt", corpus, "No such file"),
        (path, tmp_path / "none.txt", "No such file"),
        (empty, corpus, "it is empty"),
        (path, empty, "The text has no pair to merge"),
        (pickled, corpus, "pickle.loads"),
    ):
        result = Result("check", merges, "--text", text, "--recipe", "minbpe")
        assert (result.code, result.bytes) == (3, b""), says
        assert says in result.errors
