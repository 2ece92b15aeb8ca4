"""What runs in a worker: it reads calls from its standard input, and answers each.

It limits itself during a call: the kernel ends it if it takes too long. If the process that started it ends,
its standard input ends too; a thread notices that, and ends the worker in the middle of its work, and what it
started itself.
"""

import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from bpeviz.decoders import as_msgpack, msgpack_decoder
from bpeviz.errors import BpevizError
from bpeviz.workers.child_process import answers, end_group
from bpeviz.workers.messages import Failure, read_message, write_message
from bpeviz.workers.task import Limit, OnEvent, Task

try:
    import resource
except ImportError:  # on Windows; then only the process that started this one limits its time
    resource = None  # type: ignore[assignment]

__all__ = ["Answered", "Call", "OutOfMemory", "Told", "answer_to", "serve"]

#: What most calls need, loaded while none waits.
NEEDED = "bpeviz.training.in_worker"


class Call(msgspec.Struct, frozen=True):
    """One call: the place of the task, its request in MessagePack, and its limit."""

    place: str
    request: bytes
    limit: Limit | None


class Told(msgspec.Struct, frozen=True, tag="told"):
    """What a task tells on its way, in MessagePack."""

    event: bytes


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """The answer of a task in MessagePack."""

    answer: bytes


class OutOfMemory(msgspec.Struct, frozen=True, tag="out of memory"):
    """The memory for a call ran out. The worker ends after this."""


def serve() -> None:
    """Answer calls until standard input ends."""
    pipe = answers()
    os.environ["RUST_BACKTRACE"] = "0"  # a panic of a library would print a page
    calls: queue.SimpleQueue[Call] = queue.SimpleQueue()
    threading.Thread(target=_read_calls, args=(calls,), daemon=True).start()
    if calls.empty():
        import_module(NEEDED)

    def tell(event: object) -> None:
        write_message(Told(as_msgpack(event)), pipe)

    while True:
        answer = answer_to(calls.get(), tell, limited=True)
        with suppress(OSError):
            write_message(answer, pipe)
        if isinstance(answer, OutOfMemory):
            os._exit(0)


def answer_to(call: Call, tell: OnEvent, *, limited: bool) -> Answered | Failure | OutOfMemory:
    """Do a task, and return the message with its answer."""
    module, _, name = call.place.partition(":")
    task: Task[Any, Any] = getattr(import_module(module), name)
    request = msgpack_decoder(task.request).decode(call.request)
    try:
        with _within(call.limit if limited else None):
            answer = task.work(request, tell)
        return Answered(as_msgpack(answer))
    except BpevizError as error:
        return Failure.of(error)
    except MemoryError:
        return OutOfMemory()


@contextmanager
def _within(limit: Limit | None) -> Iterator[None]:
    """Limit this process during a call. The kernel ends it if it computes for too long."""
    if limit is None:
        yield
        return
    _limit_this_process(limit.seconds, limit.memory_bytes)
    try:
        yield
    finally:
        _lift_memory_limit()
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)


def _read_calls(calls: "queue.SimpleQueue[Call]") -> None:
    with suppress(EOFError, OSError):
        while True:
            calls.put(read_message(sys.stdin.buffer, Call))
    end_group(os.getpid())


def _limit_this_process(seconds: float, more_bytes: int) -> None:
    """Have the kernel end this process after ``seconds`` of computing, and limit the memory that it takes on
    top of what it has now, if the system can."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds * 1.25 + 0.25)  # a library may check its own limit first
    if resource is not None and (size := _address_space()):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = size + more_bytes
        resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))


def _lift_memory_limit() -> None:
    """Lift the memory limit, so that this process can build its answer."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _address_space() -> int:
    """Return the bytes of address space that this process has; 0 if the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
