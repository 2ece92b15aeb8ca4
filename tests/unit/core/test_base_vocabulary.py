"""Spelling in base symbols: by hand for each kind, then that no byte is lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import split
from bpeviz.core.base_vocabulary import (
    GPT2_BYTE_CHARACTERS,
    ByteVocabulary,
    CharacterVocabulary,
    Spelling,
    unspellable,
)
from bpeviz.errors import TokenizerError
from tests.support.texts import ANY_TEXT, named_in

ALL_BYTES = ByteVocabulary(bytes(range(256)))


def characters(text: str, **rules) -> CharacterVocabulary:
    """A vocabulary of single characters, numbered in their order."""
    return CharacterVocabulary({c: i for i, c in enumerate(text)}, **rules)


def parts(spelling: Spelling) -> tuple[list[int], list[int], list[int], list[int]]:
    return tuple(a.tolist() for a in (spelling.ids, spelling.widths, spelling.lengths, spelling.skipped))


# --- bytes ---------------------------------------------------------------------------------------------


def test_each_byte_is_a_symbol():
    assert parts(ALL_BYTES.spell(["hé", "", "a"])) == ([0x68, 0xC3, 0xA9, 97], [1] * 4, [3, 0, 1], [0, 0, 0])


def test_ids_follow_the_order_of_the_values_from_the_first_id():
    base = ByteVocabulary(b"bca", first_id=5)
    assert base.symbols == [b"b", b"c", b"a"]
    assert parts(base.spell(["abc"]))[0] == [7, 5, 6]


def test_a_character_with_a_byte_that_is_missing_is_named_once():
    base = ByteVocabulary("aé".encode())
    with pytest.raises(TokenizerError, match="has no symbol for") as caught:
        base.spell(["aè", "bb", "é", "è"])  # è shares its first byte with é
    assert named_in(caught.value) == ["è", "b"]


@pytest.mark.parametrize(
    "base", [ALL_BYTES, ByteVocabulary(b""), characters("ab"), characters("", end_of_word="</w>")]
)
def test_nothing_is_spelled_with_nothing(base):
    assert parts(base.spell([])) == ([], [], [], [])


def test_the_gpt2_characters_are_those_of_its_files():
    assert len(set(GPT2_BYTE_CHARACTERS)) == 256
    values = bytes([*b" \n\t!~", 0, 0x7F, 0xA0, 0xA1, 0xAD, 0xFF])
    assert "".join(GPT2_BYTE_CHARACTERS[value] for value in values) == "ĠĊĉ!~Āġł¡Ńÿ"
    assert not any(c.isspace() or not c.isprintable() for c in GPT2_BYTE_CHARACTERS)


# --- characters ----------------------------------------------------------------------------------------


def test_each_character_is_a_symbol_as_wide_as_its_bytes():
    assert parts(characters("é日a ").spell(["a日", "é "])) == ([2, 1, 0, 3], [1, 3, 2, 1], [2, 2], [0, 0])


def test_a_space_can_be_written_otherwise_and_is_a_space_in_bytes():
    base = characters("abĠ", space="Ġ")
    assert parts(base.spell(["a b"]))[0] == [0, 2, 1]
    assert base.symbols == [b"a", b"b", b" "]


def test_the_end_of_word_is_fused_to_the_last_character():
    base = CharacterVocabulary(
        {"l": 0, "o": 1, "w</w>": 2, "o</w>": 3}, end_of_word="</w>", whitespace="drop"
    )
    assert parts(base.spell(["low", "o", " \n", "lo"])) == (
        [0, 1, 2, 3, 0, 3],
        [1] * 6,
        [3, 1, 0, 2],
        [0, 0, 2, 0],
    )


def test_a_dropped_first_space_is_skipped():
    base = characters("abĠ", space="Ġ", whitespace="drop-first")
    assert parts(base.spell(["  a b"])) == ([2, 0, 2, 1], [1] * 4, [4], [1])


def test_a_run_before_a_word_is_one_space_as_wide_as_the_run():
    base = characters("abĠ", space="Ġ", whitespace="one-before-word")
    assert parts(base.spell([" \u00a0\nab", "b", " \t"])) == (
        [2, 0, 1, 1],
        [4, 1, 1, 1],
        [3, 1, 0],
        [0, 0, 2],
    )


def test_separators_of_sentencepiece_are_dropped_and_its_space_is_a_space_in_bytes():
    base = characters("ab▁", space="▁", whitespace="drop-separators")
    assert parts(base.spell([" a", "\n\x00\x1f", "▁b"])) == ([2, 0, 2, 1], [1, 1, 3, 1], [2, 0, 2], [0, 3, 0])
    assert base.symbols == [b"a", b"b", b" "]


def test_characters_that_are_missing_are_named_once():
    with pytest.raises(TokenizerError, match="has no symbol for") as caught:
        characters("ab").spell(["axb", "日x"])
    assert named_in(caught.value) == ["x", "日"]


def test_a_character_known_only_inside_words_is_named_without_its_mark():
    with pytest.raises(TokenizerError, match="has no symbol for") as caught:
        CharacterVocabulary({"a": 0, "b</w>": 1}, end_of_word="</w>").spell(["ba"])
    said = "no symbol for 'b' (U+0062), nor for 'a' (U+0061) at the end of a word."
    assert said in str(caught.value)


@pytest.mark.parametrize("separator", ["\x1c", "\x1d", "\x1e", "\x1f"])
def test_an_information_separator_is_white_space_as_it_is_for_str_split(separator):
    """Pattern and vocabulary must mean the same by white space; the \\s of regex lacks these four."""
    base = CharacterVocabulary({}, end_of_word="</w>", whitespace="drop")
    pre_tokens = split(f"a{separator}b", "whitespace")
    assert pre_tokens == ["a", separator, "b"]
    assert base.symbols_in(pre_tokens) == {"a</w>", "b</w>"}


# --- no byte is lost -----------------------------------------------------------------------------------

RULES = [
    {},
    {"space": "Ġ", "whitespace": "drop-first"},
    {"space": "Ġ", "whitespace": "one-before-word"},
    {"end_of_word": "</w>", "whitespace": "drop"},
    {"space": "▁", "whitespace": "drop-separators"},
    {"end_of_word": "</w>"},
]


@pytest.mark.parametrize("rules", RULES, ids=str)
@given(pre_tokens=st.lists(ANY_TEXT | st.text(" \tab", max_size=6)))
def test_widths_and_skipped_bytes_add_up_to_the_text(rules, pre_tokens):
    symbols = sorted(CharacterVocabulary({}, **rules).symbols_in(pre_tokens))
    base = CharacterVocabulary({symbol: i for i, symbol in enumerate(symbols, 3)}, **rules)
    spelling = base.spell(pre_tokens)
    assert [array.dtype for array in (spelling.ids, spelling.widths, spelling.lengths, spelling.skipped)] == [
        np.int32
    ] * 4
    assert set(spelling.ids.tolist()) == set(range(3, 3 + len(symbols)))
    assert len(base.symbols) == len(symbols)
    start = 0
    for pre_token, length, skipped in zip(pre_tokens, spelling.lengths, spelling.skipped, strict=True):
        width = spelling.widths[start : start + length].sum()
        assert width + skipped == len(pre_token.encode())
        start += length
    assert start == len(spelling.ids)


@given(pre_tokens=st.lists(ANY_TEXT))
def test_the_symbols_of_bytes_joined_are_the_text(pre_tokens):
    spelling = ALL_BYTES.spell(pre_tokens)
    assert b"".join(ALL_BYTES.symbols[i] for i in spelling.ids) == "".join(pre_tokens).encode()
    assert spelling.lengths.tolist() == [len(p.encode()) for p in pre_tokens]
    assert (spelling.widths == 1).all()
    assert (spelling.skipped == 0).all()


def test_a_whole_pre_token_is_one_symbol_as_wide_as_its_bytes():
    base = ByteVocabulary(bytes(range(256)), whole={"<é>": 300, "a": 301})
    spelling = base.spell(["ab", "<é>", "a", "é"])
    assert spelling.ids.tolist() == [97, 98, 300, 301, 195, 169]
    assert spelling.widths.tolist() == [1, 1, 4, 1, 1, 1]
    assert spelling.lengths.tolist() == [2, 1, 1, 2]
    assert base.spell(["ab"]).ids.tolist() == [97, 98]


@pytest.mark.parametrize(
    ("characters", "end"),
    [
        ("ab", "'a' (U+0061), 'b' (U+0062)."),
        ("abcdefghij", "'j' (U+006A)."),
        ("abcdefghijkl", "'j' (U+006A) and 2 more."),
    ],
)
def test_at_most_ten_characters_are_named_and_the_others_counted(characters, end):
    assert f"{end} Leave them out" in str(unspellable(characters))
