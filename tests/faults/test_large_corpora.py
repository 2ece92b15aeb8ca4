"""A corpus larger than the page shows: odd values in the fields that show another part of it."""

import asyncio

import pytest

from tests.faults.client import Attacker
from tests.faults.hostile_content import TEXTS
from tests.faults.inputs import on_page
from tests.faults.measure import Stage, Target
from tests.support.visitor import LOOK_EVERY_SECONDS

#: More than the page shows.
CORPUS = {"cat.txt": b"the cat in the hat, and a dog. " * 300_000, "dog.txt": b"a dog in the fog " * 9_000}
STARTS = (float("inf"), float("nan"), 1e308, -1.0, 9.2, 9.3)
CHOICES = ("no option of it", "", "9" * 5_000, "dog.txt, 153.0 kB")


def test_odd_parts_of_a_large_corpus_hold_up_nobody(stage: Stage) -> None:
    if stage.limits.hosted:
        pytest.skip("a hosted server takes no file that it can't show whole")
    crashes: list[str] = []

    async def attack(target: Target) -> None:
        async with target.attacker() as visitor:
            target.says("trains on a large file")
            await train(visitor)
            for start in STARTS:
                target.says(f"asks for a part from {start} on")
                await visitor.press("show_part", **{on_page(visitor, "part_start-#-#") or "": start})
            for chosen in CHOICES:
                target.says(f"chooses {chosen[:20]} as the file and the size")
                there = {"part_megabytes": [chosen], on_page(visitor, "part_file-#") or "": chosen}
                await visitor.press("show_part", **there)
            for name, text in TEXTS.items():
                target.says(f"searches {name}")
                await visitor.press("FormSubmitter:find_word-Next", part_word=text(50_000))
            crashes.extend(visitor.crashes)

    stage.expect_no_harm(attack)
    assert crashes == []


async def train(visitor: Attacker) -> None:
    """Upload the corpus, and wait until a part of it is shown."""
    await visitor.drop(CORPUS)
    while "show_part" not in visitor.widgets:
        await asyncio.sleep(LOOK_EVERY_SECONDS)
        await visitor.send()
