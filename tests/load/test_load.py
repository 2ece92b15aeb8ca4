"""Several visitors at the same time, over real connections: every step is answered, and nothing of them
stays.

benchmarks.load measures how fast that is.
"""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from benchmarks.load import pieces
from tests.support.counting_server import COUNT_FILE
from tests.support.server import ROOT, Server, running
from tests.support.visitor import Visitor, visit

VISITORS, STEPS = 4, 12
SHARED = 1  # the run that every new session opens with
KEPT_SECONDS = 5  # for which the server keeps a session that lost its connection
DEADLINE_SECONDS = 120

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="the test sends the server a signal")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    environment = {
        "BPEVIZ_DATA": str(tmp_path / "sessions"),
        "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(KEPT_SECONDS),
        "PYTHONPATH": str(ROOT),
        COUNT_FILE: str(tmp_path / "runs"),
    }
    with running(environment, ["-m", "tests.support.counting_server"]) as server:
        yield server


def runs_held(server: Server, tmp_path: Path) -> int:
    answer = tmp_path / "runs"
    answer.unlink(missing_ok=True)
    os.kill(server.process_id, signal.SIGUSR1)
    ends = time.monotonic() + DEADLINE_SECONDS
    while not answer.exists() and time.monotonic() < ends:
        time.sleep(0.05)
    return int(answer.read_text())


async def train_and_step(visitor: Visitor, text: str) -> None:
    await visitor.open_page()
    await visitor.paste_and_train(text)
    for step in range(1, STEPS + 1):
        await visitor.stop_at(step)


async def visit_at_once(server: Server, tmp_path: Path) -> tuple[list[str], int]:
    """The visitors' errors, and how many runs the server holds while they are there."""
    texts = pieces()
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(visit(server.url)) for _ in range(VISITORS)]
        await asyncio.gather(*(train_and_step(visitor, next(texts)) for visitor in visitors))
        held = await asyncio.to_thread(runs_held, server, tmp_path)
        return [error for visitor in visitors for error in visitor.errors], held


def test_visitors_step_at_once_and_leave_nothing_behind(server: Server, tmp_path: Path) -> None:
    assert asyncio.run(visit_at_once(server, tmp_path)) == ([], VISITORS + SHARED)
    ends = time.monotonic() + DEADLINE_SECONDS
    while (left := runs_held(server, tmp_path)) != SHARED and time.monotonic() < ends:
        time.sleep(0.5)
    assert left == SHARED
