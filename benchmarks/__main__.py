"""Runs all measurements and prints Markdown: ``python -m benchmarks > measured.md``.

``python -m benchmarks.felt`` measures what a person waits for, in ten minutes; ``python -m benchmarks.held``
what keeps all other visitors waiting.
Takes the options of benchmarks.against_peers. Measuring the pages needs Chromium. ``python -m
benchmarks.load`` measures many visitors at the same time; run it alone, because it takes minutes and the
whole machine.
"""

import os
import platform
from importlib import metadata
from pathlib import Path

from benchmarks import (
    against_peers,
    auditing,
    comparing,
    encoding,
    figures,
    first_visit,
    interactive,
    loading,
    starting,
    training,
    trimming,
)
from bpeviz.workers.sharing import cores

PACKAGES = ("numpy", "regex", "streamlit", "tokenizers", "rustbpe", "tiktoken")
PARTS = {
    "Training beside its peers": against_peers,
    "Recipes": training,
    "Encoding": encoding,
    "Reading a tokenizer.json": loading,
    "Beginning with a tokenizer": starting,
    "Dropping tokens": trimming,
    "Auditing": auditing,
    "The main page in Chromium": interactive,
    "The compare page in Chromium": comparing,
    "The first visit in Chromium": first_visit,
    "Standalone pages": figures,
}


def machine() -> str:
    """The machine and the versions, in a sentence."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES if _has(name))
    return (
        f"{_processor()}, {cores()} cores, {memory:.0f} GB of memory, "
        f"{platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, {versions}; load {os.getloadavg()[0]:.1f} when it began."
    )


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _has(package: str) -> bool:
    return any(metadata.distributions(name=package))


def main() -> None:
    print(machine())
    for title, part in PARTS.items():
        print(f"\n## {title}\n", flush=True)
        part.main()


if __name__ == "__main__":
    main()
