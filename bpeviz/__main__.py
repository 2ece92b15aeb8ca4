"""``python -m bpeviz``: the command line, on the streams of this process."""

import os
import sys

from bpeviz.cli import main
from bpeviz.interrupts import STOPPED, interruptible, kill_children

if __name__ == "__main__":
    code = interruptible(main)
    if code == STOPPED:
        kill_children()
        os._exit(code)  # a flush could wait for a reader that has stopped reading
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:  # the reader is gone: without this, Python would try once more and complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
