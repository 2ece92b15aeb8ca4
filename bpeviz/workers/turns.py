"""Turns: who works next if more want to work than there are places.

A visitor is a network address. The visitor who has used the most time lately waits longest, so that one
visitor doesn't hold up another. Among the sessions of one visitor it is the same, because behind some proxies
everybody has one address.

    working:  A1 A2          two places for one visitor, and a spare one for another
    waiting:  A3 A1 B1       B1 is next at once; then A3, whose session has had nothing yet
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from bpeviz.workers.sharing import TELL_EVERY_SECONDS

__all__ = ["Asker", "Shares", "Turns", "asker", "asking_for", "identify_by"]

#: After so long, the time that a visitor has had counts half.
HALF_LIFE_SECONDS = 60.0
#: Who works counts as if for so much longer: several may begin at the same time.
BEGUN_SECONDS = 1.0


class Asker(NamedTuple):
    """Who asks for work: a visitor, and one of the visitor's sessions."""

    visitor: str = ""
    session: str = ""


_asking: ContextVar[Asker | None] = ContextVar("asking", default=None)
_identify: Callable[[], Asker] = Asker


def identify_by(identify: Callable[[], Asker]) -> None:
    """Let a function say for whom the current thread works. Without one, all work is for one asker."""
    global _identify  # noqa: PLW0603
    _identify = identify


def asker() -> Asker:
    """Return for whom the current thread works."""
    return _asking.get() or _identify()


@contextmanager
def asking_for(who: Asker) -> Iterator[None]:
    """Work for an asker during a block, in a thread that the server can't identify."""
    token = _asking.set(who)
    try:
        yield
    finally:
        _asking.reset(token)


class Shares:
    """How many seconds of places each has had lately."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._had: dict[Asker, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def of(self, who: Asker) -> float:
        """Return the seconds, of which older ones count less."""
        seconds, at = self._had.get(who, (0.0, 0.0))
        return float(seconds * 0.5 ** ((self.clock() - at) / HALF_LIFE_SECONDS))

    def add(self, who: Asker, seconds: float) -> None:
        """Count seconds for a session and for its visitor."""
        with self._lock:
            for each in {who, Asker(who.visitor)}:
                self._had[each] = self.of(each) + seconds, self.clock()
            self._had = {each: had for each, had in self._had.items() if self.of(each) > BEGUN_SECONDS / 100}


_shares = Shares()


class _Turn:
    def __init__(self, who: Asker) -> None:
        self.who = who
        self.given = threading.Event()
        self.began = 0.0


class Turns:
    """Places for work of one kind. A visitor holds at most so many ``places``; ``spare`` ones beside them are
    for other visitors. ``shares``: what each has had, also for work of other kinds."""

    def __init__(self, places: int, spare: int = 1, shares: Shares = _shares) -> None:
        self._places, self._all = places, places + spare
        self._shares = shares
        self._lock = threading.Lock()
        self._waiting: list[_Turn] = []
        self._working: list[_Turn] = []

    @contextmanager
    def turn(self, on_wait: Callable[[], object]) -> Iterator[None]:
        """Wait for a place, and hold it during the block.

        Until there is one, ``on_wait`` is called several times a second; what it raises ends the wait.
        """
        turn = _Turn(asker())
        with self._lock:
            self._waiting.append(turn)
            self._give()
        try:
            while not turn.given.wait(TELL_EVERY_SECONDS):
                on_wait()
            yield
        finally:
            with self._lock:
                if turn in self._working:
                    self._working.remove(turn)
                    self._shares.add(turn.who, self._shares.clock() - turn.began)
                else:
                    self._waiting.remove(turn)
                self._give()

    def _give(self) -> None:
        """Give the free places to those who have had least."""
        while fitting := [turn for turn in self._waiting if self._has_place(turn.who.visitor)]:
            turn = min(fitting, key=self._had)
            self._waiting.remove(turn)
            self._working.append(turn)
            turn.began = self._shares.clock()
            turn.given.set()

    def _has_place(self, visitor: str) -> bool:
        held = sum(turn.who.visitor == visitor for turn in self._working)
        return len(self._working) < self._all and held < self._places

    def _had(self, turn: _Turn) -> tuple[float, float]:
        """Return what the visitor and the session of a turn have had, with what they hold now."""
        now, who = self._shares.clock(), turn.who
        held = [(each.who, BEGUN_SECONDS + now - each.began) for each in self._working]
        of_visitor = sum(seconds for other, seconds in held if other.visitor == who.visitor)
        of_session = sum(seconds for other, seconds in held if other == who)
        return self._shares.of(Asker(who.visitor)) + of_visitor, self._shares.of(who) + of_session
