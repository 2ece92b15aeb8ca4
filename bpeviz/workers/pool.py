"""A pool of workers: processes that wait for a task, run it within limits, and end after a while without one.

A worker that has answered waits a while for the next call, because a new Python takes a third of a second to
start. The one that answered last is called first: it may still have loaded what the next call needs. A fresh
one stays ready on a server. A worker that takes too long or too much is ended, and nothing else is.
"""

import atexit
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

import msgspec

from bpeviz.decoders import msgpack_decoder
from bpeviz.processes.child_process import Child, command, end, pipes, start
from bpeviz.processes.messages import Failure, read_message, write_message
from bpeviz.processes.sharing import TELL_EVERY_SECONDS, Slots, cores
from bpeviz.processes.spare_process import SpareProcess
from bpeviz.workers.task import Answer, Ending, Limit, Request, Task, WorkerError
from bpeviz.workers.worker import Answered, Call, OutOfMemory

__all__ = ["IDLE_SECONDS", "MOST_AT_ONCE", "Pool"]

#: How many workers work at the same time, for all visitors together; other calls wait.
MOST_AT_ONCE = 2 * cores()
#: How long a worker waits for another call: it holds memory.
IDLE_SECONDS = 15.0
#: On a busy machine a call gets this much time for a second of processor time, and a moment to start.
PATIENCE, MOMENT_SECONDS = 4.0, 10.0

ENDS_IDLE = "ends idle workers"
SERVE = command("bpeviz.workers.worker", "serve")
_Message = Answered | Failure | OutOfMemory


class _Idle(NamedTuple):
    """A worker that waits for a call, and until when, in seconds of time.monotonic()."""

    child: Child
    until: float


class Pool:
    """Workers for all visitors of a server."""

    def __init__(
        self,
        most_at_once: int = MOST_AT_ONCE,
        idle_seconds: float = IDLE_SECONDS,
        command: Sequence[str] = SERVE,
    ) -> None:
        self._slots = Slots(most_at_once)
        self._idle_seconds = idle_seconds
        self._command = command
        self._lock = threading.Lock()
        self._idle: list[_Idle] = []
        self._ends_idle = False
        self._spare = SpareProcess()
        atexit.register(self.close)

    def keep_ready(self) -> None:
        """Start a worker for the next call, and another when it is taken."""
        self._spare.keep(self._command)

    def close(self) -> None:
        """End the workers that wait."""
        with self._lock:
            idle, self._idle = self._idle, []
        for each in idle:
            end(each.child)

    def run(
        self,
        task: Task[Request, Answer],
        request: Request,
        limit: Limit,
        on_wait: Callable[[], object] = lambda: None,
    ) -> Answer:
        """Return the answer of a task: see ``Workers.run``."""
        call = Call(task.place, msgspec.msgpack.encode(request), limit.seconds, limit.memory_bytes)
        with self._slots.hold(on_wait), self._worker() as child:
            due = time.monotonic() + MOMENT_SECONDS + PATIENCE * limit.seconds
            message = _answer_of(child, call, due, on_wait)
            match message:
                case Answered():
                    answer: Answer = msgpack_decoder(task.answer).decode(message.answer)
                    return answer
                case OutOfMemory():
                    raise WorkerError("memory")
                case None:
                    raise WorkerError(_how_it_ended(child))
        raise message.error()

    @contextmanager
    def _worker(self) -> Iterator[Child]:
        """A worker, which waits for another call if nothing fails."""
        child = self._take()
        try:
            yield child
        except BaseException:
            end(child)
            raise
        self._put_back(child)

    def _take(self) -> Child:
        while self._idle:
            with self._lock, suppress(IndexError):
                child = self._idle.pop().child
                if child.poll() is None:
                    return child
                end(child)
        try:
            return self._spare.take(self._command) or start(self._command)
        except OSError:
            raise WorkerError("not started") from None
        finally:
            self._spare.prepare_soon(self._command)

    def _put_back(self, child: Child) -> None:
        with self._lock:
            self._idle.append(_Idle(child, time.monotonic() + self._idle_seconds))
            first, self._ends_idle = not self._ends_idle, True
        if first:
            threading.Thread(target=self._end_idle, name=f"{ENDS_IDLE} {id(self):x}", daemon=True).start()

    def _end_idle(self) -> None:
        """End each worker that has waited too long, until none waits."""
        while True:
            time.sleep(self._idle_seconds / 10)
            with self._lock:
                late = [each for each in self._idle if each.until <= time.monotonic()]
                self._idle = [each for each in self._idle if each not in late]
                self._ends_idle = more = bool(self._idle)
            for each in late:
                end(each.child)
            if not more:
                return


def _answer_of(child: Child, call: Call, due: float, on_wait: Callable[[], object]) -> _Message | None:
    """What the worker answers, or None if it ends without an answer. Raises WorkerError if it is late."""
    received: queue.SimpleQueue[_Message | None] = queue.SimpleQueue()
    threading.Thread(target=_converse, args=(child, call, received), daemon=True).start()
    while True:
        with suppress(queue.Empty):
            return received.get(timeout=TELL_EVERY_SECONDS)
        if time.monotonic() > due:
            raise WorkerError("time")
        on_wait()


def _converse(child: Child, call: Call, received: "queue.SimpleQueue[_Message | None]") -> None:
    """Send a call and put the answer into a queue. Runs in a thread, because a pipe may block."""
    asked, answered = pipes(child)
    answer: _Message | None = None
    try:
        with suppress(OSError, EOFError, ValueError):
            write_message(call, asked)
            answer = read_message(answered, _Message)
    finally:
        received.put(answer)


def _how_it_ended(child: Child) -> Ending:
    """Why there is no answer. The system ends a process for memory, and by SIGPROF for time."""
    with suppress(subprocess.TimeoutExpired):  # it runs on, but its answer made no sense
        code = child.wait(MOMENT_SECONDS)
        if code == -getattr(signal, "SIGPROF", 0):
            return "time"
        if code in (-getattr(signal, "SIGKILL", 0), -getattr(signal, "SIGABRT", 0)):
            return "memory"
    return "crashed"
