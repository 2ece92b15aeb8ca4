"""Ticks: whole, round and few, each with its own text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.charts.ticks import log_ticks, tick_texts, whole_ticks


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0, 1, ["0", "1"]),
        (0, 3, ["0", "1", "2", "3"]),
        (0, 500, ["0", "100", "200", "300", "400", "500"]),
        (0, 20_000, ["0", "5k", "10k", "15k", "20k"]),
        (12_345, 12_350, ["12,345", "12,346", "12,347", "12,348", "12,349", "12,350"]),
        (0, 2_200_000, ["0", "500k", "1M", "1.5M", "2M"]),
    ],
)
def test_ticks_are_whole_round_numbers(low: int, high: int, texts: list[str]) -> None:
    assert tick_texts(whole_ticks(low, high)) == texts


def test_a_difference_has_signs() -> None:
    assert tick_texts(whole_ticks(-40_000, 40_000), signed=True) == ["-40k", "-20k", "0", "+20k", "+40k"]


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(1, 1000, [1, 10, 100, 1000]), (3, 40, [5, 10, 20]), (1, 2, [1, 2]), (480, 500, [480, 490, 500])],
)
def test_a_logarithmic_axis_has_powers_of_ten_or_what_there_is(low: int, high: int, ticks: list[int]) -> None:
    assert log_ticks(low, high) == ticks


def test_ticks_are_there_even_if_the_axis_ends_just_below_a_round_number() -> None:
    assert whole_ticks(1, 40_002, 3) == [20_000, 40_000]


@given(st.integers(0, 10**9), st.integers(1, 10**9), st.integers(3, 8))
def test_any_axis_has_two_to_so_many_ticks_inside_it_with_different_texts(
    low: int, length: int, most: int
) -> None:
    for ticks in (whole_ticks(low, low + length, most), log_ticks(max(1, low), max(1, low) + length)):
        assert all(low <= tick <= low + length + 1 for tick in ticks)
        assert len(set(tick_texts(ticks))) == len(ticks) >= 1
    assert len(whole_ticks(low, low + length, most)) <= most
