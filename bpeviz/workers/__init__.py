"""Work in another process: within limits, and without making others wait.

    answer = workers().run(TASK, request, limit)

- ``task``: what a worker can do, as a value;
- ``pool``: processes that wait for a task, and how they are limited, cancelled and ended;
- ``worker``: what runs in such a process, and the limits that it sets itself;
- ``child_process``, ``messages``: a new Python with two pipes, and what goes through them;
- ``sharing``: slots and a low priority;
- ``waiting``: what is called while a thread waits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from bpeviz.workers.pool import Pool
from bpeviz.workers.task import Workers

__all__ = ["work_with", "workers"]

_others: list[Workers] = []


@cache
def _pool() -> Pool:
    """Return the pool of this process."""
    return Pool()


def workers() -> Workers:
    """Return who does tasks for this process: its pool, unless a test puts others in its place."""
    return _others[-1] if _others else _pool()


@contextmanager
def work_with(others: Workers) -> Iterator[None]:
    """Let others do the tasks during a block."""
    _others.append(others)
    try:
        yield
    finally:
        _others.remove(others)
