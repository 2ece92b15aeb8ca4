"""What an attack costs others: the wait of a second visitor, and the memory of the server.

On a shared machine all programs stand still now and then. Such time is no harm of the attack: another process
measures it meanwhile, and no wait counts it.

A ``Stage`` is a server with a second visitor at work. Its memory is limited, so a defect takes down this
server and not the machine.
"""

import asyncio
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bpeviz.limits import Limits, read_limits
from tests.faults.client import Attacker, attacker
from tests.faults.inputs import follow
from tests.faults.lost_time import Lost, lost_within
from tests.support.memory import memory_with_descendants
from tests.support.server import ROOT, Server, running

__all__ = ["Attack", "Cost", "Stage", "Target", "on_stage"]


class EnoughHarmError(Exception):
    """The attack has done enough harm to stop."""


@dataclass
class Target:
    """The target of an attack. The attack says what it does; it ends when it has done enough harm."""

    url: str
    folder: Path
    second: "SecondVisitor"
    done: list[tuple[float, str]] = field(default_factory=list)

    def attacker(self, query: str = "", address: str = "") -> AbstractAsyncContextManager[Attacker]:
        """An attacker who opens the page and leaves at the end."""
        return attacker(self.url, query, address)

    def says(self, what: str) -> None:
        if self.done and self.second.longest_since(self.done[0][0]) > ENOUGH_SECONDS:
            raise EnoughHarmError
        self.done.append((time.monotonic(), what))

    def at(self, moment: float) -> str:
        """What the attack did at a moment."""
        return next((what for began, what in reversed(self.done) if began <= moment), "nothing yet")


Attack = Callable[[Target], Coroutine[None, None, None]]

#: The longest allowed wait of the second visitor on a machine that does nothing else …
MOST_SECONDS = 1.0
#: … and on a busy one, as a multiple of its longest wait without the attack.
MOST_TIMES_QUIET = 5.0
#: The machine is too busy for one measurement if a step takes longer than this without an attack, or if more
#: programs than this run on each core.
BUSY_SECONDS, BUSY_LOAD = 0.5, 2.0
QUIET_SECONDS = 1.0
#: An attack stops when somebody has waited so long, or when it has run for so long.
ENOUGH_SECONDS = 5.0
ATTACK_SECONDS = 300.0
LOST_SECONDS = 30.0
#: What the server may keep when the attackers have left: its caches, and what the allocator holds.
ALLOWED_BYTES = 150_000_000
#: What it may use during the attack, with its trainings: docs/serving.md gives a container 4 GB.
MOST_BYTES = 3_000_000_000
#: The server's own limit on address space.
ADDRESS_BYTES = 8_000_000_000
#: How long the server keeps a session that lost its connection, and how soon after that its memory falls.
KEPT_SECONDS = 2
FALL_SECONDS = 20.0


@dataclass(frozen=True)
class Cost:
    """What an attack cost.

    - ``ended``: whether the attack came to its end;
    - ``quiet``, ``attacked``: the second visitor's longest step without it and during it, in seconds;
    - ``lost``: the seconds that the machine took from all programs meanwhile, which no step counts;
    - ``before``, ``highest``, ``after``: the server's memory, in bytes;
    - ``slowest``, ``largest``: what the attack did when the step took longest and the memory was highest.
    """

    ended: bool
    quiet: float
    attacked: float
    slowest: str
    lost: float
    before: int
    highest: int
    largest: str
    after: int

    @property
    def faults(self) -> list[str]:
        """What is wrong, in words."""
        most = max(MOST_SECONDS, MOST_TIMES_QUIET * self.quiet)
        found = [] if self.ended else ["the attack was cut short"]
        if self.attacked > most:
            found.append(f"the second visitor waited {self.attacked:.1f} s: {self.slowest}")
        if self.after > self.before + ALLOWED_BYTES:
            found.append(f"{_megabytes(self.after - self.before)} stayed when the attacker had left")
        if self.highest > MOST_BYTES:
            found.append(f"the server used {_megabytes(self.highest)}: {self.largest}")
        return found

    def __str__(self) -> str:
        return (
            f"wait {self.quiet:.2f} s, attacked {self.attacked:.2f} s ({self.slowest}); "
            f"machine lost {self.lost:.2f} s; "
            f"memory {_megabytes(self.before)}, highest {_megabytes(self.highest)} ({self.largest}), "
            f"after {_megabytes(self.after)}"
        )


@dataclass
class Stage:
    """A server, the second visitor on it, and the server's memory before any attack.

    A stage on which an attack did harm is ``spoilt``: the next attack gets another."""

    server: Server
    limits: Limits
    folder: Path
    second: "SecondVisitor"
    before: int = 0
    spoilt: bool = True

    def cost_of(self, attack: Attack) -> Cost:
        """The cost of an attack; it is repeated if the machine was too busy."""
        cost = self._measure(attack)
        if cost.faults and (
            cost.quiet > BUSY_SECONDS or os.getloadavg()[0] > BUSY_LOAD * (os.cpu_count() or 1)
        ):
            cost = self._measure(attack)
        return cost

    def expect_no_harm(self, attack: Attack) -> None:
        """Assert that an attack costs nobody else much, and that nothing of it stays."""
        self.spoilt = True
        cost = self.cost_of(attack)
        print(f"\nfigure: {cost}", flush=True)
        assert cost.faults == [], str(cost)
        self.spoilt = False

    def _measure(self, attack: Attack) -> Cost:
        quiet = max(self.second.next_waits(QUIET_SECONDS)).seconds
        target = Target(self.server.url, self.folder, self.second)
        begins, lost_begins = len(self.second.waits), len(self.second.lost_times)
        with watched_memory(self.server) as seen:
            ended = asyncio.run(_run(attack, target))
            self.second.next_waits(0)
            ends = len(self.second.waits)
        quiet = max(quiet, *(wait.seconds for wait in self.second.next_waits(QUIET_SECONDS)))
        longest = max(self.second.waits[begins:ends])
        highest, moment = max(seen)
        return Cost(
            ended=ended,
            quiet=quiet,
            attacked=longest.seconds,
            slowest=target.at(longest.began + longest.seconds / 2),
            lost=sum(each.seconds for each in self.second.lost_times[lost_begins:]),
            before=self.before,
            highest=highest,
            largest=target.at(moment),
            after=self._fallen(self.before + ALLOWED_BYTES),
        )

    def _fallen(self, enough: int) -> int:
        """The memory when it has fallen to ``enough``, or when the time is over."""
        ends = time.monotonic() + KEPT_SECONDS + FALL_SECONDS
        while (used := memory(self.server)) > enough and time.monotonic() < ends:
            time.sleep(0.2)
        return used


