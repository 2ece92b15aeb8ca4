"""Texts over the limit: the server keeps only their beginning, and their length."""

import pytest

from bpeviz.ui.server.long_text import byte_length, shortened


@pytest.mark.parametrize("text", ["", "word", "ab" * 50, "é" * 50, "🚢" * 25])
def test_a_text_within_the_limit_stays_as_it_is(text: str) -> None:
    assert shortened(text, 100) == text
    assert byte_length(text) == len(text.encode())


@pytest.mark.parametrize(
    "text", ["a" * 101, "é" * 51, "灯" * 34, "🚢" * 26, "a" * 99 + "🚢", "x" * 1_000_000]
)
def test_of_a_longer_text_only_the_beginning_stays_and_its_length_is_known(text: str) -> None:
    kept = shortened(text, 100)
    assert 100 < len(kept.encode()) < 160
    assert byte_length(kept) == len(text.encode())


def test_a_note_that_is_not_at_the_end_says_nothing() -> None:
    noted = shortened("a" * 101, 100)
    assert byte_length(noted + "b") == len(noted) + 1
    assert byte_length("\0bpeviz") == 7


def test_half_a_character_does_not_bring_a_text_back_under_the_limit() -> None:
    for most in range(1, 12):
        assert byte_length(shortened("🚢" * 5, most)) > most
        assert len(shortened("🚢" * 5, most).encode()) > most
