"""Turns: so many work at once, and who has had least is next. A clock that the test moves counts the time."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager

import pytest

from bpeviz.workers.turns import HALF_LIFE_SECONDS, Asker, Shares, Turns, asker, asking_for, identify_by

A1, A2, A3, B1, B2, C1 = (Asker(*name) for name in ("A1", "A2", "A3", "B1", "B2", "C1"))


class LeaveError(Exception):
    """What a waiting caller raises to leave."""


def no_wait() -> None:
    raise AssertionError("there was a place")


class Clock:
    """The seconds since the test began."""

    def __init__(self) -> None:
        self.now = 0.0
        self.shares = Shares(lambda: self.now)

    def had(self, seconds: dict[Asker, float]) -> None:
        """Let each have had so many seconds, just now."""
        for who, each in seconds.items():
            self.shares.add(who, each)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@contextmanager
def working(turns: Turns, who: Asker) -> Iterator[None]:
    with asking_for(who), turns.turn(no_wait):
        yield


class Queue:
    """Callers that wait, each in a thread, and who had a place, in order. Each leaves it at once."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.served: list[Asker] = []
        self._threads: list[threading.Thread] = []

    def wait(self, *who: Asker) -> None:
        for each in who:
            waits = threading.Event()
            thread = threading.Thread(target=self._wait, args=(each, waits))
            thread.start()
            self._threads.append(thread)
            assert waits.wait(60)

    def _wait(self, who: Asker, waits: threading.Event) -> None:
        with asking_for(who), self.turns.turn(waits.set):
            self.served.append(who)

    def order(self, last: int = 0) -> list[Asker]:
        """Who was served when all, or the ``last`` of them, were."""
        for thread in self._threads[-last:]:
            thread.join(60)
        return self.served


def order(
    turns: Turns, first: Sequence[AbstractContextManager[None]], waiting: Sequence[Asker]
) -> list[Asker]:
    """Who gets a place when those who work leave theirs, one after the other."""
    queue = Queue(turns)
    with ExitStack() as work:
        for each in first:
            work.enter_context(each)
        queue.wait(*waiting)
    return queue.order()


def test_a_free_place_is_taken_at_once_and_given_back(clock: Clock) -> None:
    turns = Turns(1, spare=0, shares=clock.shares)
    for who in (A1, A1, B1):
        with working(turns, who):
            assert turns._waiting == []


def test_who_comes_first_is_served_first_if_nobody_has_had_anything(clock: Clock) -> None:
    turns = Turns(1, spare=0, shares=clock.shares)
    assert order(turns, [working(turns, C1)], [B1, A1]) == [B1, A1]


def test_the_visitor_who_has_had_least_is_next_then_the_session(clock: Clock) -> None:
    clock.had({A1: 8.0, A2: 1.0, B1: 5.0})
    turns = Turns(1, spare=0, shares=clock.shares)
    assert order(turns, [working(turns, C1)], [A1, A2, A3, B1]) == [B1, A3, A2, A1]


def test_time_long_ago_counts_less(clock: Clock) -> None:
    clock.had({A1: 8.0})
    clock.now = 4 * HALF_LIFE_SECONDS
    clock.had({B1: 1.0})
    turns = Turns(1, spare=0, shares=clock.shares)
    assert order(turns, [working(turns, C1)], [B1, A1]) == [A1, B1]
    clock.now = 100 * HALF_LIFE_SECONDS
    clock.shares.add(C1, 0.0)
    assert clock.shares._had == {}


def test_what_somebody_holds_now_counts_too(clock: Clock) -> None:
    clock.had({B1: 3.0})
    turns = Turns(2, spare=0, shares=clock.shares)
    first, second = working(turns, A1), working(turns, C1)
    queue = Queue(turns)
    with first:
        clock.now = 5.0
        with second:
            queue.wait(A2, B1)
        assert queue.order()[0] == B1


def test_one_place_is_for_another_visitor(clock: Clock) -> None:
    turns = Turns(2, shares=clock.shares)
    queue = Queue(turns)
    with working(turns, A1), working(turns, A2):
        queue.wait(A3)
        with working(turns, B1):
            queue.wait(B2)
        assert queue.order(last=1) == [B2]
    assert queue.order() == [B2, A3]


def test_a_waiting_caller_is_called_back_and_may_leave(clock: Clock) -> None:
    turns, told = Turns(1, spare=0, shares=clock.shares), []

    def leave_at_the_third() -> None:
        told.append(True)
        if len(told) == 3:
            raise LeaveError

    with working(turns, A1):
        with pytest.raises(LeaveError), turns.turn(leave_at_the_third):
            raise AssertionError("there was no place")
        assert turns._waiting == []
    with working(turns, B1):
        assert len(turns._working) == 1


def test_an_error_in_the_work_gives_the_place_back_and_counts_its_time(clock: Clock) -> None:
    turns = Turns(1, spare=0, shares=clock.shares)

    def fail() -> None:
        clock.now = 7.0
        raise LookupError

    with pytest.raises(LookupError), working(turns, A1):
        fail()
    assert clock.shares.of(A1) == clock.shares.of(Asker("A")) == 7.0
    with working(turns, A1):
        pass


def test_all_work_is_for_one_asker_unless_somebody_says_more() -> None:
    assert asker() == Asker()
    identify_by(lambda: B1)
    try:
        assert asker() == B1
        with asking_for(A1):
            assert asker() == A1
    finally:
        identify_by(Asker)
