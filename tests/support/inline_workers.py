"""Workers in the caller's process, for tests: the same messages, without a process and without limits."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from bpeviz.decoders import as_msgpack, msgpack_decoder
from bpeviz.workers.messages import Failure
from bpeviz.workers.task import Answer, Limit, OnEvent, OnWait, Request, Task, WorkerError, Workers
from bpeviz.workers.worker import Call, OutOfMemory, answer_to

__all__ = ["InlineWorkers", "work_with"]


@contextmanager
def work_with(others: Workers) -> Iterator[None]:
    """Let others than the pool do the tasks during a block."""
    with mock.patch("bpeviz.workers._pool", return_value=others):
        yield


class InlineWorkers:
    """Do each task at once, in this process."""

    def keep_ready(self) -> None:
        """Nothing to prepare."""

    def run(
        self,
        task: Task[Request, Answer],
        request: Request,
        limit: Limit | None,
        on_wait: OnWait = lambda _: None,
        on_event: OnEvent = lambda _: None,
    ) -> Answer:
        """Return the answer of a task: see ``Workers.run``."""
        on_wait(False)
        call = Call(task.place, as_msgpack(request), limit)

        def tell(event: object) -> None:
            on_event(msgpack_decoder(task.event).decode(as_msgpack(event)))

        message = answer_to(call, tell, limited=False)
        match message:
            case Failure():
                raise message.error()
            case OutOfMemory():
                raise WorkerError("memory")
        answer: Answer = msgpack_decoder(task.answer).decode(message.answer)
        return answer
