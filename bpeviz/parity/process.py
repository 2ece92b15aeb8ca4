"""Asks the other process: sends one JSON object, waits for one, within a time limit."""

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bpeviz.processes.sharing import TELL_EVERY_SECONDS

__all__ = ["Waiting", "WorkerError", "ask_worker"]

#: Called several times a second with the seconds so far; what it raises ends the other process.
Waiting = Callable[[float], object]

_ROOT = Path(__file__).parents[2]


class WorkerError(Exception):
    """The other process gave no answer; the message says why and completes a sentence."""


def ask_worker(request: dict[str, Any], timeout: float, on_wait: Waiting | None) -> dict[str, Any]:
    """The answer of a new worker to a request. Raises WorkerError; the worker has ended then."""
    command = [sys.executable, "-m", "bpeviz.parity.worker"]
    # from a file: if communicate() runs out of time, it never writes the rest
    with tempfile.TemporaryFile() as sent:
        sent.write(json.dumps(request).encode("ascii"))
        sent.seek(0)
        with subprocess.Popen(  # noqa: S603 - our own module in our own Python
            command, cwd=_ROOT, stdin=sent, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            try:
                out, err = _wait(process, timeout, on_wait)
            finally:
                process.kill()
    if process.returncode:
        raise WorkerError(_how_it_ended(process.returncode, err.decode("utf-8", "replace")))
    return _parsed(out)


def _wait(process: "subprocess.Popen[bytes]", timeout: float, on_wait: Waiting | None) -> tuple[bytes, bytes]:
    began = time.monotonic()
    while True:
        try:
            return process.communicate(timeout=TELL_EVERY_SECONDS)
        except subprocess.TimeoutExpired:
            gone = time.monotonic() - began
        if gone > timeout:
            raise WorkerError(f"it took more than {timeout:,.0f} seconds") from None
        if on_wait is not None:
            on_wait(gone)


def _how_it_ended(code: int, said: str) -> str:
    last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "it gave no answer")
    if code < 0:
        names = {s.value: s.name for s in signal.Signals}
        return f"its process was ended by {names.get(-code, f'signal {-code}')}"
    return f"its process ended with code {code}: {last[:300]}"


def _parsed(out: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(out)
    except (ValueError, RecursionError):
        raise WorkerError("its answer isn't JSON") from None
    if not isinstance(answer, dict):
        raise WorkerError("its answer isn't a JSON object")
    return answer
