"""Settled pre-tokens stay whatever follows: by hand, then every named pattern with random text after it."""

from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpeviz.text.split_patterns import SPLIT_PATTERNS, custom_split_pattern
from bpeviz.tokenizer.settled import MOST_TRIED, settled_end

#: Characters that patterns tell apart: letters of each kind, marks, digits, white space, line ends, others.
CHARACTERS = "aAsSltLrevd' \n\r\t\u3000\x1c\x0b中あǅʰ\u0301ſ12²!/.▁\x00🚢אÉ"
TEXTS = st.one_of(st.text(CHARACTERS, max_size=14), st.text("aA中'\u0301 \n!", max_size=14))
FOLLOWING = st.one_of(TEXTS, st.sampled_from(["'ll", "ll", "LL", "e", "ſ", "\n\n", " \n"]))


def beginning(pre_tokens: list[str], end: int) -> list[str]:
    """The pre-tokens of the first ``end`` characters; a cut has to be there."""
    ends = [0, *accumulate(map(len, pre_tokens))]
    return pre_tokens[: ends.index(end)]


@pytest.mark.parametrize(
    ("pattern", "text", "settled"),
    [
        ("gpt2", "you'l", "you"),  # you'll
        ("gpt2", "the cat", "the"),
        ("gpt2", "a  ", "a"),
        ("o200k", "I don'", "I"),  # don't is one pre-token
        ("o200k", "x A中BB", "x"),  # A中BBb is one, which is A中|BB without the b
        ("o200k", "x A中BB.", "x A中BB"),
        ("o200k", "a\n ", "a"),
        ("cl100k", "http:", "http"),
        ("cl100k", "12345", "123"),
        ("none", "a b", ""),
        ("whitespace", "a b", "a "),
    ],
)
def test_worked_examples(pattern: str, text: str, settled: str) -> None:
    assert text[: settled_end(SPLIT_PATTERNS[pattern], text)] == settled


@example(name="gpt2", text="you'l", more="l").via("people write it")
@given(name=st.sampled_from([*SPLIT_PATTERNS]), text=TEXTS, more=FOLLOWING)
def test_no_continuation_moves_them(name: str, text: str, more: str) -> None:
    split = SPLIT_PATTERNS[name]
    end = settled_end(split, text)
    settled = beginning(split.split(text), end)
    assert split.split(text + more)[: len(settled)] == settled


@given(
    tokens=st.lists(st.text("ab< ", min_size=1, max_size=4), max_size=4, unique=True),
    kinds=st.lists(st.sampled_from(["first", "last", "text"]), min_size=4, max_size=4),
    text=st.text("ab< ", max_size=12),
    more=st.text("ab< ", max_size=8),
)
def test_added_tokens_that_begin_at_the_end_are_open(
    tokens: list[str], kinds: list[str], text: str, more: str
) -> None:
    of_kind = {kind: [t for t, k in zip(tokens, kinds, strict=False) if k == kind] for kind in kinds}
    found = [*of_kind.get("first", ()), *of_kind.get("last", ())]
    split = SPLIT_PATTERNS["gpt2"].cut_at(
        found, last=of_kind.get("last", ()), as_text=of_kind.get("text", ())
    )
    settled = beginning(split.split(text), settled_end(split, text))
    assert split.split(text + more)[: len(settled)] == settled


def test_a_longer_end_is_open_as_a_whole() -> None:
    upper = "x " + "A中" * MOST_TRIED
    assert settled_end(SPLIT_PATTERNS["o200k"], upper) == 0
    assert settled_end(SPLIT_PATTERNS["o200k"], upper + ". is") == len(upper) + 1


def test_a_custom_pattern_is_tried() -> None:
    assert settled_end(custom_split_pattern(r"ab?|."), "xa") == 1
