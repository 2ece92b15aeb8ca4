"""Work in another process: within limits, and without making others wait.

    answer = workers().run(TASK, request, limit)

- ``task``: what a worker can do, as a value;
- ``pool``: processes that wait for a task, and how they are limited, cancelled and ended;
- ``worker``: what runs in such a process, and the limits that it sets itself;
- ``child_process``, ``messages``: a new Python with two pipes, and what goes through them;
- ``sharing``: slots and a low priority;
- ``waiting``: what is called while a thread waits.

What runs in workers, because other visitors would wait, or because what a file or a library does is unknown:
long trainings (training.in_worker), custom split patterns (text.pattern_tasks), tokenizer files
(formats.isolated) and their pipelines (pipelines.running), the Hub (formats.hub), real libraries
(parity.library_training), checks of a person's trainer (merge_check.in_worker), audits (audit.in_worker),
and large files of a vocabulary (analysis.vocabulary_files).

Workers end after a while without a task, or with the server. One is kept ready, because a Python takes a
quarter of a second to start. A custom pattern is compiled in a worker that has done nothing before: memory
that one had and freed would not count for the limit.
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
