"""Training in another process, so that a server can answer other visitors meanwhile.

Request, progress and result are messages through two pipes. A server keeps one process ready for the next
training; each trains once.
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
from bpeviz.processes.spare_process import SpareProcess
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

__all__ = ["MOST_AT_ONCE", "MOST_HERE", "keep_process_ready", "train_here", "train_in_process"]

_COMMAND = command("bpeviz.jobs.training_process")

#: How many trainings run at the same time, for all visitors together; the others wait.
MOST_AT_ONCE = cores()
_slots = Slots(MOST_AT_ONCE)
#: The same in this process. Its threads can't compute at the same time, so more would only slow all pages.
MOST_HERE = 1
_slots_here = Slots(MOST_HERE)
_spare = SpareProcess()


def keep_process_ready() -> None:
    """Start a process for the next training, and after each training another."""
    _spare.keep(_COMMAND)


def train_here(source: Source, settings: TrainingSettings, on_progress: OnTraining) -> TrainingResult:
    """Train as ``train_text`` does, in this process, when no other training runs in it. ``on_progress`` is
    also called several times a second during the wait, and what it raises ends the wait."""
    waiting = TrainingProgress("waiting", 0, settings.num_merges)
    with _slots_here.hold(lambda: on_progress(waiting)):
        return train_text(source, settings, on_progress)


def train_in_process(source: Source, settings: TrainingSettings, on_progress: OnTraining) -> TrainingResult:
    """Train as ``train_text`` does, in another process.

    ``on_progress`` is called several times a second, even if there is no news; what it raises ends the
    process at once. Raises what ``train_text`` raises, and TrainingProcessError if the process can't start or
    ends early.
    """
    if isinstance(source, UncountedText):
        check_text(source.text)
    waiting = TrainingProgress("waiting", 0, settings.num_merges)
    with _slots.hold(lambda: on_progress(waiting)), _started() as process:
        received: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=_converse, args=(process, (source, settings), received), daemon=True).start()
        now = TrainingProgress("starting", 0, settings.num_merges)
        while True:
            on_progress(now)
            with suppress(queue.Empty):
                match received.get(timeout=TELL_EVERY_SECONDS):
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
        child = _spare.take(_COMMAND) or start(_COMMAND)
    except OSError:
        raise TrainingProcessError(None) from None
    try:
        with ended(child):
            yield child
    finally:
        _spare.prepare_soon(_COMMAND)


def _converse(
    process: "subprocess.Popen[bytes]",
    request: tuple[Source, TrainingSettings],
    received: "queue.SimpleQueue[Any]",
) -> None:
    """Send the request and put the answers into a queue, then None. Runs in a thread, because a pipe may
    block.

    The pipe to the process stays open until then, because the process ends when its pipe ends.
    """
    asked, answered = pipes(process)
    try:
        with suppress(OSError, EOFError, ValueError), asked, answered:
            write_request(*request, asked)
            while True:
                received.put(read_answer(answered))
    finally:
        received.put(None)


# --- in the other process ------------------------------------------------------------------------------


def work() -> None:
    """Answer the one request on standard input, through the pipe of ``answers``."""
    with answers() as pipe:
        try:
            source, settings = read_request(sys.stdin.buffer)
        except EOFError:  # the server has ended before it needed this process
            return
        end_with_the_other()
        try:
            write_answer(train_text(source, settings, lambda now: write_answer(now, pipe)), pipe)
        except BpevizError as error:
            write_answer(error, pipe)
