"""Split patterns that cut a text at special tokens first."""

import pickle
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import SPLIT_PATTERNS, SplitPattern, custom_split_pattern
from bpeviz.corpus.pieces import count_pieces, has_pieces
from bpeviz.errors import CorpusError, SplitPatternError
from bpeviz.text.pre_token_ends import pre_token_ends, pre_tokens
from tests.support.texts import ANY_TEXT

GPT2 = SPLIT_PATTERNS["gpt2"]
WITHOUT_SPACES = ["<s>", "<s", "s>a", "<|end|>", "aa", "é!", "'s"]
TOKENS = st.lists(st.sampled_from([*WITHOUT_SPACES, " a", "a\n", "\x1f"]), unique=True, min_size=1)
PIECES = [
    "a",
    "b",
    " ",
    "  ",
    "aa",
    "\n",
    "\r\n",
    "'s",
    "<s>",
    "<s",
    "s>",
    "<|end|>",
    "é!",
    "12",
    "\t",
    "\x1f",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | ANY_TEXT
EVERY_PATTERN = pytest.mark.parametrize("pattern", SPLIT_PATTERNS.values(), ids=SPLIT_PATTERNS.keys())


def split_part_by_part(pattern: SplitPattern, tokens: list[str], text: str) -> list[str]:
    """The text cut by an alternation with the longest token first, and each other part split alone."""
    longest_first = sorted(tokens, key=len, reverse=True)
    parts = re.split(f"({'|'.join(map(re.escape, longest_first))})", text)
    return [p for i, part in enumerate(parts) for p in ([part] if i % 2 else pattern.split(part))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the cat<s> a hat", ["the", " cat", "<s>", " a", " hat"]),
        ("a  <s>  b", ["a", "  ", "<s>", " ", " b"]),
        ("<s><s>", ["<s>", "<s>"]),
        ("<<s>>", ["<", "<s>", ">"]),
        ("no token", ["no", " token"]),
        ("", []),
    ],
)
def test_a_special_token_is_a_pre_token_and_ends_the_text_before_it(text, expected):
    pattern = GPT2.cut_at(["<s>"])
    assert pattern.split(text) == expected
    assert pre_tokens(text, pattern) == expected


@EVERY_PATTERN
@given(text=TEXTS, tokens=TOKENS)
def test_each_part_between_special_tokens_is_split_alone(pattern, text, tokens):
    cut = pattern.cut_at(tokens)
    expected = split_part_by_part(pattern, tokens, text)
    assert cut.split(text) == expected
    assert pre_tokens(text, cut) == expected
    assert pre_token_ends(text, cut).tolist() == [
        sum(map(len, expected[: i + 1])) for i in range(len(expected))
    ]


@pytest.mark.parametrize("name", [name for name, p in SPLIT_PATTERNS.items() if has_pieces(p)])
@given(text=TEXTS.filter(bool), tokens=st.lists(st.sampled_from(WITHOUT_SPACES), unique=True, min_size=1))
def test_long_texts_are_counted_piece_by_piece_with_the_same_cuts(name, text, tokens):
    cut = SPLIT_PATTERNS[name].cut_at(tokens)
    assert has_pieces(cut)
    assert list(count_pieces([text * 3], cut).items()) == list(Counter(cut.split(text * 3)).items())


def test_a_text_is_not_taken_apart_where_a_special_token_may_lie():
    assert GPT2.cut_at(["<s>"]).stretch == GPT2.stretch
    for token in ("a b", "\n", "\x1f", "\x00", "\u3000x"):
        cut = GPT2.cut_at(["<s>", token])
        assert cut.stretch is None
        assert cut.between_special_tokens == GPT2


def test_a_custom_pattern_is_cut_too():
    words = custom_split_pattern(r"\S+|\s+")
    cut = words.cut_at(["<s>"]).within(2.0)
    assert cut.split("a<s>b c") == ["a", "<s>", "b", " ", "c"]
    assert pickle.loads(pickle.dumps(cut)).split("a<s>") == ["a", "<s>"]
    with pytest.raises(SplitPatternError, match="uncovered"):
        custom_split_pattern(r"\S+").cut_at(["<s>"]).split("a <s>")


def test_patterns_with_the_same_cuts_are_equal():
    assert GPT2.cut_at(["b", "a", "b", ""]) == GPT2.cut_at(["a", "b"]) != GPT2
    assert GPT2.cut_at(["a"]).between_special_tokens == GPT2
    assert GPT2.cut_at([]) == GPT2
    with pytest.raises(CorpusError, match="half of a surrogate pair"):
        GPT2.cut_at(["\ud800"])
