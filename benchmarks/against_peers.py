"""Training compared with other libraries, on 1, 10 and 50 MB of sources: Markdown tables.

Each training runs in a separate process, and trainers take turns, so a busy machine slows all of them. Memory
is the proportional set size of the process and its children, read twenty times a second.
"""

import argparse
import importlib.metadata
import json
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks.sources import write_corpus

ROOT = Path(__file__).parents[1]
MERGES = 10_000
ROUNDS = 3
#: Trainers that are written for readers, how many merges they make, and of corpora of at most what size.
SLOW_MERGES = {"naive": 100, "tiktoken _educational": 20}
SLOW_MEGABYTES = 1
#: The trainers, each with the peer that has the same rules, so makes the same merges.
PEERS = {
    "bpeviz huggingface": "tokenizers",
    "bpeviz huggingface, one process": "tokenizers",
    "tokenizers": None,
    "bpeviz rustbpe": "rustbpe",
    "rustbpe": None,
}


@dataclass(frozen=True)
class Measured:
    """One training: seconds of its phases, peak memory in bytes, how many tokens it made, their digest."""

    phases: dict[str, float]
    memory: int
    merges: int
    digest: str

    @property
    def seconds(self) -> float:
        return sum(self.phases.values())


def measure(trainer: str, folder: Path, merges: int) -> Measured:
    """Run one training and watch its memory."""
    command = [sys.executable, "-m", "benchmarks.peers", trainer, str(folder), str(merges)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    memory = 0
    while process.poll() is None:
        memory = max(memory, tree_memory(process.pid))
        time.sleep(0.05)
    answer = json.loads(process.communicate()[0])
    return Measured(answer["phases"], memory, answer["merges"], answer["digest"])


def tree_memory(pid: int) -> int:
    """The proportional set size of a process and its children, in bytes; 0 once it has ended."""
    size = 0
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                size = int(line.split()[1]) * 1024
        for task in Path(f"/proc/{pid}/task").iterdir():
            size += sum(map(tree_memory, map(int, (task / "children").read_text().split())))
    return size


def installed(trainer: str) -> bool:
    """Whether the library of a trainer is installed."""
    with suppress(importlib.metadata.PackageNotFoundError):
        return not trainer.startswith(("tokenizers", "rustbpe")) or bool(importlib.metadata.version(trainer))
    return False


def medians(folder: Path, rounds: int, merges: int) -> dict[str, Measured]:
    """The run of median length of each trainer; every round runs all trainers."""
    trainers = [trainer for trainer in PEERS if installed(trainer)]
    runs: dict[str, list[Measured]] = {trainer: [] for trainer in trainers}
    for _ in range(rounds):
        for trainer in trainers:
            runs[trainer].append(measure(trainer, folder, merges))
    return {trainer: sorted(run, key=lambda m: m.seconds)[len(run) // 2] for trainer, run in runs.items()}


def table(size: int, merges: int, measured: dict[str, Measured]) -> None:
    """Print the table of one corpus: seconds, the ratio to the peer with the same rules, memory."""
    print(f"\n{size} MB, {merges:,} merges:\n")
    print("| trainer | count, s | merge, s | all, s | to its peer | memory | to the corpus |")
    print("|---|---|---|---|---|---|---|")
    for trainer, run in measured.items():
        count, merge = (f"{run.phases[p]:.2f}" if p in run.phases else "" for p in ("count", "merge"))
        megabytes = run.memory / 1e6
        cells = (trainer, count, merge, f"{run.seconds:.2f}", beside_peer(trainer, measured))
        print(f"| {' | '.join(cells)} | {megabytes:.0f} MB | {megabytes / size:.1f} × |", flush=True)


def beside_peer(trainer: str, measured: dict[str, Measured]) -> str:
    """``0.61 × tokenizers, same merges``"""
    peer = PEERS[trainer]
    if peer is None or peer not in measured:
        return ""
    ours, theirs = measured[trainer], measured[peer]
    same = "same merges" if ours.digest == theirs.digest else "OTHER MERGES"
    return f"{ours.seconds / theirs.seconds:.2f} × {peer}, {same}"


def growth(by_size: dict[int, dict[str, Measured]]) -> None:
    """Print how much longer the next size takes."""
    sizes = sorted(by_size)
    steps = list(pairwise(sizes))
    print("\nGrowth of the seconds:\n")
    print("| trainer | " + " | ".join(f"{a} to {b} MB ({b / a:.0f} × the text)" for a, b in steps) + " |")
    print("|---" * (len(steps) + 1) + "|")
    for trainer in by_size[sizes[0]]:
        factors = (by_size[b][trainer].seconds / by_size[a][trainer].seconds for a, b in steps)
        print(f"| {trainer} | " + " | ".join(f"{factor:.1f} ×" for factor in factors) + " |")


def slow_trainers(folder: Path, size: int) -> None:
    """Print the seconds of the trainers written for readers, and of ours for as many merges."""
    print(f"\n{size} MB, trainers that count everything again before each merge:\n")
    print("| trainer | merges | all, s | ours for as many, s | ours is |\n|---|---|---|---|---|")
    for trainer, merges in SLOW_MERGES.items():
        ours = "bpeviz tiktoken-educational" if "tiktoken" in trainer else "bpeviz huggingface"
        theirs, own = (
            statistics.median(measure(t, folder, merges).seconds for _ in range(3)) for t in (trainer, ours)
        )
        print(
            f"| {trainer} | {merges} | {theirs:.2f} | {own:.2f} | {theirs / own:.0f} × as fast |", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 10, 50], help="megabytes")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--merges", type=int, default=MERGES, help="1 measures little but counting")
    arguments, _ = parser.parse_known_args()
    by_size = {}
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_corpus(folder, size * 1_000_000)
            by_size[size] = medians(folder, arguments.rounds, arguments.merges)
            table(size, arguments.merges, by_size[size])
            if size <= SLOW_MEGABYTES:
                slow_trainers(folder, size)
    growth(by_size)


if __name__ == "__main__":
    main()
