"""A pool of workers: processes that wait for a task, run it within limits, and end after a while without one.

A worker that has answered waits a while for the next call, because a new Python takes a third of a second to
start. The one that answered last is called first: it may still have loaded what the next call needs. A fresh
one stays ready on a server. A worker that takes too long or too much is ended, and nothing else is.

Most calls take less than a second. There are separate places for these. It isn't known before which calls are
quick: one with a short request is tried there first, and again among the others if a second isn't enough.

Not the library pebble: the server would unpickle what a worker sends, a pool breaks if the kernel kills a
worker that waits, and multiprocessing runs the page's file in each worker: see ``child_process``.
"""

import atexit
import hashlib
import math
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from bpeviz.decoders import as_msgpack, msgpack_decoder
from bpeviz.workers.child_process import Child, command, end, pipes, start
from bpeviz.workers.messages import Failure, read_message, write_message
from bpeviz.workers.sharing import TELL_EVERY_SECONDS, cores
from bpeviz.workers.task import Answer, Ending, Kind, Limit, OnEvent, OnWait, Request, Task, WorkerError
from bpeviz.workers.turns import Turns
from bpeviz.workers.waiting import call_waiting
from bpeviz.workers.worker import Answered, Call, OutOfMemory, Told

__all__ = ["IDLE_SECONDS", "MOST_AT_ONCE", "MOST_DOWNLOADS", "Pool"]

#: How many workers of one kind work at the same time for one visitor; other calls wait. One more works for
#: another visitor.
MOST_AT_ONCE = cores()
MOST_DOWNLOADS = 2
#: A call with a shorter request may be quick: it is tried for a second first.
QUICK_BYTES, QUICK_SECONDS = 100_000, 1.0
#: How long the pool remembers calls that took too long, and how many, so that they aren't tried again.
REMEMBERED_SECONDS, MOST_REMEMBERED = 600.0, 1_000
#: How long a worker waits for another call: it holds memory.
IDLE_SECONDS = 15.0
#: How long after one is taken the next worker is made ready: by then, the page has shown what the first made.
LATER_SECONDS = 2.0
#: On a busy machine a call gets this much time for a second of processor time, and a moment to start.
PATIENCE, MOMENT_SECONDS = 4.0, 10.0

ENDS_IDLE = "ends idle workers"
SERVE = command("bpeviz.workers.worker", "serve")
_Message = Told | Answered | Failure | OutOfMemory


class _Idle(NamedTuple):
    """A worker that waits for a call, and until when, in seconds of time.monotonic()."""

    child: Child
    until: float


class _TooLongError(WorkerError):
    """The kernel ended a call after its time, as it would again."""


class _LateError(WorkerError):
    """The machine was too busy for a call to end in time."""


