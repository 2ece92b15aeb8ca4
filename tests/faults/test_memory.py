"""How much memory a session takes, and how much the server keeps while one trains again and again."""

import asyncio
import random
from contextlib import AsyncExitStack

import pytest

from tests.faults.client import Attacker
from tests.faults.measure import Stage, Target
from tests.support.memory import resident

#: From the first of these trainings to the last, memory may grow by so much. It grows at the start.
FIRST, LAST, GROWTH_BYTES = 20, 60, 30_000_000
SESSIONS, TEXT_BYTES, SESSION_BYTES = 10, 1_000_000, 30_000_000
TRAINED_SECONDS = 60


@pytest.mark.parametrize("size", [5_000, 20_000, 60_000], ids="{} bytes".format)
def test_one_training_after_the_other_takes_no_more_memory(stage: Stage, size: int) -> None:
    used: list[int] = []

    async def attack(target: Target) -> None:
        target.says(f"trains {LAST} times on {size:,} bytes")
        async with target.attacker() as visitor:
            for number in range(LAST):
                await visitor.paste_and_train(_text(number, size))
                used.append(resident(stage.server.process_id))

    stage.expect_no_harm(attack)
    first, last = used[FIRST - LAST - 1], used[-1]
    print(f"\nfigure: {size:,} bytes: {first / 1e6:,.0f} to {last / 1e6:,.0f} MB", flush=True)
    assert last - first < GROWTH_BYTES


def test_a_session_with_a_megabyte_takes_no_more_than_docs_serving_md_says(stage: Stage) -> None:
    used: list[int] = []

    async def attack(target: Target) -> None:
        target.says(f"{SESSIONS} sessions train on {TEXT_BYTES:,} bytes each")
        async with AsyncExitStack() as stack:
            for number in range(SESSIONS):
                visitor = await stack.enter_async_context(target.attacker())
                await _train(visitor, _text(number, TEXT_BYTES))
                used.append(resident(stage.server.process_id))

    stage.expect_no_harm(attack)
    each = (used[-1] - used[-SESSIONS]) / (SESSIONS - 1)
    print(f"\nfigure: a session takes {each / 1e6:,.1f} MB", flush=True)
    assert each < SESSION_BYTES


async def _train(visitor: Attacker, text: str) -> None:
    """Train on a long text, and wait for the run."""
    before = visitor.run_number
    await visitor.drop({"text": text.encode()})
    async with asyncio.timeout(TRAINED_SECONDS):
        while visitor.run_number == before:
            await asyncio.sleep(0.3)
            await visitor.send()


def _text(number: int, size: int) -> str:
    """Words that occur again and again; other ones for each number."""
    words = random.Random(number)
    return " ".join(f"w{int(words.paretovariate(0.7)) % 20_000:x}" for _ in range(size))[:size]
