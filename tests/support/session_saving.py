"""Saves sessions in a loop, to be killed at any moment: test_database.py runs it in another process.

    python session_saving.py DIRECTORY SAVED_ID SEED FIRST_VERSION VERSIONS

It prints each version before it saves it ("saving 7") and after ("saved 7"). With a seed that is not empty,
it saves other sessions in between. The texts of a version follow from its number, so a test that finds a
version knows its texts.
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

from bpeviz.sessions.store import SessionStore, StoreLimits, new_saved_id, text_digest

LIMITS = StoreLimits(session_bytes=1_000_000, visitor_bytes=10**9, total_bytes=3_000_000, days=30)


def texts_of(version: int) -> list[bytes]:
    """The texts of a version: one that no other has, one that ten versions share, one that all share."""
    lengths = random.Random(version)
    return [f"{name} ".encode() * lengths.choice([1, 100, 10_000]) for name in (f"version {version}",)] + [
        f"ten {version // 10} ".encode() * 5_000,
        b"all " * 5_000,
    ]


def document_of(version: int) -> str:
    return f"{version} " * (version % 2_000)


def save(store: SessionStore, saved_id: str, version: int) -> None:
    texts = {text_digest(text): (lambda text=text: text) for text in texts_of(version)}
    store.save(saved_id, f"{version}", document_of(version), texts)


def main(directory: str, saved_id: str, seed: str, first: str, versions: str) -> None:
    others = random.Random(seed)
    print("opening", flush=True)
    store = SessionStore(Path(directory), LIMITS)
    for version in range(int(first), int(first) + int(versions)):
        print("saving", version, flush=True)
        save(store, saved_id, version)
        print("saved", version, flush=True)
        if seed and others.random() < 0.2:  # another session, so that the oldest are removed
            save(store, new_saved_id(), others.randrange(1_000_000))


if __name__ == "__main__":
    main(*sys.argv[1:])
