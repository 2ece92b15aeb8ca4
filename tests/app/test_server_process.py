"""The process that serves all visitors: threads take turns often."""

import io
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from bpeviz.ui.server.server_process import _Once
from tests.support.server import ROOT


def printed(code: str) -> str:
    """What another Python prints for ``code``."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def test_importing_the_app_as_the_server_does_prepares_the_process():
    code = "import app, gc, sys; print(sys.getswitchinterval(), gc.get_freeze_count() > 100_000)"
    said, *values = printed(code).splitlines()
    assert said.startswith("bpeviz ")
    assert said.endswith(" is at http://localhost:8501. Press Ctrl+C to stop it.")
    assert values == ["0.001 True"]


def test_a_traceback_of_the_same_place_is_in_the_log_once() -> None:
    log, written = logging.Logger("log"), io.StringIO()
    log.addHandler(logging.StreamHandler(written))
    log.addFilter(_Once().filter)
    for value in (None, [], "1", {}):
        try:
            int(value if value is None else range(value))  # type: ignore[arg-type,call-overload]
        except TypeError as error:
            log.error("It failed", exc_info=error)
    log.error("Something else")
    lines = written.getvalue().splitlines()
    assert lines.count("Traceback (most recent call last):") == 1
    assert lines[-4:] == ["It failed again: TypeError"] * 3 + ["Something else"]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.full
def test_a_child_that_has_just_started_does_not_count_its_parents_memory_again():
    """Twice 100 MB would be 200 MB: a child uses its parent's memory until it runs its own program."""
    code = """
import os, subprocess, sys, threading
from tests.support.memory import memory_with_descendants
large = bytearray(b"x") * 100_000_000
ended, seen = threading.Event(), []
def watch():
    while not ended.is_set():
        seen.append(memory_with_descendants(os.getpid()))
thread = threading.Thread(target=watch)
thread.start()
for _ in range(20):
    subprocess.run([sys.executable, "-S", "-c", ""])
ended.set()
thread.join()
print(max(seen), len(seen))
"""
    highest, readings = map(int, printed(code).split())
    assert 100_000_000 < highest < 200_000_000
    assert readings > 20
