"""Counting pre-tokens: the only work of a training that grows with the length of the corpus.

A block is counted in two steps: its stretches, which one simple expression finds, and then the pre-tokens of
each distinct stretch. Blocks go to several processes, which send back counts, never text.
"""

import multiprocessing
import os
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice

from bpeviz.errors import CountingError
from bpeviz.split_patterns import SplitPattern

__all__ = ["Counts", "count_block", "count_blocks", "default_processes"]

#: How often each pre-token occurs, first seen first.
Counts = dict[str, int]


def count_blocks(
    blocks: Iterable[str],
    pattern: SplitPattern,
    *,
    processes: int | None = None,
    on_block: Callable[[int], None] | None = None,
) -> Counts:
    """Count the pre-tokens of all blocks, first seen first.

    ``processes``: how many count, this one alone for 1; by default as many as default_processes says.
    ``on_block`` is told the characters of each block once it is counted, and may raise to stop everything.
    Raises SplitPatternError, and CountingError when another process ends before its work.
    """
    counts: Counts = {}
    for characters, counted in _counted(blocks, pattern, processes or default_processes()):
        add_counts(counts, counted)
        if on_block is not None:
            on_block(characters)
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
    return len(os.sched_getaffinity(0))


def count_block(block: str, pattern: SplitPattern) -> Counts:
    """Count the pre-tokens of one block, first seen first. Raises SplitPatternError."""
    split = pattern.splitter_of_stretches()
    counts: Counts = {}
    known = counts.get
    for stretch, count in Counter(pattern.stretches(block)).items():
        for pre_token in split(stretch):
            counts[pre_token] = known(pre_token, 0) + count
    return counts


def _counted(
    blocks: Iterable[str], pattern: SplitPattern, processes: int
) -> Iterator[tuple[int, Mapping[str, int]]]:
    """The characters of each block and its counts, in the order of the blocks."""
    blocks = iter(blocks)
    first = list(islice(blocks, 2))
    if processes == 1 or len(first) < 2 or pattern.stretch is None:
        yield from ((len(block), count_block(block, pattern)) for block in chain(first, blocks))
        return
    executor = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context(_start_method()))
    counting: deque[tuple[int, Future[Counts]]] = deque()
    try:
        for block in chain(first, blocks):
            counting.append((len(block), executor.submit(count_block, block, pattern)))
            if len(counting) > processes:
                characters, future = counting.popleft()
                yield characters, future.result()
        for characters, future in counting:
            yield characters, future.result()
    except BrokenProcessPool:
        raise CountingError(processes) from None
    finally:
        executor.shutdown(cancel_futures=True)


def _start_method() -> str:
    return "fork" if default_processes() > 1 else "spawn"
