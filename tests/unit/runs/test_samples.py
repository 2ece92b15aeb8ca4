from collections import Counter

import pytest

from bpeviz import Corpus, Trainer
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample


def test_there_are_samples_in_at_least_nine_kinds_of_text() -> None:
    assert len(SAMPLES) >= 10
    assert STANDARD_LIBRARY.title in SAMPLES


#: The words of the Hugging Face course, and how often each occurs.
WORDS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
TINY = "aaabdaaabac", "hug pug pun bun hugs"


def test_the_first_samples_are_the_textbook_s_and_the_course_s() -> None:
    assert tuple(SAMPLES)[:2] == TINY
    assert read_sample(TINY[0]) == "aaabdaaabac"
    assert Counter(read_sample(TINY[1]).splitlines()) == WORDS


def test_the_course_s_words_have_the_course_s_first_merges() -> None:
    trainer = Trainer(Corpus.from_text(read_sample(TINY[1])), "huggingface", num_merges=3)
    assert [(step.token, step.count) for step in trainer.steps()] == [(b"ug", 20), (b"un", 16), (b"hug", 15)]


@pytest.mark.parametrize("title", [t for t in SAMPLES if t not in (STANDARD_LIBRARY.title, *TINY)])
def test_a_sample_is_2_to_20_kilobytes_of_text(title: str) -> None:
    assert 2_000 <= len(read_sample(title).encode("utf-8")) <= 20_000


@pytest.mark.parametrize("size", [1_000_000, 4_000_000])
def test_the_standard_library_is_cut_to_the_size_asked_for(size: int) -> None:
    text = read_sample(STANDARD_LIBRARY.title, size)
    assert size - 2_000 < len(text.encode("utf-8")) <= size
    assert "def " in text
