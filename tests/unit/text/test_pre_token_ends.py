"""Where pre-tokens end: by hand, then against the regular expressions."""

import unicodedata
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.errors import SplitPatternError
from bpeviz.text.characters import characters
from bpeviz.text.pre_token_ends import pre_token_ends, pre_tokens, quick_ends
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern, split
from tests.support.paths import SAMPLE_TEXTS
from tests.support.texts import ANY_TEXT, BORDERS_OF_SPLITTING, PARTING_TEXT, TIGHT_TEXT

GPT2, RUSTBPE = SPLIT_PATTERNS["gpt2"], SPLIT_PATTERNS["rustbpe"]
QWEN35, WHITESPACE = SPLIT_PATTERNS["qwen3.5"], SPLIT_PATTERNS["whitespace"]
EVERY_CHARACTER = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]


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
    "cl100k": [
        # white space that ends the text is one pre-token, except for line ends after a sign
        ["a", " \n  "],
        ["a", "\n \n"],
        ["(\n\n", " \n "],
        ["a", " \n", " ", " b", "\n"],
    ],
    "qwen2": [["a", " ", "1", "2", "(\n", "3"], ["a", " \n", "  "]],
    "o200k": [
        # a word ends before a capital that follows a small letter, and includes a contraction
        ["Hello", "World", "ABCd", "E"],
        ["cat's", "x", " HAT'LL", "'re'S", "'star", "''", "s"],
        ["a", "B日a日"],
        ["1", "'s", "(a's", "b", "(\n", "a"],
        # a letter without case may be a capital; marks are letters and signs; a slash may follow a line end
        ["日A日Ab", " 日", "A"],
        ["(\u0301a", "((\u0301", "a"],
        ["(\n/", "a"],
    ],
    "tekken": [["cat", "'s", "Hat", "1", "2", "(\n//", "a"]],
    "whitespace": [["a!", " \n\x1c\u3000", "b"], ["\t", "a", " "]],
    "spaces": [["a\t!", " \n\r", "b\u3000"]],
    "sentencepiece": [[" ", " ", "▁a", " b\t", "\n\x00", "a", "▁", "\n"], ["\x1f", " "]],
    "qwen3.5": [["e\u0301a", " \u0301", "(\u0301a", "((", "\u0301", "1", "2"]],
}


@pytest.mark.parametrize(
    ("name", "parted"), [(name, parted) for name, texts in BY_HAND.items() for parted in texts]
)
def test_by_hand(name, parted):
    text = "".join(parted)
    assert split(text, name) == parted
    assert pre_token_ends(text, SPLIT_PATTERNS[name]).tolist() == list(accumulate(map(len, parted)))


#: Those that are split without the expression; kimi always needs it.
QUICK = [name for name in SPLIT_PATTERNS if name not in ("none", "kimi")]
#: What some patterns search for with the expression after all.
NOT_QUICK = {"o200k", "tekken"}
WITHOUT_EXPRESSION = pytest.mark.parametrize("pattern", [SPLIT_PATTERNS[name] for name in QUICK], ids=QUICK)


@WITHOUT_EXPRESSION
@given(text=PARTING_TEXT | BORDERS_OF_SPLITTING | TIGHT_TEXT)
def test_as_the_regular_expression(pattern, text):
    assert pattern.name in NOT_QUICK or not text or quick_ends(text, pattern) is not None
    assert pre_token_ends(text, pattern).tolist() == ends_by_splitting(text, pattern)


@pytest.mark.parametrize("name", ["o200k", "tekken"])
@given(text=st.text("aBſK日1'SsLl!_/ \n\r\t", max_size=30))
def test_words_by_case_as_the_regular_expression(name, text):
    assert pre_token_ends(text, SPLIT_PATTERNS[name]).tolist() == ends_by_splitting(
        text, SPLIT_PATTERNS[name]
    )


@pytest.mark.parametrize("name", ["o200k", "tekken"])
@pytest.mark.parametrize("between", ["a", "1", " ", "!", "'s"])
def test_every_character_but_marks_is_known_to_words_by_case(name, between):
    text = between.join(c for c in EVERY_CHARACTER if not unicodedata.category(c).startswith(("M", "C")))
    found = quick_ends(text, SPLIT_PATTERNS[name])
    assert found is not None
    assert found.tolist() == ends_by_splitting(text, SPLIT_PATTERNS[name])


@WITHOUT_EXPRESSION
@pytest.mark.parametrize("path", SAMPLE_TEXTS, ids=lambda path: path.name)
def test_on_samples(pattern, path):
    text = path.read_text("utf-8")
    assert pre_token_ends(text, pattern).tolist() == ends_by_splitting(text, pattern)


@pytest.mark.full  # takes long
@pytest.mark.parametrize("pattern", [GPT2, RUSTBPE, QWEN35, WHITESPACE], ids=lambda pattern: pattern.name)
@pytest.mark.parametrize("between", ["a", "1", " ", "!", "'s"])
def test_every_character_is_known(pattern, between):
    text = between.join(EVERY_CHARACTER)
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
