"""Time left: said only once the pace means something, and by the pace of the last seconds alone."""

import pytest

from bpeviz.time_left import TimeLeft, duration


def estimates(*seen: tuple[float, int], total: int = 1000) -> list[float | None]:
    now = [0.0]
    left = TimeLeft(lambda: now[0])
    found = []
    for now[0], done in seen:
        found.append(left.estimate(done, total))
    return found


def test_nothing_is_said_within_the_first_second():
    assert estimates((0, 10), (0.5, 20), (0.9, 30)) == [None, None, None]


def test_the_pace_so_far_gives_the_seconds_left():
    assert estimates((0, 0), (1, 100), (2, 200)) == [None, 9, 8]


def test_only_the_last_seconds_count():
    slow_then_fast = [(float(second), second) for second in range(10)]
    slow_then_fast += [(10.0 + second, 10 + 100 * second) for second in range(9)]
    assert estimates(*slow_then_fast)[-1] == pytest.approx((1000 - 810) / 100)


def test_nothing_is_said_while_nothing_moves():
    assert estimates((0, 5), (2, 5), (4, 5)) == [None, None, None]


def test_nothing_is_left_at_the_end():
    assert estimates((0, 0), (2, 1000))[-1] == 0


@pytest.mark.parametrize(("seconds", "words"), [(0, "0 s"), (12.4, "12 s"), (185, "3 min 5 s")])
def test_a_duration_is_words(seconds, words):
    assert duration(seconds) == words
