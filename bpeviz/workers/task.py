"""A task: what a worker can do, as a value, and the limits of one call."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

__all__ = [
    "Answer",
    "Ending",
    "Kind",
    "Limit",
    "OnEvent",
    "OnWait",
    "Request",
    "Task",
    "WorkerError",
    "Workers",
    "why_it_ended",
]

Request = TypeVar("Request")
Answer = TypeVar("Answer")
#: Why a call has no answer.
Ending = Literal["time", "memory", "crashed", "not started"]
#: Work of one kind waits for work of the same kind only: a task that may take minutes is "long".
Kind = Literal["short", "long", "download"]
#: Called with what a task tells on its way; what it raises ends the task.
OnEvent = Callable[[Any], object]
#: Called several times a second while there is no news, with whether the task still waits for its turn; what
#: it raises ends the task at once.
OnWait = Callable[[bool], object]


@dataclass(frozen=True)
class Task(Generic[Request, Answer]):
    """A function that a worker calls with a request.

    ``place``: where the worker finds this task, ``"package.module:NAME"``; ``request`` and ``answer``: their
    types, such as structs, dataclasses and arrays; ``work``: the function, which may tell events of the type
    ``event`` on its way. A BpevizError that it raises is raised by ``Workers.run``. A ``fresh`` task gets a
    worker that has done nothing before: memory that a worker had and freed doesn't count for its limit.
    """

    place: str
    request: Any
    answer: Any
    work: Callable[[Request, OnEvent], Answer]
    event: Any = None
    kind: Kind = "short"
    fresh: bool = False


@dataclass(frozen=True)
class Limit:
    """What one call may take: ``seconds`` of processor time, and ``memory_bytes`` more than it has."""

    seconds: float
    memory_bytes: int


class WorkerError(Exception):
    """A call without an answer: its time or memory ran out, the worker crashed, or none could start. The
    system kills a process if memory runs out, so "memory" may also mean that a person killed it."""

    def __init__(self, why: Ending) -> None:
        super().__init__(why)
        self.why = why


def why_it_ended(ending: Ending, what: str, smaller: str) -> tuple[str, str]:
    """Return what happened, and what to do: ``smaller`` if the task took too much.

    >>> why_it_ended("time", "the check", "Give a shorter text.")
    ('the check took too long', 'Give a shorter text.')
    """
    return {
        "time": (f"{what} took too long", smaller),
        "memory": (f"{what} was stopped, probably because it needed too much memory", smaller),
        "crashed": (f"{what} crashed", "Try again, and report it if that happens again."),
        "not started": (
            f"{what} couldn't start, probably because memory ran out",
            "Try again in a moment.",
        ),
    }[ending]


class Workers(Protocol):
    """Who does tasks."""

    def keep_ready(self) -> None:
        """Prepare for the next task, and again after each."""
        ...

    def run(
        self,
        task: Task[Request, Answer],
        request: Request,
        limit: Limit | None,
        on_wait: OnWait = ...,
        on_event: OnEvent = ...,
    ) -> Answer:
        """Return the answer of a task; without a limit it may take any time and memory.

        Raises what the task raises if that is a BpevizError, WorkerError, and what ``on_wait`` and
        ``on_event`` raise.
        """
        ...
