"""Blocks: a block splits the same way alone as in its text."""

import io

import pytest
from hypothesis import given

from bpeviz import SPLIT_PATTERNS, custom_split_pattern, split
from bpeviz.corpus.blocks import blocks_of_file, blocks_of_text
from bpeviz.errors import CorpusError
from tests.support.texts import BORDERS_OF_SPLITTING

GPT2 = SPLIT_PATTERNS["gpt2"]


@pytest.fixture(autouse=True)
def _short_blocks(monkeypatch):
    monkeypatch.setattr("bpeviz.corpus.blocks.BLOCK_CHARACTERS", 4)
    monkeypatch.setattr("bpeviz.text.utf8.PART", 3)


def blocks_of_bytes(data: bytes, pattern=GPT2, errors="strict") -> list[str]:
    return list(blocks_of_file(io.BytesIO(data), pattern, errors))


def test_a_block_ends_before_white_space():
    assert list(blocks_of_text("the cat in the hat", GPT2)) == ["the cat", " in the", " hat"]


def test_a_line_end_behind_punctuation_stays_with_it():
    text = "{ab};\n{cd};\n x"
    assert list(blocks_of_text(text, GPT2)) == ["{ab};", "\n{cd};", "\n x"]
    assert list(blocks_of_text(text, SPLIT_PATTERNS["cl100k"])) == ["{ab};\n{cd};\n x"]


def test_a_text_without_stretches_is_one_block():
    for pattern in (SPLIT_PATTERNS["none"], custom_split_pattern(r"\w+|\W+")):
        assert list(blocks_of_text("the cat in the hat", pattern)) == ["the cat in the hat"]
        assert blocks_of_bytes(b"the cat in the hat", pattern) == ["the cat in the hat"]
    assert list(blocks_of_text("aaaaaaaaaaaaaaaaaaaaaaaaaa", GPT2)) == ["a" * 26]


def test_a_text_of_nothing_has_no_blocks():
    assert list(blocks_of_text("", GPT2)) == blocks_of_bytes(b"") == []


@pytest.mark.parametrize("name", SPLIT_PATTERNS)
@given(text=BORDERS_OF_SPLITTING)
def test_blocks_are_split_as_the_text_is(name, text):
    pattern = SPLIT_PATTERNS[name]
    for blocks in (list(blocks_of_text(text, pattern)), blocks_of_bytes(text.encode(), pattern)):
        assert "".join(blocks) == text
        assert [p for block in blocks for p in split(block, pattern)] == split(text, pattern)


def test_a_file_is_read_no_further_than_its_blocks_are_asked_for():
    file = io.BytesIO(b"the cat in the hat " * 100)
    blocks = blocks_of_file(file, GPT2)
    assert next(blocks) == "the cat"
    assert file.tell() < 30


def test_a_long_text_without_an_end_is_joined_a_few_times_only(monkeypatch):
    searched = []

    def end_of_block(text, start, pattern):
        searched.append(len(text) - start)

    monkeypatch.setattr("bpeviz.corpus.blocks._end_of_block", end_of_block)
    assert blocks_of_bytes(b"a" * 3_000) == ["a" * 3_000]
    assert len(searched) < 12


def test_files_that_cannot_be_read_are_named(tmp_path):
    (tmp_path / "latin1.txt").write_bytes("the caf\xe9 in the hat".encode("latin-1"))
    with pytest.raises(CorpusError, match=r"latin1\.txt is not UTF-8: the byte at offset 7"):
        list(blocks_of_file(tmp_path / "latin1.txt", GPT2))
    assert (
        "".join(blocks_of_file(str(tmp_path / "latin1.txt"), GPT2, "replace")) == "the caf\ufffd in the hat"
    )
    with pytest.raises(CorpusError, match=r"missing\.txt cannot be read: No such file"):
        list(blocks_of_file(tmp_path / "missing.txt", GPT2))
    with pytest.raises(CorpusError, match="half of a surrogate pair"):
        blocks_of_text("a\ud800", GPT2)
