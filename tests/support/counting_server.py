"""Streamlit that writes the number of runs in its memory to a file when it gets a signal.

An environment variable names the file.
"""

import gc
import os
import signal
from pathlib import Path

from streamlit.web.cli import main

#: The environment variable that names the file.
COUNT_FILE = "BPEVIZ_TEST_COUNT_FILE"


def write_count(*_: object) -> None:
    from bpeviz.runs.run import Run

    gc.collect()
    runs = sum(isinstance(found, Run) for found in gc.get_objects())
    partial = Path(os.environ[COUNT_FILE] + ".partial")
    partial.write_text(str(runs))
    partial.replace(os.environ[COUNT_FILE])


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, write_count)
    main()
