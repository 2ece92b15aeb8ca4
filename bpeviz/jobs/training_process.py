"""A training in a process of its own, so that whoever serves others meanwhile is not held up.

Request, progress and result go through its pipes as messages, one after the other. What is trained, and how,
is not known here.
"""

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from bpeviz.base_error import BpevizError
from bpeviz.jobs.errors import TrainingProcessError
from bpeviz.jobs.training_messages import read_answer, read_request, write_answer, write_request
from bpeviz.processes.child_process import answers, command, end_with_the_other, ended, pipes, start
from bpeviz.processes.sharing import TELL_EVERY_SECONDS, Slots, cores
from bpeviz.text.utf8 import check_text
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.text_training import (
    OnTraining,
    Source,
    TrainingProgress,
    UncountedText,
    train_text,
)

__all__ = ["MOST_AT_ONCE", "MOST_HERE", "train_here", "train_in_process"]

_COMMAND = command("bpeviz.jobs.training_process")

#: How many trainings go on at the same time, for all who ask; the others wait.
MOST_AT_ONCE = cores()
_slots = Slots(MOST_AT_ONCE)
#: The same in this process, where no two can compute at the same time: several would only hold everybody up.
MOST_HERE = 1
_slots_here = Slots(MOST_HERE)


def train_here(source: Source, settings: TrainingSettings, on_progress: OnTraining) -> TrainingResult:
    """Train as ``train_text`` does, in this process, as soon as no other does; ``on_progress`` hears of the
    wait several times a second, and what it raises ends it."""
    waiting = TrainingProgress("waiting", 0, settings.num_merges)
    with _slots_here.hold(lambda: on_progress(waiting)):
        return train_text(source, settings, on_progress)


def train_in_process(source: Source, settings: TrainingSettings, on_progress: OnTraining) -> TrainingResult:
    """Train as ``train_text`` does, in another process.

    ``on_progress`` is called several times a second, also where nothing new is known; what it raises ends the
    process at once. Raises what ``train_text`` raises, and TrainingProcessError where the process is gone
    before it is done.
    """
    if isinstance(source, UncountedText):
        check_text(source.text)
    waiting = TrainingProgress("waiting", 0, settings.num_merges)
    with _slots.hold(lambda: on_progress(waiting)), _started() as process:
        told: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=_converse, args=(process, (source, settings), told), daemon=True).start()
        now = TrainingProgress("starting", 0, settings.num_merges)
        while True:
            on_progress(now)
            with suppress(queue.Empty):
                match told.get(timeout=TELL_EVERY_SECONDS):
                    case TrainingProgress() as now:
                        pass
                    case TrainingResult() as result:
                        return result
                    case BpevizError() as error:
                        raise error
                    case _:
                        raise TrainingProcessError(process.wait())


@contextmanager
def _started() -> Iterator["subprocess.Popen[bytes]"]:
    try:
        child = start(_COMMAND)
    except OSError:
        raise TrainingProcessError(None) from None
    with ended(child):
        yield child


def _converse(
    process: "subprocess.Popen[bytes]",
    request: tuple[Source, TrainingSettings],
    told: "queue.SimpleQueue[Any]",
) -> None:
    """Send the request and pass on what comes back, None at the end; in a thread, since a pipe may block.

    The pipe to the process stays open as long as this goes on: its end tells the process to end too.
    """
    asked, answered = pipes(process)
    try:
        with suppress(OSError, EOFError, ValueError), asked, answered:
            write_request(*request, asked)
            while True:
                told.put(read_answer(answered))
    finally:
        told.put(None)


# --- on the other side ---------------------------------------------------------------------------------


def work() -> None:
    """Be the other process: answer the one request on standard input, on what was standard output."""
    with answers() as pipe:
        source, settings = read_request(sys.stdin.buffer)
        end_with_the_other()
        try:
            write_answer(train_text(source, settings, lambda now: write_answer(now, pipe)), pipe)
        except BpevizError as error:
            write_answer(error, pipe)
