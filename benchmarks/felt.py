"""What a person waits for: ``python -m benchmarks.felt`` prints Markdown within ten minutes.

The main page, the compare page and a long table in Chromium, then the counting of a corpus of
``--megabytes`` on the command line, with the memory of all its processes. benchmarks.load measures many
visitors at the same time.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import comparing, interactive
from benchmarks.sources import write_corpus
from tests.support.memory import memory_with_descendants
from tests.support.paths import ROOT

LOOK_EVERY_SECONDS = 0.1
FILE_BYTES = 50_000_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.felt", description=__doc__)
    parser.add_argument("--megabytes", type=int, default=500, help="of the corpus")
    options = parser.parse_args()
    print(f"Load of the machine when it began: {os.getloadavg()[0]:.1f}.\n", flush=True)
    interactive.main()
    print(flush=True)
    comparing.main()
    print(flush=True)
    measure_counting(options.megabytes)
    print(f"\nLoad when it ended: {os.getloadavg()[0]:.1f}.")


def measure_counting(megabytes: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), megabytes * 1_000_000)
        seconds, memory = count(files, Path(folder, "counts.parquet"))
    print("| counted on the command line | time | memory of all processes |\n|---|---|---|")
    print(f"| {megabytes} MB | {seconds:.0f} s | {memory / 1e6:.0f} MB |")


def write_files(folder: Path, size: int) -> list[Path]:
    """Files of some FILE_BYTES each, ``size`` bytes in all: a command line has no room for many names."""
    sources = folder / "sources"
    sources.mkdir()
    write_corpus(sources, size)
    files: list[Path] = []
    for source in sorted(sources.iterdir()):
        if not files or files[-1].stat().st_size > FILE_BYTES:
            files.append(folder / f"{len(files):03}.txt")
        with files[-1].open("ab") as file:
            file.write(source.read_bytes())
        source.unlink()
    return files


def count(files: list[Path], out: Path) -> tuple[float, int]:
    """Count files as a person does; return the seconds and the most memory seen, in bytes."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "bpeviz", "count", *map(str, files), "--out", str(out)]
    most = 0
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, memory_with_descendants(process.pid))
            time.sleep(LOOK_EVERY_SECONDS)
    if process.returncode:
        raise RuntimeError(f"counting ended with code {process.returncode}")
    return time.perf_counter() - began, most


if __name__ == "__main__":
    main()
