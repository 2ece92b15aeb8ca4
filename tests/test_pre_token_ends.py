"""Where pre-tokens end: by hand, then against the regular expressions."""

from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given

from bpeviz.errors import SplitPatternError
from bpeviz.pre_token_ends import characters, pre_token_ends
from bpeviz.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern, split
from tests.texts import ANY_TEXT, PARTING_TEXT, TIGHT_TEXT

GPT2 = SPLIT_PATTERNS["gpt2"]
SAMPLE_TEXTS = sorted((Path(__file__).parents[1] / "sample_texts").glob("*.txt"))


def ends_by_splitting(text: str, pattern: SplitPattern = GPT2) -> list[int]:
    return list(accumulate(map(len, pattern.split(text))))


@pytest.mark.parametrize(
    "pre_tokens",
    [
        ["the", " cat", "'s", " hat", "."],
        # the last of white space joins a word only if it is a space
        ["a", "  ", " b"],
        ["a", " ", "\n", "b"],
        ["a", "\n", " b"],
        ["a", "\u00a0", "b"],
        ["\n\n", " '", "s"],
        # white space that ends the text is one pre-token
        ["a", " \n  "],
        [" "],
        # a contraction begins a pre-token, and the letters after it are the next one
        ["'s", "tar"],
        ["'ll", "ama"],
        ["a", "'s", "'s"],
        ["a", "''", "s"],
        ["!'", "s"],
        ["a", " '", "s"],
        ["a", "\t", "'s"],
        ["a", "'", "S"],
        ["'"],
        ["'s"],
        # kinds
        ["x", "²", "y", "½Ⅷ", "z"],
        ["e", "\u0301"],
        ["日本", "🙂!", " 日"],
        ["\x1c\x00"],
        [],
    ],
    ids="|".join,
)
def test_gpt2_by_hand(pre_tokens):
    text = "".join(pre_tokens)
    assert split(text, GPT2) == pre_tokens
    assert pre_token_ends(text, GPT2).tolist() == list(accumulate(map(len, pre_tokens)))


@given(PARTING_TEXT | ANY_TEXT | TIGHT_TEXT)
def test_gpt2_as_its_regular_expression(text):
    assert pre_token_ends(text, GPT2).tolist() == ends_by_splitting(text)


@pytest.mark.parametrize("path", SAMPLE_TEXTS, ids=lambda path: path.name)
def test_gpt2_on_samples(path):
    text = path.read_text("utf-8")
    assert pre_token_ends(text, GPT2).tolist() == ends_by_splitting(text)


@pytest.mark.parametrize("between", ["a", "1", " ", "!", "'s"])
def test_gpt2_knows_every_character(between):
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    text = between.join(every)
    assert pre_token_ends(text, GPT2).tolist() == ends_by_splitting(text)


@pytest.mark.parametrize("pattern", SPLIT_PATTERNS.values(), ids=SPLIT_PATTERNS.keys())
@given(text=PARTING_TEXT)
def test_every_pattern_as_it_splits(pattern, text):
    assert pre_token_ends(text, pattern).tolist() == ends_by_splitting(text, pattern)


def test_a_custom_pattern_that_leaves_something_out_is_refused():
    with pytest.raises(SplitPatternError):
        pre_token_ends("a b", custom_split_pattern(r"\w+"))


def test_a_character_is_its_code_point():
    assert characters("aé日🙂").tolist() == [0x61, 0xE9, 0x65E5, 0x1F642]
    assert characters("").tolist() == []
