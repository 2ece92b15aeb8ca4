"""Beginning with a finished tokenizer: its merges on 1 MB, what the player gets, and new merges."""

import platform
from collections.abc import Iterator
from functools import partial

from benchmarks.timing import median_seconds
from bpeviz import load_pretrained
from bpeviz.browser.run_pack import PlayedRun, pack_pairs_of, pack_run
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import RunRequest, train_run
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.start import Start

ROUNDS = 3
NEW = 1_000


def trained(start: Start, text: str, num_merges: int) -> Run:
    """The run as the page trains it: a long text in another process."""
    settings = TrainingSettings(num_merges=num_merges, start=start)
    return train_run(RunRequest("", NamedText("1 MB", text), settings), lambda *_: None)


def packed(run: Run) -> int:
    """The bytes for the player and for the bars, with the rank of each merged pair."""
    played = PlayedRun(run=run, title="", start=0, grows=True)
    return len(pack_run(played)) + len(pack_pairs_of(run))


def pack_next(runs: Iterator[Run]) -> int:
    return packed(next(runs))


def main() -> None:
    text = read_sample(STANDARD_LIBRARY.title, 1_000_000)
    print(f"Python {platform.python_version()}, medians of {ROUNDS}, in seconds\n")
    print(f"| tokenizer | its merges | that occur | run | for the player | run with {NEW:,} new merges |")
    print("|---|---|---|---|---|---|")
    for name in ("gpt2", "cl100k_base", "o200k_base"):
        tokenizer = load_pretrained(name)
        start = Start(name, name, tokenizer)
        runs = [trained(start, text, 0) for _ in range(ROUNDS)]  # each packs what it has not kept
        figures = (
            median_seconds(partial(trained, start, text, 0), ROUNDS),
            median_seconds(partial(pack_next, iter(runs)), ROUNDS),
            median_seconds(partial(trained, start, text, NEW), ROUNDS),
        )
        sizes = f"{len(tokenizer.merges):,} | {len(runs[0].steps):,}"
        print(f"| {name} | {sizes} | {' | '.join(f'{each:.2f}' for each in figures)} |")


if __name__ == "__main__":
    main()
