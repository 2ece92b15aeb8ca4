"""The texts that tokenizers are compared on: that they hold what they promise."""

import random
import unicodedata

import pytest

from tests.support.hard_texts import (
    SPECIAL_LOOK_ALIKES,
    WHITE_SPACE,
    assigned_characters,
    hard_texts,
    pieces,
    random_text,
    some_hard_texts,
)

TEXTS = hard_texts()
TOGETHER = set("".join(TEXTS))


def test_there_are_enough_and_no_text_twice():
    assert len(TEXTS) == len(set(TEXTS)) >= 10_000
    assert max(map(len, TEXTS)) <= 3_000
    assert len(some_hard_texts()) >= 500


def test_they_are_the_same_every_time():
    hard_texts.cache_clear()
    assert hard_texts() == TEXTS


def test_every_assigned_character_is_in_them():
    assert set(assigned_characters()) <= TOGETHER
    assert len(assigned_characters()) > 280_000


def test_every_text_has_a_utf8_form():
    for text in TEXTS:
        assert text.encode("utf-8").decode("utf-8") == text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "a",
            "\x00",
            " ",
            "\r\n",
            "\n\n",
            "👩\u200d🚀",
            "🏳️\u200d🌈",
            "1️⃣",
            "🇯🇵🇺🇸",
            "👍🏽",
            "ﬁ",
            "Ａ",
            "①",
            "각",
        ),
        *("\u1100\u1161\u11a8", "ﻻ", "é", "e\u0301", "<|endoftext|>", " <s> ", "[INST]", "▁", "Ġ", "<0xE4>"),
    ],
)
def test_a_text_that_must_be_among_them(text):
    assert text in TEXTS


@pytest.mark.parametrize("space", WHITE_SPACE)
def test_white_space_of_every_kind_in_runs_and_between_letters(space):
    assert {space, space * 2, space * 8, f"a{space}b", f"a {space} b"} <= set(TEXTS)


def test_every_white_space_of_unicode_and_of_python_is_there():
    assert set("".join(WHITE_SPACE)) >= {c for c in assigned_characters() if c.isspace()}


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_texts_in_and_out_of_each_normal_form(form):
    changed = sum(unicodedata.normalize(form, text) != text for text in TEXTS)
    assert 1_000 < changed < len(TEXTS) - 1_000


@pytest.mark.parametrize("apostrophe", "'’")
def test_contractions_in_all_cases(apostrophe):
    for ending in ("s", "S", "t", "T", "re", "RE", "ve", "ll", "LL", "m", "d", "D"):
        assert any(f"{apostrophe}{ending}" in text for text in TEXTS)


def test_digits_of_every_script_and_of_many_lengths():
    assert {"1" * n for n in range(1, 41)} <= set(TEXTS)
    zeros = [
        c for c in assigned_characters() if unicodedata.category(c) == "Nd" and unicodedata.digit(c) == 0
    ]
    numbers = [text for text in TEXTS if text.isdecimal()]
    for zero in zeros:
        digits = {chr(ord(zero) + i) for i in range(10)}
        assert {len(text) for text in numbers if set(text) <= digits} >= {2, 4, 7}


def test_special_look_alikes_with_spaces_around():
    for token in SPECIAL_LOOK_ALIKES:
        assert {f" {token} ", f"a{token}b", token * 2} <= set(TEXTS)


def test_random_texts_are_of_the_pieces_and_repeat_with_their_seed():
    first = [random_text(random.Random(seed)) for seed in range(200)]
    assert first == [random_text(random.Random(seed)) for seed in range(200)]
    assert len(set(first)) > 150
    assert "" in first
    assert len(pieces()) == len(set(pieces())) > 500
