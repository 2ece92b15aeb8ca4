"""Limits that a process sets itself: the kernel ends it if it computes too long or takes too much memory."""

import os
import signal
from pathlib import Path

try:
    import resource
except ImportError:  # on Windows; then only the process that started this one limits its time
    resource = None  # type: ignore[assignment]

__all__ = ["lift_memory_limit", "limit_this_process"]


def limit_this_process(seconds: float, more_bytes: int) -> None:
    """Have the kernel end this process after ``seconds`` of computing, and limit the memory that it takes on
    top of what it has now, if the system can."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds * 1.25 + 0.25)  # a library may check its own limit first
    if resource is not None and (size := _size()):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = size + more_bytes
        resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))


def lift_memory_limit() -> None:
    """Lift the memory limit, so that this process can build its answer."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _size() -> int:
    """The bytes of address space that this process has; 0 if the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
