"""Work in another process: within limits, and without making others wait.

    answer = workers().run(TASK, request, limit)

- ``task``: what a worker can do, as a value;
- ``pool``: processes that wait for a task, and how they are limited, cancelled and ended;
- ``worker``: what runs in such a process, and the limits that it sets itself;
- ``child_process``, ``messages``: a new Python with two pipes, and what goes through them;
- ``sharing``: slots and a low priority;
- ``waiting``: what is called while a thread waits.
"""

from functools import cache

from bpeviz.workers.pool import Pool
from bpeviz.workers.task import Workers

__all__ = ["workers"]


def workers() -> Workers:
    """Return who does tasks for this process: its pool. Tests put others in its place."""
    return _pool()


@cache
def _pool() -> Pool:
    return Pool()
