"""What is called while a thread waits for a worker, although the functions between pass nothing on.

A custom split pattern works in a worker. The training that splits by it can't be told how far the pattern is,
but it must hear that the person cancels:

    with called_while_waiting(stop_if_cancelled):
        train(text, split=pattern)  # waits for workers, some levels below
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["call_waiting", "called_while_waiting"]

_called: ContextVar[Callable[[], object] | None] = ContextVar("called while waiting", default=None)


@contextmanager
def called_while_waiting(act: Callable[[], object]) -> Iterator[None]:
    """Call ``act`` several times a second while this thread waits for a worker during the block. What it
    raises ends the wait and the work."""
    token = _called.set(act)
    try:
        yield
    finally:
        _called.reset(token)


def call_waiting() -> None:
    """Call what this thread asked for; nothing if it didn't."""
    if (act := _called.get()) is not None:
        act()
