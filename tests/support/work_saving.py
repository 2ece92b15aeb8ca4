"""Saves works in a loop, to be killed at any moment: test_work_store_faults.py runs it in another process.

    python work_saving.py DIRECTORY WORK_ID SEED FIRST_VERSION VERSIONS

It prints each version before it saves it ("saving 7") and after ("saved 7"). With a seed that is not empty,
it saves other works in between. The texts of a version follow from its number, so a test that finds a version
knows its texts.
"""

import random
import sys
import types
from pathlib import Path

if __name__ == "__main__":
    # The package without its __init__.py, whose imports take longer than this program.
    package = types.ModuleType("bpeviz")
    package.__path__ = [str(Path(__file__).parents[2] / "bpeviz")]
    sys.modules["bpeviz"] = package

from bpeviz.storage.work_store import WorkLimits, WorkStore, new_work_id, text_digest

#: Works of any age may make room: otherwise a fast machine would fill the store in a moment.
LIMITS = WorkLimits(work_bytes=1_000_000, total_bytes=1_500_000, age_days=30, safe_days=0)


def texts_of(version: int) -> list[bytes]:
    """The texts of a version: one that no other has, one that ten versions share, one that all share."""
    lengths = random.Random(version)
    return [f"{name} ".encode() * lengths.choice([1, 100, 10_000]) for name in (f"version {version}",)] + [
        f"ten {version // 10} ".encode() * 5_000,
        b"all " * 5_000,
    ]


def state_of(version: int) -> str:
    return f"{version} " * (version % 2_000)


def save(store: WorkStore, work_id: str, version: int) -> None:
    texts = {text_digest(text): (lambda text=text: text) for text in texts_of(version)}
    store.save(work_id, f"{version}", state_of(version), texts)


def main(directory: str, work_id: str, seed: str, first: str, versions: str) -> None:
    others = random.Random(seed)
    print("opening", flush=True)
    store = WorkStore.open(Path(directory), LIMITS)
    for version in range(int(first), int(first) + int(versions)):
        print("saving", version, flush=True)
        save(store, work_id, version)
        print("saved", version, flush=True)
        if seed and others.random() < 0.2:  # another work, so that the oldest are removed
            save(store, new_work_id(), others.randrange(1_000_000))


if __name__ == "__main__":
    main(*sys.argv[1:])
