"""Numbers in sentences."""

import pytest

from bpeviz.words import ago, counted, duration, how_often, size


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 times"), (1, "once"), (2, "2 times"), (1234, "1,234 times")]
)
def test_a_count_is_said_as_in_a_sentence(count: int, said: str) -> None:
    assert how_often(count) == said
    assert how_often(count, zero="never") == ("never" if count == 0 else said)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (0.4, "0 s"),
        (12.4, "12 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (185, "3 min 5 s"),
        (3720, "1 h 2 min"),
    ],
)
def test_a_duration_is_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_one_thing_and_several() -> None:
    assert [counted(n, "merge") for n in (0, 1, 1234)] == ["0 merges", "1 merge", "1,234 merges"]
    assert counted(2, "boundary", "boundaries") == "2 boundaries"


def test_a_size_has_its_unit() -> None:
    assert [size(n) for n in (12, 99_999, 100_000, 8_000_000, 1_024_000_000)] == [
        "0.0 kB",
        "100.0 kB",
        "0.1 MB",
        "8.0 MB",
        "1,024 MB",
    ]


@pytest.mark.parametrize(
    ("seconds", "says"),
    [
        (-5, "just now"),
        (59.9, "just now"),
        (60, "1 minute ago"),
        (185, "3 minutes ago"),
        (3_599, "59 minutes ago"),
        (3_600, "1 hour ago"),
        (86_399, "23 hours ago"),
        (86_400, "1 day ago"),
        (12 * 86_400 + 5, "12 days ago"),
    ],
)
def test_an_age_is_in_its_largest_unit(seconds: float, says: str) -> None:
    assert ago(seconds) == says