class Pool:
    """Workers for all visitors of a server."""

    def __init__(
        self,
        most_at_once: int = MOST_AT_ONCE,
        idle_seconds: float = IDLE_SECONDS,
        command: Sequence[str] = SERVE,
    ) -> None:
        self._quick = Turns(most_at_once)
        self._turns: dict[Kind, Turns] = {
            "short": Turns(most_at_once),
            "long": Turns(most_at_once),
            "download": Turns(MOST_DOWNLOADS),
        }
        self._too_long: dict[bytes, float] = {}
        self._idle_seconds = idle_seconds
        self._command = command
        self._lock = threading.Lock()
        self._idle: list[_Idle] = []
        self._ends_idle = False
        self._keeps_ready = False
        atexit.register(self.close)

    def keep_ready(self) -> None:
        """Start a worker that waits for the next call for any time, and another soon after it is taken."""
        with self._lock, suppress(OSError):  # without one, the next call starts its own
            if all(each.until < math.inf for each in self._idle):
                self._idle.insert(0, _Idle(start(self._command), math.inf))
            self._keeps_ready = True

    def close(self) -> None:
        """End the workers that wait."""
        with self._lock:
            idle, self._idle, self._keeps_ready = self._idle, [], False
        for each in idle:
            end(each.child)

    def run(
        self,
        task: Task[Request, Answer],
        request: Request,
        limit: Limit | None,
        on_wait: OnWait = lambda _: None,
        on_event: OnEvent = lambda _: None,
    ) -> Answer:
        """Return the answer of a task: see ``Workers.run``."""
        call = Call(task.place, as_msgpack(request), limit)
        if limit is None or task.kind != "short":
            return self._answer(task, call, self._turns[task.kind], on_wait, on_event)
        known = hashlib.blake2b(call.request, digest_size=16, key=task.place.encode()[:64]).digest()
        if time.monotonic() < self._too_long.get(known, 0.0):
            raise WorkerError("time")
        try:
            if limit.seconds <= QUICK_SECONDS:
                return self._answer(task, call, self._quick, on_wait, on_event)
            if len(call.request) <= QUICK_BYTES:
                quick = msgspec.structs.replace(call, limit=replace(limit, seconds=QUICK_SECONDS))
                with suppress(_TooLongError, _LateError):
                    return self._answer(task, quick, self._quick, on_wait, on_event)
            return self._answer(task, call, self._turns["short"], on_wait, on_event)
        except _TooLongError:
            self._remember(known)
            raise

    def _remember(self, known: bytes) -> None:
        with self._lock:
            self._too_long[known] = time.monotonic() + REMEMBERED_SECONDS
            if len(self._too_long) > MOST_REMEMBERED:
                del self._too_long[next(iter(self._too_long))]

    def _answer(
        self, task: Task[Any, Answer], call: Call, turns: Turns, on_wait: OnWait, on_event: OnEvent
    ) -> Answer:
        """Return the answer to a call, when it is its turn."""

        def told(event: bytes) -> None:
            on_event(msgpack_decoder(task.event).decode(event))

        def wait(queued: bool) -> None:
            on_wait(queued)
            call_waiting()

        with turns.turn(lambda: wait(True)), self._worker(fresh=task.fresh) as child:
            message = _answer_of(child, call, wait, told)
            match message:
                case Answered():
                    answer: Answer = msgpack_decoder(task.answer).decode(message.answer)
                    return answer
                case OutOfMemory():
                    raise WorkerError("memory")
                case None:
                    ending = _how_it_ended(child)
                    raise _TooLongError(ending) if ending == "time" else WorkerError(ending)
        raise message.error()

    @contextmanager
    def _worker(self, *, fresh: bool) -> Iterator[Child]:
        """Give a worker, which waits for another call if nothing fails; a ``fresh`` one ends."""
        child = self._take(fresh=fresh)
        try:
            yield child
        except BaseException:
            end(child)
            raise
        if fresh:
            end(child)
        else:
            self._put_back(child)

    def _take(self, *, fresh: bool) -> Child:
        while child := self._take_idle(fresh=fresh):
            if child.poll() is None:
                return child
            end(child)
        try:
            return start(self._command)
        except OSError:
            raise WorkerError("not started") from None

    def _take_idle(self, *, fresh: bool) -> Child | None:
        """Return the worker that answered last. The one that is kept ready has done nothing, and is the
        first."""
        with self._lock:
            if not self._idle or (fresh and self._idle[0].until < math.inf):
                return None
            child, until = self._idle.pop(0 if fresh else -1)
            if until == math.inf and self._keeps_ready:
                self._keep_ready_soon()
            return child

    def _keep_ready_soon(self) -> None:
        later = threading.Timer(LATER_SECONDS, self.keep_ready)
        later.daemon = True
        later.start()

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
                self._ends_idle = more = any(each.until < math.inf for each in self._idle)
            for each in late:
                end(each.child)
            if not more:
                return


def _answer_of(
    child: Child, call: Call, on_wait: OnWait, told: Callable[[bytes], object]
) -> Answered | Failure | OutOfMemory | None:
    """Return what the worker answers, or None if it ends without an answer. Raises WorkerError if it is
    late."""
    patience = MOMENT_SECONDS + PATIENCE * call.limit.seconds if call.limit else math.inf
    due = time.monotonic() + patience
    received: queue.SimpleQueue[_Message | None] = queue.SimpleQueue()
    threading.Thread(target=_converse, args=(child, call, received), daemon=True).start()
    while True:
        try:
            message = received.get(timeout=TELL_EVERY_SECONDS)
        except queue.Empty:
            on_wait(False)
        else:
            if not isinstance(message, Told):
                return message
            told(message.event)
        if time.monotonic() > due:
            raise _LateError("time")


def _converse(child: Child, call: Call, received: "queue.SimpleQueue[_Message | None]") -> None:
    """Send a call and put what comes back into a queue, then None. Runs in a thread, because a pipe may
    block."""
    asked, answered = pipes(child)
    try:
        with suppress(OSError, EOFError, ValueError):
            write_message(call, asked)
            while isinstance(message := read_message(answered, _Message), Told):
                received.put(message)
            received.put(message)
    finally:
        received.put(None)


def _how_it_ended(child: Child) -> Ending:
    """Why there is no answer. The system ends a process for memory, and by SIGPROF for time."""
    with suppress(subprocess.TimeoutExpired):  # it runs on, but its answer made no sense
        code = child.wait(MOMENT_SECONDS)
        if code == -getattr(signal, "SIGPROF", 0):
            return "time"
        if code in (-getattr(signal, "SIGKILL", 0), -getattr(signal, "SIGABRT", 0)):
            return "memory"
    return "crashed"
