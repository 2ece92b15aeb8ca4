"""Workers in the caller's process, for tests: the same messages, without a process and without limits."""

from collections.abc import Callable

import msgspec

from bpeviz.decoders import msgpack_decoder
from bpeviz.processes.messages import Failure
from bpeviz.workers.task import Answer, Limit, Request, Task, WorkerError
from bpeviz.workers.worker import Call, OutOfMemory, answer_to

__all__ = ["InlineWorkers"]


class InlineWorkers:
    """Do each task at once, in this process."""

    def run(
        self,
        task: Task[Request, Answer],
        request: Request,
        limit: Limit,
        on_wait: Callable[[], object] = lambda: None,
    ) -> Answer:
        """Return the answer of a task: see ``Workers.run``."""
        on_wait()
        call = Call(task.place, msgspec.msgpack.encode(request), limit.seconds, limit.memory_bytes)
        message = answer_to(call, limited=False)
        match message:
            case Failure():
                raise message.error()
            case OutOfMemory():
                raise WorkerError("memory")
        answer: Answer = msgpack_decoder(task.answer).decode(message.answer)
        return answer
