"""How long reading a tokenizer.json that lists all pairs of each token takes, compared with tokenizers: a
Markdown table.

They take turns. The figures are medians of processor time, and the ratio is that of two readings right after
each other. ``python -m benchmarks.loading``.
"""

import time
from collections.abc import Callable
from statistics import median

import tokenizers

from bpeviz import load_pretrained
from bpeviz.formats.reading import read_tokenizer
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from tests.support.made_tokenizers import of_ranks

ROUNDS = 5
NAMES = {"cl100k_base": "cl100k", "o200k_base": "o200k"}


def seconds(read: Callable[[], object]) -> float:
    """The processor time of one reading."""
    began = time.process_time()
    read()
    return time.process_time() - began


def measured(data: bytes) -> tuple[float, float, float]:
    """The seconds of bpeviz and of tokenizers, and how many times as long bpeviz takes."""
    text = data.decode()
    pairs = [
        (
            seconds(lambda: read_tokenizer({"tokenizer.json": data})),
            seconds(lambda: tokenizers.Tokenizer.from_str(text)),
        )
        for _ in range(ROUNDS)
    ]
    ours, theirs = (median(each) for each in zip(*pairs, strict=True))
    return ours, theirs, median(a / b for a, b in pairs)


def main() -> None:
    print("| tokenizer.json of | bpeviz | tokenizers | times as long |")
    print("|---|---|---|---|")
    for name, split in NAMES.items():
        vocabulary, special = (
            (tokenizer := load_pretrained(name)).vocabulary,
            tokenizer.special_tokens.values(),
        )
        ranks = {token: i for i, token in vocabulary.items() if i not in special}
        data = of_ranks(ranks, SPLIT_PATTERNS[split].regex or "", ("<|endoftext|>",))
        ours, theirs, ratio = measured(data)
        print(f"| {name} | {ours:.2f} s | {theirs:.2f} s | {ratio:.1f} |", flush=True)


if __name__ == "__main__":
    main()
