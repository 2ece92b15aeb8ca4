"""Counting pre-tokens: the only work of a training that grows with the length of the corpus.

Blocks are counted a batch at a time. Where whole-array steps find the pre-tokens, these are counted;
elsewhere it takes two steps: the stretches, which one simple expression finds, and then the pre-tokens of
each distinct stretch. Batches go to several processes, which send back counts, never text.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import chain, islice

from bpeviz.corpus.errors import CountingError
from bpeviz.processes.sharing import cores
from bpeviz.text.pre_token_ends import is_quick, pre_tokens
from bpeviz.text.split_patterns import SplitPattern

__all__ = ["Counts", "add_counts", "count_blocks", "default_processes"]

#: How often each pre-token occurs, first seen first.
Counts = dict[str, int]

#: How long the blocks of a batch are together, at least: long enough for most of its stretches to repeat, and
#: for its counts to be worth sending, short enough for several batches to be in memory at once.
BATCH_CHARACTERS = 2_000_000
#: How often a worker looks whether its parent is still there.
PARENT_CHECK_SECONDS = 0.2


def count_blocks(
    blocks: Iterable[str],
    pattern: SplitPattern,
    *,
    processes: int | None = None,
    on_counted: Callable[[int], None] | None = None,
) -> Counts:
    """Count the pre-tokens of all blocks, first seen first.

    ``processes``: how many count, this one alone for 1; by default as many as default_processes says.
    ``on_counted`` is told how many characters more are counted, and may raise to stop everything.
    Raises SplitPatternError, and CountingError when another process ends before its work.
    """
    counts: Counts = {}
    with closing(_counted(blocks, pattern, processes or default_processes())) as batches:
        for characters, counted in batches:
            add_counts(counts, counted)
            if on_counted is not None:
                on_counted(characters)
    return counts


def add_counts(counts: Counts, others: Mapping[str, int]) -> None:
    """Add ``others``; pre-tokens that are new come after those that are known."""
    known = counts.get
    counts.update({pre_token: known(pre_token, 0) + count for pre_token, count in others.items()})


def default_processes() -> int:
    """As many as this process may use cores, where others can be forked from it safely: on Linux, and while
    it runs no second thread."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return 1
    return cores()


def _count_batch(blocks: Sequence[str], pattern: SplitPattern) -> Counts:
    if is_quick(pattern):
        counted: Counter[str] = Counter()
        for block in blocks:
            counted.update(pre_tokens(block, pattern))
        return dict(counted)
    stretches: Counter[str] = Counter()
    for block in blocks:
        stretches.update(pattern.stretches(block))
    split = pattern.splitter_of_stretches()
    counts: Counts = {}
    known = counts.get
    for stretch, count in stretches.items():
        for pre_token in split(stretch):
            counts[pre_token] = known(pre_token, 0) + count
    return counts


def _batches(blocks: Iterable[str]) -> Iterator[list[str]]:
    """Blocks together, each time as many as make up the length of a batch."""
    batch: list[str] = []
    length = 0
    for block in blocks:
        batch.append(block)
        length += len(block)
        if length >= BATCH_CHARACTERS:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def _counted(
    blocks: Iterable[str], pattern: SplitPattern, processes: int
) -> Generator[tuple[int, Mapping[str, int]]]:
    """The characters of each batch and its counts, in the order of the blocks."""
    batches = _batches(blocks)
    first = list(islice(batches, 2))
    if processes == 1 or len(first) < 2 or pattern.stretch is None:
        yield from ((_length(batch), _count_batch(batch, pattern)) for batch in chain(first, batches))
        return
    context = multiprocessing.get_context(_start_method())
    executor = ProcessPoolExecutor(processes, context, initializer=_start_worker, initargs=(os.getpid(),))
    counting: deque[tuple[int, Future[Counts]]] = deque()
    try:
        for batch in chain(first, batches):
            counting.append((_length(batch), executor.submit(_count_batch, batch, pattern)))
            if len(counting) > processes:
                yield _result(counting.popleft())
        yield from map(_result, counting)
    except BrokenProcessPool:
        raise CountingError(processes) from None
    finally:
        executor.shutdown(cancel_futures=True)


def _length(batch: Sequence[str]) -> int:
    return sum(map(len, batch))


def _result(counting: tuple[int, Future[Counts]]) -> tuple[int, Counts]:
    characters, future = counting
    return characters, future.result()


def _start_worker(parent: int) -> None:
    """Leave Ctrl+C, which every process of a terminal gets, to the parent, and end when the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGKILL"):  # on Windows getppid still names a parent that has ended
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """A worker waits on a pipe that its siblings hold open too, so it never learns of the end from that."""
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(1)


def _start_method() -> str:
    return "fork" if default_processes() > 1 else "spawn"
