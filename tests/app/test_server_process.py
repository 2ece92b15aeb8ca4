"""The process that serves all visitors: threads take turns often, and freed memory goes back."""

import platform
import subprocess
import sys

import pytest

from tests.support.server import ROOT


def resident() -> int:
    """The bytes of memory that this process uses."""
    import os
    from pathlib import Path

    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def printed(code: str) -> str:
    """What another Python prints for ``code``."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def test_importing_the_app_as_the_server_does_prepares_the_process():
    code = "import app, gc, sys; print(sys.getswitchinterval(), gc.get_freeze_count() > 100_000)"
    assert printed(code).split() == ["0.001", "True"]


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not glibc")
def test_freed_memory_goes_back_although_small_blocks_between_are_kept():
    """By default, glibc keeps all later blocks once the first large block is freed."""
    code = """
from bpeviz.ui.server.server_process import prepare_process
from tests.app.test_server_process import resident
prepare_process()
bytearray(30_000_000)
before = resident()
large, small = [], []
for _ in range(100):
    large.append(bytearray(b"x") * 1_000_000)
    small.append(bytearray(b"x") * 1_000)
used = resident()
del large
print(used - before, resident() - before)
"""
    used, kept = map(int, printed(code).split())
    assert used > 95_000_000
    assert kept < 20_000_000
