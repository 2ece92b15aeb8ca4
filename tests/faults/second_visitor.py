"""The second visitor, as a process: python -m tests.faults.second_visitor URL

Trains on a small text, then goes from step to step until it is killed. Prints the seconds of each step, and
when the step began.
"""

import asyncio
import itertools
import sys
import time

from tests.support.visitor import Visitor, visit

TEXT = "the cat in the hat sat on the mat with the rat\n" * 40
STEPS = 20
PAUSE_SECONDS = 0.05


async def main(url: str) -> None:
    async with visit(url) as visitor:
        await visitor.open_page()
        await visitor.paste_and_train(TEXT)
        await _step(visitor)


async def _step(visitor: Visitor) -> None:
    for number in itertools.count():
        began = time.monotonic()
        seconds = await visitor.stop_at(number % STEPS + 1)
        if visitor.errors:
            raise SystemExit(f"the second visitor sees errors: {visitor.errors}")
        print(f"{seconds:.4f} {began:.4f}", flush=True)
        await asyncio.sleep(PAUSE_SECONDS)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
