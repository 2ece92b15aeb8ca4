"""How a person's pattern cuts a text that it may not cover: by hand, then against a look at each match."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.errors import SplitPatternError
from bpeviz.text import split_patterns
from bpeviz.text.pattern_check import (
    CATCH_ALL,
    CHECKED_CHARACTERS,
    MOST_PIECES,
    PatternCheck,
    Piece,
    check_split_pattern,
)
from bpeviz.text.split_patterns import SPLIT_PATTERNS, custom_split_pattern


def test_a_pattern_that_covers_the_text_misses_nothing():
    assert check_split_pattern(r"\w+|\W+", "ab, c") == PatternCheck(
        (Piece("ab", True), Piece(", ", True), Piece("c", True)), 3
    )


def test_what_no_match_covers_is_counted_named_and_repaired():
    assert check_split_pattern("[a-z]+", "ab, c,") == PatternCheck(
        (Piece("ab", True), Piece(", ", False), Piece("c", True), Piece(",", False)),
        2,
        missed=3,
        examples=(",", " "),
        repaired="[a-z]+|[\\s\\S]",
    )


@pytest.mark.parametrize("end", ["\n", "\r", "\u0085", "\u2028", "\x00", "\U0001f6a2", "e\u0301"])
@pytest.mark.parametrize("flags", ["", "(?s)", "(?i)", "(?m)", "(?V1)", "(?r)", "(?a)"])
def test_the_catch_all_covers_every_character_whatever_the_flags(flags: str, end: str):
    text = f"ab{end}c{end}"
    checked = check_split_pattern(f"{flags}[a-z]", text)
    assert checked.missed > 0
    assert "".join(custom_split_pattern(checked.repaired).split(text)) == text


@pytest.mark.parametrize("pattern", ["(?x)[a-z] # letters", "(?i:a)#|(?x:b)", "[a-z](?#"])
def test_a_catch_all_that_would_not_help_is_not_offered(pattern: str):
    """In a verbose pattern a comment would hold it."""
    try:
        repaired = check_split_pattern(pattern, "ab, c").repaired
    except SplitPatternError:
        return
    if repaired:
        assert "".join(custom_split_pattern(repaired).split("ab, c")) == "ab, c"
    else:
        with pytest.raises(SplitPatternError):
            custom_split_pattern(pattern + CATCH_ALL).split("ab, c")


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "does not compile"),
        ("", "is empty"),
        ("a*", "matches the empty string"),
        ("(?=a)|b", "matches the empty string at character 0"),
        ("a" * 501, "501 characters"),
        ("(" * 30 + "a" + "+)" * 30, "does not compile in the memory"),
    ],
)
def test_a_pattern_that_cannot_be_used_says_why(pattern: str, why: str):
    with pytest.raises(SplitPatternError, match=regex.escape(why)):
        check_split_pattern(pattern, "aab")


def test_only_the_beginning_of_a_long_text_is_looked_at():
    text = "a " * CHECKED_CHARACTERS
    assert check_split_pattern("a", text).missed == CHECKED_CHARACTERS // 2
    assert check_split_pattern("a", text).pre_tokens == CHECKED_CHARACTERS // 2


def test_an_empty_text_has_no_pieces():
    assert check_split_pattern("a", "") == PatternCheck((), 0)


@pytest.mark.parametrize("pattern", ["a+", r"[^\s]+", "(?r)a|b", "ab|a"])
@given(text=st.text("ab \n灯", max_size=40))
def test_pieces_and_figures_are_those_of_a_look_at_each_match(pattern: str, text: str):
    covered = [False] * len(text)
    matches = [match.span() for match in regex.finditer(pattern, text)]
    for start, end in matches:
        covered[start:end] = [True] * (end - start)
    missed = [character for character, by_match in zip(text, covered, strict=True) if not by_match]
    checked = check_split_pattern(pattern, text)
    assert (checked.pre_tokens, checked.missed) == (len(matches), len(missed))
    assert checked.examples == tuple(dict.fromkeys(missed))[:3]
    assert text.startswith("".join(piece.text for piece in checked.pieces))
    assert len(checked.pieces) == MOST_PIECES or "".join(piece.text for piece in checked.pieces) == text
    assert bool(checked.repaired) == bool(missed)


@given(text=st.text("ab \n灯", max_size=40))
def test_another_process_finds_the_same_spans(text: str):
    pattern = custom_split_pattern("[ab]+|灯")
    here = pattern.spans(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(split_patterns, "CUSTOM_CHARACTERS", -1)
        assert pattern.spans(text) == here


def test_named_patterns_cover_a_text_of_every_kind():
    text = "The cat's 3 hats:\n\tnaïve cafés, 灯台 🚢\r\n"
    for named in SPLIT_PATTERNS.values():
        if named.regex:
            assert check_split_pattern(named.regex, text).missed == 0
