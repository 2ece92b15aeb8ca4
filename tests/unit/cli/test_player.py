"""The command player: the page that it writes, and its errors."""

import base64
import gzip
import json
import os
import re
import struct
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bpeviz import Corpus, Trainer, load_pretrained
from bpeviz.core.gap_ranks import NEVER
from tests.support.paths import ROOT
from tests.unit.cli.test_cli import CAT, Result

HOSTILE = "<title><script>alert(1)<img src=x>&\"'\x1b[31m\u202e.txt"


def data_of(page: str, name: str) -> bytes:
    found = re.search(rf'<script type="application/gzip" id="{name}">([^<]*)</script>', page)
    assert found
    return gzip.decompress(base64.b64decode(found[1]))


def settings_of(page: str) -> dict:
    return json.loads(re.search(r'id="settings">([^<]*)</script>', page)[1])


def header_of(page: str) -> dict:
    """What the player of the page knows of its run, but for the arrays."""
    pack = data_of(page, "packs")
    (length,) = struct.unpack_from("<I", pack)
    return json.loads(pack[4 : 4 + length])


def title_of(page: str) -> str:
    return unescape(re.search("<title>(.*)</title>", page, re.DOTALL)[1])


def merges_of(page: str) -> list[str]:
    """The tokens that the merges of the page make, as it lists them."""
    return re.findall(r"<tr><td>\d+<td>[^<]*<td>[^<]*<td>([^<]*)<td>", page)


