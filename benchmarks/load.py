"""How fast the server answers a class of visitors at the same time: ``python -m benchmarks.load``.

Starts the app on a free port and visits it over WebSockets with Streamlit's messages. Each visitor pastes a
different text, trains on it, and then goes from step to step, with a pause after every answer. A step is what
the page sends when the player stops; its latency lasts until the end of the answer. Meanwhile one more
visitor trains on the longest sample. Then all leave, and this program watches the server's memory. It prints
a Markdown table, and ends with code 1 if anything went wrong.
"""

import argparse
import asyncio
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TypeVar

from benchmarks.sources import SEED, source_files
from bpeviz.limits import limits
from tests.support.memory import resident
from tests.support.server import Server, running
from tests.support.visitor import Visitor, visit

T = TypeVar("T")

TEXT_BYTES = 100_000
STEPS = 400  # a run has 500 merges, so there always is a next one
SETTLE_SECONDS = 5.0
#: How long to watch the memory after they have left; longer than Streamlit keeps their sessions.
WATCH_SECONDS = 150.0


@dataclass
class Load:
    """The results: latencies in seconds, and the resident memory of the server's process in bytes."""

    latencies: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    long_seconds: float = 0.0
    memory: dict[str, int] = field(default_factory=dict)
    memory_after: list[tuple[float, int]] = field(default_factory=list)

    def percentile(self, percent: int) -> float:
        """The latency that so many of a hundred steps do not exceed."""
        return statistics.quantiles(self.latencies, n=100, method="inclusive")[percent - 1]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--sessions", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=120.0, help="of stepping")
    parser.add_argument(
        "--pause", type=float, default=2.0, help="mean seconds from an answer to the next step"
    )
    options = parser.parse_args()
    began = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, running({"BPEVIZ_DATA": folder}) as server:
        load = asyncio.run(measure(server, options.sessions, options.seconds, options.pause))
    print_table(load, options.sessions, options.seconds, options.pause)
    print(f"\nLoad of the machine {began:.1f} when it began, {os.getloadavg()[0]:.1f} when it ended.")
    sys.exit(1 if load.errors else 0)


async def measure(server: Server, sessions: int, seconds: float, pause: float) -> Load:
    """Measure a server that nobody has visited yet."""
    load = Load()
    texts = pieces()
    async with visit(server.url) as first:  # so that the server imports what every session needs
        await first.open_page()
        await first.paste_and_train(next(texts))
        await first.stop_at(1)
    await asyncio.sleep(SETTLE_SECONDS)
    load.memory["before"] = resident(server.process_id)
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(visit(server.url)) for _ in range(sessions)]
        await asyncio.gather(*(arrive(visitor, next(texts)) for visitor in visitors))
        await asyncio.sleep(SETTLE_SECONDS)
        load.memory["idle"] = resident(server.process_id)
        other = await stack.enter_async_context(visit(server.url))
        ends = time.perf_counter() + seconds
        steppers = [step(visitor, number, ends, pause) for number, visitor in enumerate(visitors)]
        stepped, load.long_seconds = await asyncio.gather(asyncio.gather(*steppers), train_long(other))
        load.latencies = [latency for each in stepped for latency in each]
        load.memory["with all"] = resident(server.process_id)
        load.errors = [error for visitor in (*visitors, other) for error in visitor.errors]
    await watch(server, load)
    return load


async def arrive(visitor: Visitor, text: str) -> None:
    """Open the page, paste, train."""
    await noting_errors(visitor, visitor.open_page())
    await noting_errors(visitor, visitor.paste_and_train(text))


async def step(visitor: Visitor, number: int, ends: float, pause: float) -> list[float]:
    """Go from step to step; returns the latency of each."""
    chance = random.Random(SEED + number)
    latencies: list[float] = []
    await asyncio.sleep(chance.uniform(0, pause))
    while time.perf_counter() < ends and not visitor.errors:
        latency = await noting_errors(visitor, visitor.stop_at(len(latencies) % STEPS + 1))
        latencies += [] if latency is None else [latency]
        await asyncio.sleep(chance.uniform(0.5, 1.5) * pause)
    return latencies


async def train_long(visitor: Visitor) -> float:
    """Train on the longest sample of the page; returns the seconds it takes."""
    began = time.perf_counter()
    await noting_errors(visitor, visitor.open_page())
    most = limits()
    await noting_errors(visitor, visitor.train_library(most.max_text_megabytes, most.max_merges))
    return time.perf_counter() - began


async def noting_errors(visitor: Visitor, answer: Awaitable[T]) -> T | None:
    """The answer; None if there is none, and then the visitor's errors say why."""
    try:
        return await answer
    except Exception as error:
        visitor.errors.append(f"{type(error).__name__}: {error}")
        return None


async def watch(server: Server, load: Load) -> None:
    """Note the memory every second, after all have left."""
    began = time.perf_counter()
    while (passed := time.perf_counter() - began) < WATCH_SECONDS:
        load.memory_after.append((passed, resident(server.process_id)))
        await asyncio.sleep(1)


def pieces() -> Iterator[str]:
    """Texts of 100 kB, each a different part of the sources of the running Python."""
    kept = b""
    for path in source_files():
        kept += path.read_bytes()
        while len(kept) >= TEXT_BYTES:
            yield kept[:TEXT_BYTES].decode("utf-8", "ignore").replace("\r", "")
            kept = kept[TEXT_BYTES:]


def print_table(load: Load, sessions: int, seconds: float, pause: float) -> None:
    memory = load.memory
    per_session = (memory["idle"] - memory["before"]) / sessions - TEXT_BYTES
    lowest = min(size for _, size in load.memory_after)
    fallen = next(passed for passed, size in load.memory_after if size <= lowest * 1.02)
    most = limits()
    print(f"| {sessions} sessions of {TEXT_BYTES // 1000} KB, 500 merges each | measured | goal |")
    print("|---|---|---|")
    print(
        f"| steps in {seconds:.0f} s, {pause:g} s after the answer to the last | {len(load.latencies):,} | |"
    )
    print(
        f"| step: player at rest to its panel drawn, median | {statistics.median(load.latencies):.3f} s | |"
    )
    print(f"| 95th percentile | {load.percentile(95):.3f} s | < 0.5 s |")
    print(f"| worst | {max(load.latencies):.3f} s | |")
    print(
        f"| meanwhile: {most.max_text_megabytes} MB, {most.max_merges:,} merges (the page takes no more: not "
        f"50 MB), to its player | {load.long_seconds:.0f} s | |"
    )
    print(f"| errors | {len(load.errors)} | 0 |")
    print(f"| memory of a session beyond its text | {per_session / 1e6:.1f} MB | < 4 MB |")
    print(f"| memory of the server before | {memory['before'] / 1e6:.0f} MB | |")
    print(f"| with all of them, trained and idle | {memory['idle'] / 1e6:.0f} MB | |")
    print(f"| with the long text too, at the end | {memory['with all'] / 1e6:.0f} MB | |")
    print(f"| {fallen:.0f} s after they left | {lowest / 1e6:.0f} MB | falls back |")
    for error in load.errors:
        print(f"\nError: {error}")


if __name__ == "__main__":
    main()
