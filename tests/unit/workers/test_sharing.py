"""Processes that work for a server come after it."""

import os
import subprocess
import sys

import pytest

from tests.support.paths import ROOT


@pytest.mark.gate
def test_a_process_that_steps_back_comes_after_the_server():
    code = "import os; from bpeviz.workers.sharing import step_back as s; s(); print(os.nice(0))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(run.stdout) > os.nice(0)
