"""``python -m bpeviz``: the command line, on the streams of this process."""

import os
import sys

from bpeviz.cli import main

if __name__ == "__main__":
    code = main()
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:  # the reader is gone: without this, Python would try once more and complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
