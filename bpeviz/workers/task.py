"""A task: what a worker can do, as a value, and the limits of one call."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

__all__ = ["Answer", "Ending", "Limit", "Request", "Task", "WorkerError", "Workers"]

Request = TypeVar("Request")
Answer = TypeVar("Answer")
#: Why a call has no answer.
Ending = Literal["time", "memory", "crashed", "not started"]


@dataclass(frozen=True)
class Task(Generic[Request, Answer]):
    """A function that a worker calls with a request.

    ``place``: where the worker finds this task, ``"package.module:NAME"``; ``request`` and ``answer``: their
    types, msgspec structs or unions of them; ``work``: the function. A BpevizError that it raises is raised
    by ``Workers.run``.
    """

    place: str
    request: Any
    answer: Any
    work: Callable[[Request], Answer]


@dataclass(frozen=True)
class Limit:
    """What one call may take: ``seconds`` of processor time, and ``memory_bytes`` more than it has."""

    seconds: float
    memory_bytes: int


class WorkerError(Exception):
    """A call without an answer: its time or memory ran out, the worker crashed, or none could start. The
    system kills a process if memory runs out, so "memory" may also mean that somebody killed it."""

    def __init__(self, why: Ending) -> None:
        super().__init__(why)
        self.why = why


class Workers(Protocol):
    """Who does tasks."""

    def run(
        self,
        task: Task[Request, Answer],
        request: Request,
        limit: Limit,
        on_wait: Callable[[], object] = ...,
    ) -> Answer:
        """Return the answer of a task.

        ``on_wait`` is called several times a second; what it raises ends the task at once, also while it
        waits for its turn. Raises what the task raises if that is a BpevizError, and WorkerError.
        """
        ...
