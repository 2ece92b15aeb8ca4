"""How long others wait for one Python: ``python -m benchmarks.held`` prints Markdown within two minutes.

A server's threads take turns, unless one keeps the others from running. A second thread wakes every
millisecond here; its longest pause is what another visitor would wait. Each row is the worst of all texts of
1 MB, or of 1 MB of ordinary words for a file that a worker reads.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from bpeviz import load_pretrained
from bpeviz.formats.shared_tokenizers import read_shared
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from tests.support import made_tokenizers as made
from tests.support import trained_files

SIZE = 1_000_000
UNITS = (
    "a",
    "A",
    "Aa",
    " ",
    "\n",
    " \n",
    "1",
    ".",
    "'",
    "'s",
    " a",
    "x\x1c",
    "\u0301",
    "字",
    "🙂",
    "words like these. ",
)
LLAMA_2 = made.llama2_like(made.sentencepiece_bpe())
TEXTS = [unit * (SIZE // len(unit.encode())) for unit in UNITS]


def main() -> None:
    print("| | longest pause of another thread, s | time of the call, s |\n|---|---|---|")
    for name, pattern in SPLIT_PATTERNS.items():
        print_worst(f"split by {name}", [partial(pattern.split, text) for text in TEXTS])
    for name in ("gpt2", "o200k_base"):
        tokenizer = load_pretrained(name)
        print_worst(f"encode with {name}", [partial(tokenizer.gap_ranks, text) for text in TEXTS])
    files = {"like T5": made.t5_like(), "like BERT": trained_files.bert_like(), "like Llama 2": LLAMA_2}
    for name, data in files.items():
        tokenizer = read_shared({f"{name}.json": data}, split=None, split_timeout=10.0)
        print_worst(f"a tokenizer.json in a worker, {name}", [partial(tokenizer.gap_ranks, TEXTS[-1])])


def print_worst(what: str, calls: list[Callable[[], object]]) -> None:
    """Print the longest pause during any of the calls, and the longest call."""
    pauses, times = [0.0], [0.0]
    for call in calls:
        began = time.perf_counter()
        with longest_pause() as pause:
            call()
        pauses += pause
        times.append(time.perf_counter() - began)
    print(f"| {what} | {max(pauses):.2f} | {max(times):.2f} |", flush=True)


@contextmanager
def longest_pause() -> Iterator[list[float]]:
    """A list that holds, after the block, the longest pause of a thread that wakes every millisecond."""
    found: list[float] = []
    ended = threading.Event()

    def tick() -> None:
        longest, last = 0.0, time.perf_counter()
        while not ended.wait(0.001):
            now = time.perf_counter()
            longest, last = max(longest, now - last), now
        found.append(longest)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()


if __name__ == "__main__":
    main()
