"""Counting pre-tokens: the only work of a training that grows with the length of the corpus.

Blocks are counted a batch at a time. A full batch is cut into pieces that split the same way wherever they
occur, and each distinct piece is split once (see pieces). A shorter one, such as a short text, is split as a
whole. Batches go to several processes, which send back counts, never text.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import chain, islice

from bpeviz.corpus.blocks import in_groups
from bpeviz.corpus.pieces import count_pieces, has_pieces
from bpeviz.errors import CorpusError
from bpeviz.text.pre_token_ends import pre_tokens
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.workers.sharing import cores

__all__ = ["Counts", "add_counts", "count_blocks", "default_processes"]

#: How often each pre-token occurs, first seen first.
Counts = dict[str, int]

#: The least length of the blocks of a batch together. Long enough for most pieces to repeat and for the
#: counts to be worth sending; short enough for several batches in memory at once.
BATCH_CHARACTERS = 2_000_000
#: How often a worker checks whether its parent still runs.
PARENT_CHECK_SECONDS = 0.2


def count_blocks(
    blocks: Iterable[str],
    pattern: SplitPattern,
    *,
    processes: int | None = None,
    on_counted: Callable[[int], None] | None = None,
) -> Counts:
    """Return the counts of the pre-tokens of all blocks, first seen first.

    ``processes`` is how many processes count (1: only this one); by default default_processes().
    ``on_counted`` is called with the number of characters counted since the last call, and may raise to stop
    everything. Raises SplitPatternError, and CorpusError if another process ends before its work is done.
    """
    counts: Counts = {}
    with closing(_counted(blocks, pattern, processes or default_processes())) as batches:
        for characters, counted in batches:
            add_counts(counts, counted)
            if on_counted is not None:
                on_counted(characters)
    return counts


def add_counts(counts: Counts, others: Mapping[str, int]) -> None:
    """Add ``others`` to the counts; new pre-tokens come after the known ones."""
    known = counts.get
    counts.update({pre_token: known(pre_token, 0) + count for pre_token, count in others.items()})


def default_processes() -> int:
    """Return the number of cores that this process may use, if it can fork safely: on Linux, without a second
    thread. Otherwise 1."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return 1
    return cores()


def _count_batch(blocks: Sequence[str], pattern: SplitPattern) -> Counts:
    if has_pieces(pattern) and _length(blocks) >= BATCH_CHARACTERS:
        return count_pieces(blocks, pattern)
    counted: Counter[str] = Counter()
    for block in blocks:
        counted.update(pre_tokens(block, pattern))
    return dict(counted)


def _counted(
    blocks: Iterable[str], pattern: SplitPattern, processes: int
) -> Generator[tuple[int, Mapping[str, int]]]:
    """Yield the characters of each batch and its counts, in the order of the blocks."""
    batches = in_groups(blocks, BATCH_CHARACTERS)
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
        raise CorpusError(
            f"One of {processes} processes that counted pre-tokens was stopped from outside, perhaps because "
            "memory ran out. Count with processes=1, or fewer than before."
        ) from None
    finally:
        executor.shutdown(cancel_futures=True)


def _length(batch: Sequence[str]) -> int:
    return sum(map(len, batch))


def _result(counting: tuple[int, Future[Counts]]) -> tuple[int, Counts]:
    characters, future = counting
    return characters, future.result()


def _start_worker(parent: int) -> None:
    """Leave Ctrl+C, which reaches every process of a terminal, to the parent, and end when the parent
    ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGKILL"):  # not on Windows, where getppid still names a parent that has ended
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when its parent ends. Its pipe does not tell: the siblings hold it open too."""
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(1)


def _start_method() -> str:
    return "fork" if default_processes() > 1 else "spawn"
