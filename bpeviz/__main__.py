"""The command line on the streams of this process: ``python -m bpeviz`` and ``bpeviz``."""

import os
import sys
from collections.abc import Callable
from typing import NoReturn

from bpeviz.cli import main
from bpeviz.cli.streams import standard_streams

__all__ = ["script"]

_STOPPED = 130  #: the exit code of a command that was stopped with Ctrl+C, as a shell shows it


def script() -> NoReturn:
    """Run the installed command ``bpeviz``, and end the process. Without arguments it opens the page."""
    _end_with(lambda: main(sys.argv[1:] or ["app"], program="bpeviz"))


def _end_with(command: Callable[[], int]) -> NoReturn:
    """Run the command, and end the process with its exit code. Ctrl+C ends it with one line."""
    try:
        code = command()
    except KeyboardInterrupt:
        standard_streams().tell("stopped.")
        os._exit(_STOPPED)  # without a flush, which could wait for a reader that has stopped reading
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:  # the reader is gone: without this, Python would try once more and complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


if __name__ == "__main__":
    _end_with(main)
