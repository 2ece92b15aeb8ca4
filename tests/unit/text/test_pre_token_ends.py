"""Where pre-tokens end: by hand, then against the regular expressions."""

from itertools import accumulate

import pytest
from hypothesis import given

from bpeviz.errors import SplitPatternError
from bpeviz.text.characters import characters
from bpeviz.text.pre_token_ends import is_quick, pre_token_ends, pre_tokens
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern, split
from tests.support.paths import SAMPLE_TEXTS
from tests.support.texts import ANY_TEXT, BORDERS_OF_SPLITTING, PARTING_TEXT, TIGHT_TEXT

GPT2, RUSTBPE = SPLIT_PATTERNS["gpt2"], SPLIT_PATTERNS["rustbpe"]


def ends_by_splitting(text: str, pattern: SplitPattern = GPT2) -> list[int]:
    return list(accumulate(map(len, pattern.split(text))))


BY_HAND = {
    "gpt2": [
        ["the", " cat", "'s", " hat", "."],
        # the last white space character joins a word only if it is a space
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
    "rustbpe": [
        ["the", " cat", "'S", " hat", "."],
        # a word includes one character before it; a sign only if it is alone
        ["a", "(b", "\t", "(b", " (", "b", "((", "b", "\tb", "\n", "(b", "\x1cb"],
        # white space ends at its last line end, the rest before its last character
        ["a", " \n \n", " ", " b"],
        ["a", " \t", " (", "\t", "("],
        ["a", " \n", "  "],
        # signs include the line ends after them
        ["(a", ")\n\n", " \n", " b"],
        ["(\r\n", "\t", "\t", "1"],
        # numbers
        ["123", "456", "7", " ", " ", "1", "a", "½²3"],
        ["'ſ", "x", "'ll", "ama", "''", "s", " '", "s"],
        ["'"],
        [],
    ],
}


@pytest.mark.parametrize(
    ("name", "parted"), [(name, parted) for name, texts in BY_HAND.items() for parted in texts]
)
def test_by_hand(name, parted):
    text = "".join(parted)
    assert split(text, name) == parted
    assert pre_token_ends(text, SPLIT_PATTERNS[name]).tolist() == list(accumulate(map(len, parted)))


WITHOUT_EXPRESSION = pytest.mark.parametrize("pattern", [GPT2, RUSTBPE], ids=["gpt2", "rustbpe"])


@WITHOUT_EXPRESSION
@given(text=PARTING_TEXT | BORDERS_OF_SPLITTING | TIGHT_TEXT)
def test_as_the_regular_expression(pattern, text):
    assert is_quick(pattern)
    assert pre_token_ends(text, pattern).tolist() == ends_by_splitting(text, pattern)


@WITHOUT_EXPRESSION
@pytest.mark.parametrize("path", SAMPLE_TEXTS, ids=lambda path: path.name)
def test_on_samples(pattern, path):
    text = path.read_text("utf-8")
    assert pre_token_ends(text, pattern).tolist() == ends_by_splitting(text, pattern)


@WITHOUT_EXPRESSION
@pytest.mark.parametrize("between", ["a", "1", " ", "!", "'s"])
def test_every_character_is_known(pattern, between):
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    text = between.join(every)
    assert pre_token_ends(text, pattern).tolist() == ends_by_splitting(text, pattern)


@pytest.mark.parametrize("name", ["gpt2", "rustbpe", "cl100k"])
@given(text=PARTING_TEXT | TIGHT_TEXT | ANY_TEXT)
def test_pre_tokens_are_cut_at_their_ends(name, text):
    assert pre_tokens(text, SPLIT_PATTERNS[name]) == split(text, name)


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
