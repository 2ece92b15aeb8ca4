"""Trainings: hostile split patterns, hostile texts, and several short ones at the same time."""

import asyncio

import pytest

from bpeviz.runs.run_training import OWN_PROCESS_BYTES
from tests.faults.client import Attacker
from tests.faults.hostile_content import PATTERNS, TEXTS
from tests.faults.measure import Stage, Target

AT_ONCE = 8
#: The longest text that trains in the server itself, and a longer one.
HERE, ELSEWHERE = OWN_PROCESS_BYTES - 1_000, 499_000


def test_hostile_split_patterns_hold_up_nobody(stage: Stage) -> None:
    async def attack(target: Target) -> None:
        for name, pattern in PATTERNS.items():
            target.says(f"trains with a pattern: {name}")
            async with target.attacker() as visitor:
                await _train_with(visitor, pattern)

    stage.expect_no_harm(attack)


async def _train_with(visitor: Attacker, pattern: str) -> None:
    await visitor.train("aaaaaaaaaaaaaaaaaaaaaaaaaaaaab" * 20)
    await visitor.set(visitor.named("split-"), "custom")
    await visitor.set(visitor.named("custom_pattern-"), pattern)


def test_training_on_hostile_texts_holds_up_nobody(stage: Stage) -> None:
    async def attack(target: Target) -> None:
        for name in TEXTS:
            target.says(f"trains on: {name}")
            async with target.attacker() as visitor:
                await visitor.train(TEXTS[name](100_000))
                for page in ("compare", "encode", "vocabulary"):
                    await visitor.go(page)

    stage.expect_no_harm(attack)


@pytest.mark.parametrize("size", [HERE, ELSEWHERE], ids=["in the server", "in other processes"])
def test_trainings_at_once_hold_up_nobody(stage: Stage, size: int) -> None:
    async def train(target: Target, number: int) -> None:
        text = TEXTS["different words"](size - 100) + f" {number}"
        async with target.attacker() as visitor:
            await visitor.train(text, num_merges=5_000)

    async def attack(target: Target) -> None:
        target.says(f"trains {AT_ONCE} times at once on {size:,} bytes")
        await asyncio.gather(*(train(target, number) for number in range(AT_ONCE)))

    stage.expect_no_harm(attack)
