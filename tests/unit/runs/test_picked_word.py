"""The word that a person picks in the text of a run: whole, and never longer than the page draws."""

import pytest

from bpeviz.runs.picked_word import MOST_BYTES, word_at
from bpeviz.runs.run import NamedText
from bpeviz.training.settings import TrainingSettings
from tests.support.trained import run_of

CAT = "the cat in the hat.\nthe 猫 sat"


def in_bytes(text: str, part: str) -> tuple[int, int]:
    start = len(text[: text.index(part)].encode())
    return start, start + len(part.encode())


@pytest.mark.parametrize(
    ("part", "word"),
    [
        ("t", "the"),
        ("he", "the"),
        (" ca", " cat"),
        ("at", " cat"),
        (".", "."),
        ("猫", " 猫"),
        ("sat", " sat"),
    ],
)
def test_a_piece_of_a_word_picks_the_whole_word(part: str, word: str) -> None:
    run = run_of(NamedText("cat", CAT), TrainingSettings(num_merges=5))
    assert word_at(run, *in_bytes(CAT, part)) == word


def test_one_byte_of_a_character_picks_its_word() -> None:
    run = run_of(NamedText("cat", CAT), TrainingSettings(num_merges=1))
    start, end = in_bytes(CAT, "猫")
    for byte in range(start, end):
        assert word_at(run, byte, byte + 1) == " 猫"


@pytest.mark.parametrize("recipe", ["minbpe-basic", "subword-nmt"])
def test_bytes_between_words_and_texts_without_words_pick_their_characters(recipe: str) -> None:
    text = "猫の手" * 200
    run = run_of(NamedText("cats", text), TrainingSettings(recipe, num_merges=3))
    for start in (0, 1, 2, 500, len(text.encode()) - 1):
        word = word_at(run, start, start + 1)
        assert word == text[start // 3]
    assert word_at(run, 0, len(text.encode())) == text[: MOST_BYTES // 3]


def test_every_byte_of_every_recipe_picks_something_of_the_text() -> None:
    for recipe in ("huggingface", "sentencepiece", "subword-nmt", "llms-from-scratch-simple"):
        run = run_of(NamedText("cat", CAT), TrainingSettings(recipe, num_merges=5))
        for byte in range(len(CAT.encode())):
            word = word_at(run, byte, byte + 1)
            assert word
            assert word in CAT
