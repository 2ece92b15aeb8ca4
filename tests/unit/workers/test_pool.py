"""The contract of workers: answers, errors, limits, turns, cancelling, and when a worker ends."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from bpeviz.errors import PipelineError
from bpeviz.workers.pool import ENDS_IDLE, QUICK_SECONDS, Pool
from bpeviz.workers.task import Limit, Task, WorkerError, Workers
from bpeviz.workers.waiting import called_while_waiting
from tests.support.inline_workers import InlineWorkers
from tests.support.paths import ROOT
from tests.support.processes import all_end
from tests.support.worker_tasks import (
    CRASH,
    FAIL,
    FILL,
    HOLD,
    PID,
    PID_OF_FRESH,
    SPELL,
    SPIN,
    TWO_SECONDS,
    UPPER,
    WAIT,
    WAIT_LONG,
    Text,
)

LIMIT = Limit(seconds=60.0, memory_bytes=2**30)
TEXT = "naïve 東京 🙂\0"


class StoppedError(Exception):
    """What a caller raises to stop a call."""


def stop(_: object) -> None:
    raise StoppedError


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool()
    yield made
    made.close()


def check_answer_and_error(workers: Workers) -> None:
    assert workers.run(UPPER, Text(TEXT), LIMIT) == Text(TEXT.upper())
    assert workers.run(UPPER, Text(TEXT), None) == Text(TEXT.upper())
    events: list[Text] = []
    assert workers.run(SPELL, Text(TEXT), LIMIT, on_event=events.append) == Text(TEXT)
    assert events == [Text(letter) for letter in TEXT]
    with pytest.raises(StoppedError):
        workers.run(SPELL, Text(TEXT), LIMIT, on_event=stop)
    with pytest.raises(PipelineError) as raised:
        workers.run(FAIL, Text(TEXT), LIMIT)
    assert (str(raised.value), raised.value.why, raised.value.said) == (f"{TEXT}. Try it.", TEXT, "no")


def test_in_the_callers_process_answers_and_errors_are_the_same() -> None:
    check_answer_and_error(InlineWorkers())


@pytest.mark.gate
def test_an_answer_comes_back_and_an_error_as_it_was_raised(pool: Pool) -> None:
    check_answer_and_error(pool)


@pytest.mark.gate
def test_a_worker_is_called_again_also_after_an_error(pool: Pool) -> None:
    first = pool.run(PID, Text(), LIMIT)
    with pytest.raises(PipelineError):
        pool.run(FAIL, Text(TEXT), LIMIT)
    assert pool.run(PID, Text(), LIMIT) == first != Text(str(os.getpid()))


@pytest.mark.gate
def test_a_fresh_task_gets_a_worker_of_its_own(pool: Pool) -> None:
    first = pool.run(PID, Text(), LIMIT)
    fresh = {pool.run(PID_OF_FRESH, Text(), LIMIT) for _ in range(2)}
    assert len(fresh) == 2
    assert pool.run(PID, Text(), LIMIT) == first not in fresh
    pool.keep_ready()
    assert pool.run(PID_OF_FRESH, Text(), LIMIT) not in {first, *fresh}
    assert pool.run(PID, Text(), LIMIT) == first


@pytest.mark.gate
def test_one_thread_ends_idle_workers_however_many_calls_there_were(pool: Pool) -> None:
    for _ in range(20):
        pool.run(PID, Text(), LIMIT)
    assert [thread.name for thread in threading.enumerate()].count(f"{ENDS_IDLE} {id(pool):x}") == 1


@pytest.mark.gate
def test_a_worker_that_crashes_is_replaced(pool: Pool) -> None:
    first = pool.run(PID, Text(), LIMIT)
    with pytest.raises(WorkerError, match="crashed"):
        pool.run(CRASH, Text(), LIMIT)
    assert pool.run(PID, Text(), LIMIT) != first


@pytest.mark.gate
@pytest.mark.parametrize("task", [WAIT, HOLD], ids=["that waits", "that lets no other thread run"])
def test_whoever_waits_can_stop_a_task(pool: Pool, task: Task[Text, Text]) -> None:
    first = pool.run(PID, Text(), LIMIT)
    with pytest.raises(StoppedError):
        pool.run(task, Text(), Limit(10**6, 2**30), stop)
    assert pool.run(PID, Text(), LIMIT) != first


@pytest.mark.gate
def test_what_was_asked_for_some_levels_above_can_stop_a_task_too(pool: Pool) -> None:
    """Functions between pass nothing on: those that split by a pattern, for example."""
    with pytest.raises(StoppedError), called_while_waiting(lambda: stop(False)):
        pool.run(WAIT, Text(), Limit(10**6, 2**30))


@pytest.mark.gate
def test_calls_wait_for_their_turn_and_can_be_stopped_meanwhile() -> None:
    pool = Pool(most_at_once=1)
    working, done = threading.Event(), threading.Event()

    def until_done(_: object) -> None:
        working.set()
        if done.is_set():
            raise StoppedError

    def first() -> None:
        with pytest.raises(StoppedError):
            pool.run(WAIT, Text(), LIMIT, until_done)

    thread = threading.Thread(target=first)
    thread.start()
    assert working.wait(120)
    with pytest.raises(StoppedError):
        pool.run(UPPER, Text(TEXT), LIMIT, stop)
    done.set()
    thread.join(120)
    check_answer_and_error(pool)
    pool.close()


@pytest.mark.gate
def test_a_short_task_does_not_wait_for_a_long_one() -> None:
    pool = Pool(most_at_once=1)
    queued, done = threading.Event(), threading.Event()

    def wait(its_turn_is_later: bool) -> None:
        if its_turn_is_later:
            queued.set()
        if done.is_set():
            raise StoppedError

    def long() -> None:
        with pytest.raises(StoppedError):
            pool.run(WAIT_LONG, Text(), None, wait)

    threads = [threading.Thread(target=long) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert queued.wait(120)
    assert pool.run(UPPER, Text(TEXT), LIMIT) == Text(TEXT.upper())
    done.set()
    for thread in threads:
        thread.join(120)
    pool.close()


@pytest.mark.full
@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(3)",
        "import os; os.write(1, b'no message')",
        r"import os; os.write(1, bytes(7) + b'\1\7')",
        r"import os; os.write(1, bytes(7) + b'\1\x80')",
    ],
)
def test_a_worker_that_sends_no_message_has_crashed(code: str) -> None:
    with pytest.raises(WorkerError, match="crashed"):
        Pool(command=(sys.executable, "-c", code)).run(UPPER, Text(), LIMIT)


def test_a_worker_that_cannot_start() -> None:
    with pytest.raises(WorkerError, match="not started"):
        Pool(command=("no such program",)).run(UPPER, Text(), LIMIT)


@pytest.mark.full
def test_a_task_that_takes_too_long_is_ended_and_not_tried_again(pool: Pool) -> None:
    with pytest.raises(WorkerError, match="time"):
        pool.run(SPIN, Text(), Limit(0.1, 2**30))
    worker = pool.run(PID, Text(), LIMIT)
    with pytest.raises(WorkerError, match="time"):
        pool.run(SPIN, Text(), Limit(0.1, 2**30), stop)
    assert pool.run(PID, Text(), LIMIT) == worker
    check_answer_and_error(pool)


@pytest.mark.full
def test_a_call_that_is_not_quick_gets_its_whole_time_among_the_others(pool: Pool) -> None:
    with pytest.raises(WorkerError, match="time"):
        pool.run(SPIN, Text("a"), Limit(QUICK_SECONDS + 1, 2**30))
    first = pool.run(PID, Text(), LIMIT)
    assert pool.run(TWO_SECONDS, Text(TEXT), LIMIT) == Text(TEXT)
    assert pool.run(PID, Text(), LIMIT) != first  # which ended after a second


@pytest.mark.full
def test_a_task_that_needs_too_much_memory_is_ended(pool: Pool) -> None:
    with pytest.raises(WorkerError, match="memory"):
        pool.run(FILL, Text(), Limit(60.0, 2**26))
    assert pool.run(FILL, Text(), Limit(60.0, 2**33)) == Text("x" * 2**30)


@pytest.mark.full
def test_a_worker_that_somebody_kills_is_reported(pool: Pool) -> None:
    killed = int(pool.run(PID, Text(), LIMIT).text)

    def kill(_: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(killed, signal.SIGKILL)

    with pytest.raises(WorkerError, match="memory"):
        pool.run(WAIT, Text(), LIMIT, kill)


@pytest.mark.full
def test_a_worker_that_waits_too_long_ends() -> None:
    pool = Pool(idle_seconds=0.2)
    first = int(pool.run(PID, Text(), LIMIT).text)
    assert all_end(first)
    assert pool.run(PID, Text(), LIMIT) != Text(str(first))
    pool.close()


@pytest.mark.full
def test_a_worker_kept_ready_is_taken_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpeviz.workers.pool.LATER_SECONDS", 0.0)
    pool = Pool(idle_seconds=0.2)
    pool.keep_ready()
    pool.keep_ready()
    first = str(pool._idle[0].child.pid)
    assert len(pool._idle) == 1
    assert pool.run(PID, Text(), LIMIT) == Text(first)
    assert all_end(int(first))
    until = time.monotonic() + 30
    while not pool._idle and time.monotonic() < until:
        time.sleep(0.01)
    second = pool.run(PID, Text(), LIMIT)
    assert second != Text(first)
    pool.close()
    assert all_end(int(second.text))


@pytest.mark.full
@pytest.mark.parametrize("works", [False, True], ids=["that waits", "that works"])
def test_a_worker_ends_with_the_process_that_started_it(works: bool) -> None:
    program = (
        "from bpeviz.workers.pool import Pool; from tests.support.worker_tasks import *;"
        "from bpeviz.workers.task import Limit; pool = Pool(); limit = Limit(60.0, 2**30);"
        "print(pool.run(PID, Text(), limit).text, flush=True); input();"
        f"pool.run({'WAIT' if works else 'UPPER'}, Text(), limit, lambda _: print(flush=True)); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        process.stdin.write(b"\n")
        process.stdin.flush()
        if works:
            process.stdout.readline()
        process.kill()
    assert all_end(worker)
