"""How long others wait beside eight busy sessions of one address: at another address, and at the same one."""

import asyncio
import time

import pytest

from tests.faults.client import Attacker
from tests.faults.measure import Stage, Target
from tests.faults.test_tokenizers import BPE, BROUGHT, PIECES, TEXT, file

SESSIONS, WARM_SECONDS = 8, 12.0
BUSY, OTHER = "203.0.113.1", "198.51.100.2"
#: How long another visitor waits at most. Another session of the busy one has no place kept for it: a file
#: takes longer, and a text, whose calls wait for busy ones to end, isn't measured.
FILE_SECONDS, TEXT_SECONDS = 3.0, 6.0
SAME_ADDRESS_SECONDS = 6.0
REGEX = {"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": ""}
#: A file, and a text with which it takes as long as it may.
WAYS = {
    "long texts": (file(PIECES), "a" * 900_000),
    "short texts": (file(BPE, normalizer=REGEX), "a" * 40 + "b"),
}


@pytest.mark.parametrize("address", [OTHER, BUSY], ids=["another address", "the same address"])
@pytest.mark.parametrize("way", WAYS)
def test_nobody_waits_for_a_stranger(stage: Stage, way: str, address: str) -> None:
    hosted = stage.limits.hosted
    if address == BUSY and not hosted:
        pytest.skip("on one's own machine addresses don't count: each session has the turns of a visitor")
    target = Target(stage.server.url, stage.folder, stage.second)
    stage.spoilt = True  # its processes are busy for a while
    alone, of_file, of_text = asyncio.run(_waits(target, way, address))
    waits = f"a small file {of_file:.1f} s, alone {alone:.1f} s; 300 kB {of_text:.1f} s"
    print(f"\nfigure: {way}, {address}: {waits}", flush=True)
    assert of_file < (FILE_SECONDS if address == OTHER else SAME_ADDRESS_SECONDS), waits
    if hosted:  # on one's own machine all sessions are one person's, and wait for one to end
        assert of_text < TEXT_SECONDS, waits


async def _waits(target: Target, way: str, address: str) -> tuple[float, float, float]:
    """How long somebody waits for a small file, alone and beside the busy ones, and for 300 kB (0 for another
    session of the busy visitor)."""
    async with target.attacker(address=address) as first:
        await first.go("compare")
        alone = await _bring(first, file(BPE) + b" ")
    busy = [asyncio.create_task(_keep_busy(target, way, number)) for number in range(SESSIONS)]
    await asyncio.sleep(WARM_SECONDS)
    async with target.attacker(address=address) as other:
        await other.go("compare")
        of_file = await _bring(other, file(BPE))
        of_text = await _type(other, "ab ba " * 50_000) if address == OTHER else 0.0
    for each in busy:
        each.cancel()
    await asyncio.gather(*busy, return_exceptions=True)
    return alone, of_file, of_text


async def _keep_busy(target: Target, way: str, number: int) -> None:
    data, text = WAYS[way]
    async with target.attacker(address=BUSY) as visitor:
        await visitor.go("compare")
        await _bring(visitor, data + b" " * number)
        for times in range(1_000):
            await _type(visitor, f"{number} {times} {text}")


async def _bring(visitor: Attacker, data: bytes) -> float:
    """Upload a tokenizer, which the page compares in a new row. Returns how long that takes."""
    began = time.monotonic()
    await visitor.upload(visitor.named(BROUGHT), {"brought.json": data})
    return time.monotonic() - began


async def _type(visitor: Attacker, text: str) -> float:
    """Type the text that is compared. Returns how long it takes until the page is drawn."""
    if TEXT not in visitor.widgets:
        await visitor.set(visitor.named("compare_source"), "Type a text")
    began = time.monotonic()
    await visitor.set(TEXT, text)
    return time.monotonic() - began
