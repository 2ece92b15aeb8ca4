"""Another process that works for this one: a new Python, started as a command, with two pipes.

multiprocessing would fork, which a server with many threads must not do, or spawn, which runs the main module
again: under Streamlit that is the page itself. A command with two pipes does neither. If either side ends,
the other side's pipe ends too.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from bpeviz.workers.sharing import step_back

__all__ = ["Child", "answers", "command", "end", "end_group", "pipes", "start"]

_ROOT = Path(__file__).parents[2]

Child = subprocess.Popen[bytes]


def command(module: str, function: str = "work") -> tuple[str, ...]:
    """Return the command that calls a function of a module in a new Python.

    Not ``-m``: a module that runs as ``__main__`` has other classes than the same module imported here.
    """
    return (sys.executable, "-c", f"from {module} import {function}; {function}()")


def start(command: Sequence[str]) -> Child:
    """Start a process with pipes to its standard input and from its standard output. Raises OSError."""
    return subprocess.Popen(  # noqa: S603 - our own module in our own Python
        command,
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # only the server answers a Ctrl+C on its terminal
    )


def end(child: Child) -> None:
    """End a process, and those that it started. Close its pipes afterwards, because a thread that reads from
    one holds it until then."""
    if child.poll() is None:
        end_group(child.pid)
    child.wait()
    for pipe in pipes(child):
        with suppress(OSError):
            pipe.close()


def pipes(child: Child) -> tuple[IO[bytes], IO[bytes]]:
    """Return the pipe to a process and the one from it."""
    if child.stdin is None or child.stdout is None:
        raise LookupError("the process was started without pipes")
    return child.stdin, child.stdout


# --- in the other process ------------------------------------------------------------------------------


def answers() -> IO[bytes]:
    """Return the pipe back, for messages only: from now on, prints go to standard error. Also lowers the
    priority of this process."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    step_back()
    return pipe


def end_group(leader: int) -> None:
    """End a process and those that it started, such as one for a split pattern."""
    if hasattr(os, "killpg"):
        os.killpg(leader, signal.SIGKILL)
    else:  # on Windows
        os.kill(leader, signal.SIGTERM)
