"""Tasks that the tests of workers give them."""

import os
import re
import threading
import time
from typing import Any

import msgspec

from bpeviz.errors import PipelineError
from bpeviz.workers.task import Ending, OnEvent, Task, WorkerError

__all__ = [
    "CRASH",
    "FAIL",
    "FILL",
    "HOLD",
    "PID",
    "PID_OF_FRESH",
    "SPELL",
    "SPIN",
    "TWO_SECONDS",
    "UPPER",
    "WAIT",
    "WAIT_LONG",
    "FailingWorkers",
    "Text",
]

_HERE = "tests.support.worker_tasks"


class Text(msgspec.Struct, frozen=True):
    """A request or an answer."""

    text: str = ""


def _spell(request: Text, tell: OnEvent) -> Text:
    for letter in request.text:
        tell(Text(letter))
    return request


def _fail(request: Text, _: OnEvent) -> Text:
    raise PipelineError(request.text, "Try it.", said="no")


def _crash(_: Text, __: OnEvent) -> Text:
    os._exit(3)


def _spin(_: Text, __: OnEvent) -> Text:
    while True:
        pass


def _two_seconds(request: Text, _: OnEvent) -> Text:
    until = time.process_time() + 2
    while time.process_time() < until:
        pass
    return request


def _wait(_: Text, __: OnEvent) -> Text:
    threading.Event().wait()
    return Text()


def _hold(_: Text, __: OnEvent) -> Text:
    re.match("(a+)+$", "a" * 60 + "b")  # no other thread of the worker runs meanwhile
    return Text()


def _fill(_: Text, __: OnEvent) -> Text:
    return Text("x" * 2**30)


UPPER = Task(f"{_HERE}:UPPER", Text, Text, lambda request, _: Text(request.text.upper()))
PID = Task(f"{_HERE}:PID", Text, Text, lambda _, __: Text(str(os.getpid())))
PID_OF_FRESH = Task(f"{_HERE}:PID_OF_FRESH", Text, Text, lambda _, __: Text(str(os.getpid())), fresh=True)
FAIL = Task(f"{_HERE}:FAIL", Text, Text, _fail)
CRASH = Task(f"{_HERE}:CRASH", Text, Text, _crash)
SPIN = Task(f"{_HERE}:SPIN", Text, Text, _spin)
TWO_SECONDS = Task(f"{_HERE}:TWO_SECONDS", Text, Text, _two_seconds)
WAIT = Task(f"{_HERE}:WAIT", Text, Text, _wait)
WAIT_LONG = Task(f"{_HERE}:WAIT_LONG", Text, Text, _wait, kind="long")
SPELL = Task(f"{_HERE}:SPELL", Text, Text, _spell, event=Text)
FILL = Task(f"{_HERE}:FILL", Text, Text, _fill)
HOLD = Task(f"{_HERE}:HOLD", Text, Text, _hold)


class FailingWorkers:
    """Workers that give no answer, for one reason."""

    def __init__(self, why: Ending) -> None:
        self.why = why

    def keep_ready(self) -> None:
        pass

    def run(self, *_: object) -> Any:
        raise WorkerError(self.why)
