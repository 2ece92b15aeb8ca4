"""Time left: only when the pace is known, and only from the pace of the last seconds."""

import pytest

from bpeviz.runs.training_words import TimeLeft


def estimates(*seen: tuple[float, int], total: int = 1000) -> list[float | None]:
    now = [0.0]
    left = TimeLeft(lambda: now[0])
    found = []
    for now[0], done in seen:
        found.append(left.estimate(done, total))
    return found


def test_there_is_no_estimate_in_the_first_second():
    assert estimates((0, 10), (0.5, 20), (0.9, 30)) == [None, None, None]


def test_the_pace_so_far_gives_the_seconds_left():
    assert estimates((0, 0), (1, 100), (2, 200)) == [None, 9, 8]


def test_only_the_last_seconds_count():
    slow_then_fast = [(float(second), second) for second in range(10)]
    slow_then_fast += [(10.0 + second, 10 + 100 * second) for second in range(9)]
    assert estimates(*slow_then_fast)[-1] == pytest.approx((1000 - 810) / 100)


def test_a_pace_that_quickens_is_expected_to_keep_quickening():
    """As the merges of an unsplit text do. Here the last one comes in the tenth second."""
    squares = [(second / 4, round(10 * (second / 4) ** 2)) for second in range(40)]
    found = estimates(*squares)
    for (now, _), left in list(zip(squares, found, strict=True))[8:]:
        assert left == pytest.approx(10 - now, rel=0.3)


def test_a_pace_that_quickened_by_chance_is_not():
    """The machine is a tenth faster in the second half: the time left does not get much shorter."""
    seen = [(0.0, 1000), (1.0, 1100), (2.0, 1200), (3.0, 1310), (4.0, 1420)]
    assert estimates(*seen, total=20_000)[-1] == pytest.approx((20_000 - 1420) / 105, rel=0.2)


@pytest.mark.parametrize("later", [0.0, 0.01])
def test_two_notes_at_nearly_the_same_time_give_no_pace(later):
    seen = [(0.0, 0), (2.0, 100), (2.0 + later, 130)]
    assert estimates(*seen)[-1] == pytest.approx(870 / (130 / (2 + later)))


def test_a_pace_that_slows_down_is_not_expected_to_keep_slowing():
    seen = [(0.0, 0), (1.0, 200), (2.0, 400), (3.0, 500), (4.0, 600)]
    assert estimates(*seen)[-1] == pytest.approx(400 / 150)


def test_there_is_no_estimate_while_nothing_moves():
    assert estimates((0, 5), (2, 5), (4, 5)) == [None, None, None]


def test_nothing_is_left_at_the_end():
    assert estimates((0, 0), (2, 1000))[-1] == 0
