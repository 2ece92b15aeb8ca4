"""A process that waits before anybody needs it: taken once, replaced later, and ended with its server."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from bpeviz.processes import spare_process
from bpeviz.processes.child_process import Child, ended, pipes
from bpeviz.processes.spare_process import SpareProcess
from tests.support.paths import ROOT
from tests.support.processes import all_end

pytestmark = pytest.mark.full

#: Sends back what it reads, as a child that works for one request.
ECHO = (sys.executable, "-S", "-c", "import sys; sys.stdout.buffer.write(sys.stdin.buffer.readline())")
OTHER = (sys.executable, "-S", "-c", "import sys; sys.stdin.read()")


def answer(child: Child) -> bytes:
    asked, answered = pipes(child)
    with ended(child), asked, answered:
        asked.write(b"the cat\n")
        asked.flush()
        return answered.readline()


@pytest.mark.parametrize("times", [1, 2])
def test_there_is_one_process_however_often_it_is_kept_and_it_is_taken_once(times: int) -> None:
    spare = SpareProcess()
    for _ in range(times):
        spare.keep(ECHO)
    child = spare.take(ECHO)
    assert child is not None
    assert spare.take(ECHO) is None
    assert answer(child) == b"the cat\n"


def test_a_process_of_another_command_is_not_taken() -> None:
    spare = SpareProcess()
    spare.keep(OTHER)
    assert spare.take(ECHO) is None
    child = spare.take(OTHER)
    assert child is not None
    spare._ready = OTHER, child
    spare._end()
    assert child.returncode is not None


def test_a_process_that_has_ended_is_not_taken() -> None:
    spare = SpareProcess()
    spare.keep(OTHER)
    assert spare._ready is not None
    child = spare._ready[1]
    child.kill()
    child.wait()
    assert spare.take(OTHER) is None


def test_a_program_that_cannot_start_is_no_error() -> None:
    spare = SpareProcess()
    spare.keep((str(ROOT / "not here"),))
    assert spare.take((str(ROOT / "not here"),)) is None


def test_another_is_prepared_only_if_one_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spare_process, "LATER_SECONDS", 0.0)
    spare = SpareProcess()
    spare.prepare_soon(ECHO)
    time.sleep(0.1)
    assert spare.take(ECHO) is None
    spare.keep(ECHO)
    for _ in range(2):
        until = time.monotonic() + 30
        while (child := spare.take(ECHO)) is None and time.monotonic() < until:
            time.sleep(0.01)
        assert child is not None
        assert answer(child) == b"the cat\n"
        spare.prepare_soon(ECHO)
    time.sleep(0.1)
    spare._end()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for a process in /proc")
@pytest.mark.parametrize("ending", ["import os; os._exit(0)", ""], ids=["without a word", "in order"])
def test_the_process_ends_with_the_one_that_keeps_it(ending: str) -> None:
    code = f"""
from bpeviz.jobs import training_process
training_process.keep_process_ready()
print(training_process._spare._ready[1].pid, flush=True)
{ending}
"""
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert all_end(int(found.stdout))
    assert found.stderr == ""
