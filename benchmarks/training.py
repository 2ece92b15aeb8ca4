"""How long training and the history take on 1 MB of the standard library's sources: a Markdown table."""

import platform
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from bpeviz import Corpus, Trainer, load_pretrained
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample

CASES = [
    ("huggingface", "gpt2"),
    ("minbpe", "cl100k"),
    ("course", "gpt2"),
    ("rustbpe", "rustbpe"),
    ("minbpe-basic", "none"),
    ("llms-from-scratch-simple", "none"),
]
MERGES = 2_000
T = TypeVar("T")


def timed(action: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    result = action()
    return result, time.perf_counter() - began


def main() -> None:
    text = read_sample(STANDARD_LIBRARY.title, 1_000_000)
    print(f"{len(text.encode()):,} bytes, {MERGES:,} merges, Python {platform.python_version()}, seconds\n")
    print("| recipe | split | split and count | merges | history | gap ranks | pair counts at 1,000 |")
    print("|---|---|---|---|---|---|---|")
    for recipe, split in CASES:
        corpus, counting = timed(partial(Corpus.from_text, text, split))
        began = time.perf_counter()
        trainer = Trainer(corpus, recipe, num_merges=MERGES)
        for _ in trainer.steps():
            pass
        merging = time.perf_counter() - began
        history, replaying = timed(trainer.history)
        _, laying_out = timed(partial(history.gap_ranks, text))
        _, looking_back = timed(partial(history.pair_counts, 1_000))
        figures = (counting, merging, replaying, laying_out, looking_back)
        print(f"| {recipe} | {split} | " + " | ".join(f"{f:.3f}" for f in figures) + " |")
    gpt2 = load_pretrained("gpt2")
    print(f"\nGPT-2: encode {timed(lambda: gpt2.encode(text))[1]:.3f}", end=", ")
    print(f"gap ranks {timed(lambda: gpt2.gap_ranks(text))[1]:.3f}")


if __name__ == "__main__":
    main()
