"""Dropping tokens: a thousand of them in memory, and what a text of 1 MB costs without some."""

import platform
from functools import partial
from random import Random

from benchmarks.timing import median_seconds
from bpeviz import Tokenizer, load_pretrained
from bpeviz.analysis.drop_rules import DropRule, tokens_of_rule
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample
from bpeviz.tokenizer.trimming import Trimming

ROUNDS = 5
DROPPED = 1_000


def cost(tokenizer: Tokenizer, rule: DropRule, text: str) -> int:
    """What the page computes at a change: all that falls, and the tokens of the text afterwards."""
    trimming = Trimming(tokenizer)
    fall = trimming.fall(tokens_of_rule(tokenizer, trimming, rule))
    return len(tokenizer.trimmed(trimming, fall).encode(text))


def main() -> None:
    text = read_sample(STANDARD_LIBRARY.title, 1_000_000)
    print(f"Python {platform.python_version()}, medians of {ROUNDS}, in seconds\n")
    print(
        f"| tokenizer | {DROPPED:,} tokens, with all that falls | never used in 1 MB, and its tokens | Han |"
    )
    print("|---|---|---|---|")
    for name in ("gpt2", "cl100k_base", "o200k_base"):
        tokenizer = load_pretrained(name)
        ids = Random(1).sample(sorted(Trimming(tokenizer).droppable), DROPPED)
        measured = (
            median_seconds(partial(tokenizer.without, ids), ROUNDS),
            median_seconds(partial(cost, tokenizer, DropRule(never_used_in=text), text), ROUNDS),
            median_seconds(partial(cost, tokenizer, DropRule(script="Han"), text), ROUNDS),
        )
        print(f"| {name} | {' | '.join(f'{each:.2f}' for each in measured)} |")


if __name__ == "__main__":
    main()
