"""The app as a running server, for tests and benchmarks."""

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

from tests.support.memory import descendants
from tests.support.paths import ROOT

__all__ = [
    "ROOT",
    "Server",
    "address_of",
    "free_port",
    "running",
    "running_command",
    "server_of",
    "start_server",
]

STREAMLIT = ("-m", "streamlit")


@dataclass(frozen=True)
class Server:
    """The address of the server, and its process."""

    url: str
    process_id: int


@contextmanager
def running(
    environment: Mapping[str, str] | None = None, program: Sequence[str] = STREAMLIT
) -> Iterator[Server]:
    """The app on a free port, with these variables added to the environment.

    ``program`` is what Python runs instead of Streamlit."""
    port = free_port()
    with _ended(start_server(port, environment, program)) as process:
        yield Server(address_of(port), process.pid)


@contextmanager
def running_command(
    command: Sequence[str | Path],
    port: int,
    environment: Mapping[str, str],
    folder: Path,
    health: str = "/_stcore/health",
) -> Iterator["subprocess.Popen[bytes]"]:
    """A command that serves on a port, started in a folder with only this environment; it is ready when the
    path ``health`` answers."""
    with _ended(_start(command, port, environment, folder, health)) as process:
        yield process


@contextmanager
def _ended(process: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    try:
        yield process
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:  # it hangs
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return int(free.getsockname()[1])


def address_of(port: int) -> str:
    return f"http://localhost:{port}"


def start_server(
    port: int, environment: Mapping[str, str] | None = None, program: Sequence[str] = STREAMLIT
) -> "subprocess.Popen[bytes]":
    """Start the app on a port; returns when it answers."""
    command = [sys.executable, *program, "run", "app.py", "--server.headless", "true"]
    return _start([*command, "--server.port", str(port)], port, {**os.environ, **(environment or {})}, ROOT)


def _start(
    command: Sequence[str | Path],
    port: int,
    environment: Mapping[str, str],
    folder: Path,
    health: str = "/_stcore/health",
) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    _wait_for(address_of(port) + health, process)
    return process


def _wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(1_200):
        if process.poll() is not None:
            raise RuntimeError(f"the app ended with code {process.returncode} before it answered")
        try:
            urllib.request.urlopen(url, timeout=1).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the app did not answer within 120 seconds")


def server_of(address: str) -> int:
    """The process, of those these tests started, that serves an address."""
    port = address.rpartition(":")[2].encode()
    for pid in descendants(os.getpid())[1:]:
        if b"\0--server.port\0" + port in Path(f"/proc/{pid}/cmdline").read_bytes():
            return pid
    raise LookupError(f"nothing serves {address}")
