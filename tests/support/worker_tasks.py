"""Tasks that the tests of workers give them."""

import os
import re
import threading
from typing import Any

import msgspec

from bpeviz.errors import PipelineError
from bpeviz.workers.task import Ending, Task, WorkerError

__all__ = ["CRASH", "FAIL", "FILL", "HOLD", "PID", "SPIN", "UPPER", "WAIT", "FailingWorkers", "Text"]

_HERE = "tests.support.worker_tasks"


class Text(msgspec.Struct, frozen=True):
    """A request or an answer."""

    text: str = ""


def _fail(request: Text) -> Text:
    raise PipelineError(request.text, "Try it.", said="no")


def _crash(_: Text) -> Text:
    os._exit(3)


def _spin(_: Text) -> Text:
    while True:
        pass


def _wait(_: Text) -> Text:
    threading.Event().wait()
    return Text()


def _hold(_: Text) -> Text:
    re.match("(a+)+$", "a" * 60 + "b")  # no other thread of the worker runs meanwhile
    return Text()


def _fill(_: Text) -> Text:
    return Text("x" * 2**30)


UPPER = Task(f"{_HERE}:UPPER", Text, Text, lambda request: Text(request.text.upper()))
PID = Task(f"{_HERE}:PID", Text, Text, lambda _: Text(str(os.getpid())))
FAIL = Task(f"{_HERE}:FAIL", Text, Text, _fail)
CRASH = Task(f"{_HERE}:CRASH", Text, Text, _crash)
SPIN = Task(f"{_HERE}:SPIN", Text, Text, _spin)
WAIT = Task(f"{_HERE}:WAIT", Text, Text, _wait)
FILL = Task(f"{_HERE}:FILL", Text, Text, _fill)
HOLD = Task(f"{_HERE}:HOLD", Text, Text, _hold)


class FailingWorkers:
    """Workers that give no answer, for one reason."""

    def __init__(self, why: Ending) -> None:
        self.why = why

    def run(self, *_: object) -> Any:
        raise WorkerError(self.why)