async def _run(attack: Attack, target: Target) -> bool:
    """Whether the attack ended in time and before the second visitor was lost."""
    attacking = asyncio.create_task(attack(target))
    ends = time.monotonic() + ATTACK_SECONDS
    while not attacking.done() and time.monotonic() < ends and not target.second.lost:
        await asyncio.wait([attacking], timeout=0.5)
    attacking.cancel()
    try:
        await attacking
    except (EnoughHarmError, TimeoutError, asyncio.CancelledError):
        return False
    return True


@dataclass(frozen=True, order=True)
class Wait:
    """How long a step took, and when it ``began``, in seconds of time.monotonic()."""

    seconds: float
    began: float


class SecondVisitor:
    """The process of the second visitor, the steps that it has reported, and the time that the machine has
    lost."""

    def __init__(self, url: str) -> None:
        self.lost_times: list[Lost] = []
        self._steps: list[tuple[float, float]] = []
        self._told = time.monotonic()
        self._machine = Reporter("tests.faults.lost_time", take=self._note_lost)
        self._visitor = Reporter("tests.faults.second_visitor", url, take=self._note_wait)
        self.next_waits(0)

    @property
    def waits(self) -> list[Wait]:
        """The wait of each step, without the time that the machine lost meanwhile."""
        return [
            Wait(seconds - lost_within(self.lost_times, began, began + seconds), began)
            for seconds, began in list(self._steps)
        ]

    def next_waits(self, seconds: float) -> list[Wait]:
        """The waits of so many seconds, and of the two steps after them."""
        begins = len(self._steps)
        time.sleep(seconds)
        wanted = len(self._steps) + 2
        while len(self._steps) < wanted and not self.lost:
            time.sleep(0.02)
        if self.lost:
            self._steps.append((time.monotonic() - self._told, self._told))
        return self.waits[begins:]

    @property
    def lost(self) -> bool:
        """Whether the process has ended, or has had no answer for too long."""
        return self._visitor.ended or time.monotonic() - self._told > LOST_SECONDS

    def longest_since(self, moment: float) -> float:
        return max((w.seconds for w in self.waits if w.began + w.seconds > moment), default=0.0)

    def leave(self) -> None:
        self._visitor.stop()
        self._machine.stop()

    def _note_wait(self, seconds: float, began: float) -> None:
        self._steps.append((seconds, began))
        self._told = time.monotonic()

    def _note_lost(self, seconds: float, began: float, ended: float) -> None:
        self.lost_times.append(Lost(seconds, began, ended))


class Reporter:
    """A process that runs a module, and a thread that gives ``take`` the numbers of each line it prints."""

    def __init__(self, module: str, *arguments: str, take: Callable[..., None]) -> None:
        self._take = take
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def process_id(self) -> int:
        return self._process.pid

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        if self._process.stdout:
            self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._take(*map(float, line.split()))


@contextmanager
def on_stage(folder: Path, environment: Mapping[str, str]) -> Iterator[Stage]:
    """A server that somebody has used a little, with a second visitor."""
    settings = {
        "BPEVIZ_DATA": str(folder),
        "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(KEPT_SECONDS),
        **environment,
    }
    with running(settings) as server:
        resource.prlimit(server.process_id, resource.RLIMIT_AS, (ADDRESS_BYTES, ADDRESS_BYTES))
        second = SecondVisitor(server.url)
        try:
            asyncio.run(_look_around(Target(server.url, folder, second)))
            time.sleep(KEPT_SECONDS + 1)
            yield Stage(server, read_limits(environment), folder, second, memory(server), spoilt=False)
        finally:
            second.leave()


async def _look_around(target: Target) -> None:
    """Do what any visitor does, so that the server's caches are full before anything is measured."""
    async with target.attacker() as visitor:
        await visitor.train("to be or not to be, that is the question\n" * 500)
        for page in list(visitor.pages):
            await visitor.go(page)
        # reads every pretrained tokenizer; the server keeps them
        assert await follow(visitor, "compare", [("more", "All tokenizers")])


@contextmanager
def watched_memory(server: Server) -> Iterator[list[tuple[int, float]]]:
    """The server's memory, ten times a second, each with its moment."""
    seen = [(memory(server), time.monotonic())]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.1):
            seen.append((memory(server), time.monotonic()))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        ended.set()
        thread.join()


def memory(server: Server) -> int:
    """The memory of the server and of the processes that it started, in bytes."""
    return memory_with_descendants(server.process_id)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
