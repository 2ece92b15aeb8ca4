"""The app as a running server, for tests and benchmarks that come from outside."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ROOT", "Server", "running"]

ROOT = Path(__file__).parents[1]
STREAMLIT = ("-m", "streamlit")


@dataclass(frozen=True)
class Server:
    """Where it is reached, and its process."""

    url: str
    process_id: int


@contextmanager
def running(
    environment: Mapping[str, str] | None = None, program: Sequence[str] = STREAMLIT
) -> Iterator[Server]:
    """The app, started as the README says but on a free port, with these variables besides its own
    environment's; ``program`` is what Python runs in Streamlit's place."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, *program, "run", "app.py", "--server.headless", "true"]
    process = subprocess.Popen(
        [*command, "--server.port", str(port)],
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.DEVNULL,
    )
    url = f"http://localhost:{port}"
    try:
        _wait_for(url, process)
        yield Server(url, process.pid)
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(300):
        if process.poll() is not None:
            raise RuntimeError(f"the app ended with code {process.returncode} before it answered")
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=1).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the app did not answer within 30 seconds")
