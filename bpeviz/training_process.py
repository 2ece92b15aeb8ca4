"""A training in a process of its own, so that whoever serves others meanwhile is not held up.

The process is a new Python, started as a command. multiprocessing would fork, which a server with many
threads must not do, or spawn, which runs the main module again: under Streamlit that is the page itself. A
command with two pipes does neither. Request, progress and result go through them as messages, one after the
other; where either side is gone, the other's pipe ends. What is trained, and how, is not known here.
"""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from bpeviz.background_work import TELL_EVERY_SECONDS, Places, cores, step_back
from bpeviz.errors import BpevizError, TrainingProcessError
from bpeviz.text_training import (
    OnTraining,
    TextTraining,
    TrainedText,
    TrainingProgress,
    train_text,
)
from bpeviz.training_messages import read_message, read_request, write_message, write_request

__all__ = ["MOST_AT_ONCE", "MOST_HERE", "train_here", "train_in_process"]

_ROOT = Path(__file__).parents[1]
#: Not ``-m``: the classes of a module that runs as ``__main__`` are not those that are sent here.
_COMMAND = (sys.executable, "-c", "from bpeviz.training_process import work; work()")

#: How many trainings go on at the same time, for all who ask; the others wait.
MOST_AT_ONCE = cores()
_places = Places(MOST_AT_ONCE)
#: The same in this process, where no two can compute at the same time: several would only hold everybody up.
MOST_HERE = 1
_places_here = Places(MOST_HERE)


def train_here(training: TextTraining, on_progress: OnTraining) -> TrainedText:
    """Train as ``train_text`` does, in this process, as soon as no other does; ``on_progress`` hears of the
    wait several times a second, and what it raises ends it."""
    waiting = TrainingProgress("waiting", 0, training.num_merges)
    with _places_here.hold(lambda: on_progress(waiting)):
        return train_text(training, on_progress)


def train_in_process(training: TextTraining, on_progress: OnTraining) -> TrainedText:
    """Train as ``train_text`` does, in another process.

    ``on_progress`` is called several times a second, also where nothing new is known; what it raises ends the
    process at once. Raises what ``train_text`` raises, and TrainingProcessError where the process is gone
    before it is done.
    """
    waiting = TrainingProgress("waiting", 0, training.num_merges)
    with _places.hold(lambda: on_progress(waiting)), _process() as process:
        told: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=_converse, args=(process, training, told), daemon=True).start()
        now = TrainingProgress("starting", 0, training.num_merges)
        while True:
            on_progress(now)
            with suppress(queue.Empty):
                match told.get(timeout=TELL_EVERY_SECONDS):
                    case TrainingProgress() as now:
                        pass
                    case TrainedText() as trained:
                        return trained
                    case BpevizError() as error:
                        raise error
                    case _:
                        raise TrainingProcessError(process.wait())


@contextmanager
def _process() -> Iterator["subprocess.Popen[bytes]"]:
    """A new process that works; whatever happens, it is gone afterwards."""
    try:
        process = subprocess.Popen(  # noqa: S603 - our own module in our own Python
            _COMMAND,
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a Ctrl+C on the server's terminal is the server's to answer
        )
    except OSError:
        raise TrainingProcessError(None) from None
    try:
        yield process
    finally:
        if process.poll() is None:
            _kill_group(process.pid)
        process.wait()


def _kill_group(leader: int) -> None:
    """End a process and those that it started, as for a split pattern."""
    if hasattr(os, "killpg"):
        os.killpg(leader, signal.SIGKILL)
    else:  # on Windows
        os.kill(leader, signal.SIGTERM)


def _converse(
    process: "subprocess.Popen[bytes]", training: TextTraining, told: "queue.SimpleQueue[Any]"
) -> None:
    """Send the request and pass on what comes back, None at the end; in a thread, since a pipe may block.

    The pipe to the process stays open as long as this goes on: its end tells the process to end too.
    """
    asked, answers = _pipes(process)
    try:
        with suppress(OSError, EOFError, ValueError), asked, answers:
            write_request(training, asked)
            while True:
                told.put(read_message(answers))
    finally:
        told.put(None)


def _pipes(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise LookupError("the process was started without pipes")
    return process.stdin, process.stdout


# --- on the other side ---------------------------------------------------------------------------------


def work() -> None:
    """Be the other process: answer the one request on standard input, on what was standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints must not come between the answers
    step_back()
    training = read_request(sys.stdin.buffer)
    threading.Thread(target=_end_with_the_other, daemon=True).start()
    with answers:
        try:
            write_message(train_text(training, lambda now: write_message(now, answers)), answers)
        except BpevizError as error:
            write_message(error, answers)


def _end_with_the_other() -> None:
    """Nothing more is sent here, so this waits for the end of the pipe: whoever asked is gone."""
    while os.read(0, 1):
        pass
    _kill_group(os.getpid())