class Tags(HTMLParser):
    """The tags of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)


def written(tmp_path: Path, *argv, stdin=CAT) -> str:
    out = tmp_path / "out.html"
    result = Result("player", *argv, "--out", out, stdin=stdin)
    page = out.read_text("utf-8")
    merges = len(merges_of(page))
    assert result.out == f"{out}: {merges} merge{'s'[: merges != 1]}, {out.stat().st_size:,} bytes\n"
    return page


def test_the_merges_of_a_recipe_on_a_text(tmp_path):
    (tmp_path / "cat.txt").write_text(CAT, "utf-8")
    page = written(tmp_path, "--text", tmp_path / "cat.txt", "--recipe", "minbpe", "--merges", 5)
    assert merges_of(page) == ["th", "the", "at", "␣c", "␣cat"]
    assert title_of(page) == "cat.txt: recipe minbpe, 5 merges"
    header = header_of(page)
    assert (header["start"], header["num_merges"], header["text_bytes"]) == (0, 5, 18)
    assert (header["tie"], header["autoplay"], header["order"]) == ("first-seen", 0, "")


def test_standard_input_is_the_text_without_one(tmp_path):
    page = written(tmp_path, "--merges", 2)
    assert title_of(page) == "standard input: recipe huggingface, 2 merges"
    assert merges_of(written(tmp_path, "--text", "-", "--merges", 2)) == merges_of(page)


def test_the_rules_are_those_of_a_training(tmp_path):
    for rules in (
        ["--vocab-size", 260, "--recipe", "minbpe"],
        ["--min-frequency", 2],
        ["--split", "whitespace"],
        ["--split-regex", r"\w+|\W+"],
        ["--special-token", "<a>", "--special-token", "<b>"],
    ):
        page = written(tmp_path, *rules)
        found = Result("train", *rules, "--json", stdin=CAT).json
        header = header_of(page)
        assert (len(merges_of(page)), header["stop_reason"]) == (found["merges"], found["stop_reason"])


def test_without_a_limit_there_are_500_merges(tmp_path):
    prose = ROOT / "sample_texts" / "english-prose.txt"
    assert len(merges_of(written(tmp_path, "--text", prose))) == 500


def test_the_merges_of_gpt2_on_a_text(tmp_path):
    page = written(tmp_path, "--tokenizer", "gpt2")
    assert title_of(page) == "standard input: gpt2's merges, 11 merges"
    gpt2 = load_pretrained("gpt2")
    ranks = gpt2.gap_ranks(CAT)
    used = sorted({int(rank) for rank in ranks if rank < NEVER})
    assert [gpt2.token_bytes(gpt2.ranked[rank][1]).decode().replace(" ", "␣") for rank in used] == merges_of(
        page
    )
    header = header_of(page)
    assert (header["start"], header["num_merges"]) == (len(used), len(used))
    assert header["order"] == "gpt2 merges by rank, not by count."


def test_the_merges_of_a_tokenizer_in_a_file_or_a_folder(tmp_path):
    made = tmp_path / "made"
    made.mkdir()
    trainer = Trainer(Corpus.from_text(CAT, "gpt2"), num_merges=4)
    tokens = [step.token.decode().replace(" ", "␣") for step in trainer.steps()]
    trainer.tokenizer().save(made / "tokenizer.json")
    for tokenizer in (made, made / "tokenizer.json"):
        page = written(tmp_path, "--tokenizer", tokenizer, "--step", 1)
        assert merges_of(page) == tokens
        assert header_of(page)["start"] == 1
        assert title_of(page) == f"standard input: {tokenizer.name}'s merges, 4 merges"


def test_how_the_page_looks_and_begins(tmp_path):
    look = ["--theme", "dark", "--panels", "pairs,text", "--autoplay", "--speed", "1,000"]
    page = written(tmp_path, "--step", 3, *look, "--caption", "<b>Cats</b> & hats\u200d 👩‍🚀")
    settings, header = settings_of(page), header_of(page)
    assert 'data-theme="dark"' in page
    assert (settings["panels"], settings["speed"]) == (["text", "pairs"], 1000)
    assert (header["start"], header["autoplay"]) == (3, 1000)
    assert "<figcaption>&lt;b&gt;Cats&lt;/b&gt; &amp; hats\u200d 👩‍🚀</figcaption>" in page
    assert '<p id="after">The text after 3 merges:</p>' in page


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_a_hostile_name_is_text(tmp_path):
    """Also one that is not UTF-8, and one of a tokenizer."""
    plain = Tags(written(tmp_path, "--merges", 2)).tags
    hostile = tmp_path / HOSTILE
    hostile.write_text(CAT, "utf-8")
    page = written(tmp_path, "--text", hostile, "--merges", 2)
    assert Tags(page).tags == plain
    shown = HOSTILE.replace("\x1b", r"\u001b").replace("\u202e", r"\u202e")
    assert title_of(page) == f"{shown}: recipe huggingface, 2 merges"
    no_utf8 = tmp_path / os.fsdecode(b"caf\xe9.txt")
    no_utf8.write_text(CAT, "utf-8")
    page = written(tmp_path, "--text", no_utf8, "--merges", 2)
    assert title_of(page) == "caf\ufffd.txt: recipe huggingface, 2 merges"
    trainer = Trainer(Corpus.from_text(CAT, "gpt2"), num_merges=4)
    list(trainer.steps())
    trainer.tokenizer().save(tmp_path / "tokenizer.json")
    tokenizer = tmp_path / f"{HOSTILE}.json"
    (tmp_path / "tokenizer.json").rename(tokenizer)
    page = written(tmp_path, "--tokenizer", tokenizer)
    assert Tags(page).tags[:10] == plain[:10]
    assert "<script>alert" not in page
    assert title_of(page).startswith(f"standard input: {shown}.js")


def test_the_text_is_text(tmp_path):
    attack = "</script><script>alert(1)</script><!--" * 3
    page = written(tmp_path, "--merges", 3, "--caption", attack, stdin=attack)
    assert "<script>alert" not in page
    assert Tags(page).tags.count("script") == 4


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (["--step", 900], r"--step can't be 900. Give a number of merges from 0 to \d+."),
        (["--step", -1], "--step can't be -1. Give a number of merges."),
        (["--panels", "text,foo"], "--panels can't be text,foo. Choose any of text, curve, .*"),
        (["--caption", "x" * 2001], "--caption can't be x+…. Give up to 2,000 characters."),
        (["--theme", "blue"], "argument --theme: invalid choice: 'blue' .*"),
        (["--speed", "3"], "argument --speed: invalid choice: 3 .*"),
        (["--tokenizer", "gpt2", "--recipe", "minbpe"], "--tokenizer replays .*: leave --recipe out."),
        (["--tokenizer", "gpt2", "--merges", 3], "--tokenizer replays .*: leave --merges out."),
        (["--tokenizer", "gpt2", "--vocab-size", 3], "--tokenizer replays .*: leave --vocab-size out."),
        (["--tokenizer", "gpt2", "--min-frequency", 3], "--tokenizer .*: leave --min-frequency out."),
        (["--tokenizer", "gpt2", "--special-token", "a"], "--tokenizer .*: leave --special-token out."),
        (["--tokenizer", "gpt2", "--split", "gpt2"], "gpt2 has its own split pattern: give no other."),
    ],
)
def test_an_option_that_makes_no_sense_is_an_error(given, fault, tmp_path):
    result = Result("player", *given, "--out", tmp_path / "out.html", stdin=CAT)
    assert result.code == 2
    assert re.fullmatch(fault, result.fault)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "stdin", "fault"),
    [
        ([], "", "There is no text to show. Give the player a text."),
        ([], "a", "No merge was made. .* Give a longer text."),
        (["--tokenizer", "gpt2"], "", "There is no text to show. Give the player a text."),
        (["--tokenizer", "gpt2"], "a", "gpt2 merges nothing in this text. Give a longer text."),
        ([], "a" * 8_000_001, "This text has 8,000,001 bytes; a page shows up to 8,000,000. .*"),
        ([], b"\xff", "standard input .*"),
        (["--text", "no such file"], "", "no such file: No such file or directory."),
        (["--recipe", "nobody"], "", ".*nobody.*"),
        (["--tokenizer", "nobody"], "", ".*nobody.*"),
    ],
)
def test_what_cannot_be_shown_is_an_error(given, stdin, fault, tmp_path):
    result = Result("player", *given, "--out", tmp_path / "out.html", stdin=stdin)
    assert result.code == 1
    assert re.fullmatch(fault, result.fault)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_an_error_before_reading(tmp_path):
    assert Result("player", "--out", tmp_path).code == 1
    assert "there is no such folder" in Result("player", "--out", tmp_path / "a" / "b.html").fault
    text = tmp_path / "cat.txt"
    text.write_text(CAT, "utf-8")
    result = Result("player", "--text", text, "--out", text)
    assert (result.code, text.read_text("utf-8")) == (2, CAT)
    assert "given twice" in result.fault
    assert "--out" in Result("player").fault


def test_an_existing_page_is_replaced(tmp_path):
    (tmp_path / "out.html").write_text("old", "utf-8")
    assert written(tmp_path).startswith("<!doctype html>")
    assert [path.name for path in tmp_path.iterdir()] == ["out.html"]
