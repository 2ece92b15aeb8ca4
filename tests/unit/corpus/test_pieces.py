"""Pieces: by hand, then against splitting the whole text."""

from itertools import pairwise

import pytest
from hypothesis import given

from bpeviz.corpus.pieces import has_pieces, piece_ends
from bpeviz.text.split_patterns import SPLIT_PATTERNS, custom_split_pattern, split
from tests.support.texts import BORDERS_OF_SPLITTING, PARTING_TEXT


def pieces(text: str, name: str) -> list[str]:
    ends, _ = piece_ends([text], SPLIT_PATTERNS[name])
    return [text[start:end] for start, end in pairwise([0, *ends.tolist()])]


@pytest.mark.parametrize(
    ("name", "cut"),
    [
        ("gpt2", ["the", " cat;", "\n sat", "\u3000\tx", " "]),
        # a line end belongs to the punctuation before it
        ("cl100k", ["the", " cat;\n sat\n x", "\u2028x\n"]),
        # four separators are white space only for this pattern
        ("whitespace", ["a", "\x1cb"]),
        ("gpt2", ["a\x1cb"]),
        ("spaces", ["a\tb", " \nc"]),
        ("sentencepiece", ["a\tb", " \nc", "\x00▁d"]),
    ],
)
def test_by_hand(name, cut):
    assert pieces("".join(cut), name) == cut


def test_pieces_at_the_borders_of_texts_may_have_to_be_split_alone():
    ends, alone = piece_ends(["the cat", " sat ", "on"], SPLIT_PATTERNS["gpt2"])
    assert ends.tolist() == [3, 7, 11, 12, 14]
    assert alone.tolist() == [True, False, False, True, True]


def test_a_pattern_without_stretches_has_no_pieces():
    assert not has_pieces(SPLIT_PATTERNS["none"])
    assert not has_pieces(custom_split_pattern(r"\w+|\W+"))


@pytest.mark.parametrize("name", [name for name in SPLIT_PATTERNS if name != "none"])
@given(text=BORDERS_OF_SPLITTING | PARTING_TEXT)
def test_pieces_are_split_as_the_text_is(name, text):
    assert has_pieces(SPLIT_PATTERNS[name])
    if text:
        assert [p for piece in pieces(text, name) for p in split(piece, name)] == split(text, name)
