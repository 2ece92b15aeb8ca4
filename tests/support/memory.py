"""The memory of a process and of those that it started, read from ``/proc``."""

import os
from pathlib import Path

__all__ = ["descendants", "memory_with_descendants", "resident"]

PROCESSES = Path("/proc")


def resident(process_id: int) -> int:
    """The resident memory of a process, in bytes. Raises OSError if it has ended."""
    pages = int((PROCESSES / str(process_id) / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def memory_with_descendants(process_id: int) -> int:
    """The resident memory of a process and of all that it started, in bytes.

    A child runs its parent's program until it starts its own. Until then it uses its parent's memory or
    shares most of it, and only what it has beyond its parent counts.
    """
    programs: dict[int, bytes] = {}
    sizes: dict[int, int] = {}
    total = 0
    for each, parent in _families(process_id).items():
        try:
            # the program first: a child that starts its own between the two has its own memory then
            programs[each] = (PROCESSES / str(each) / "cmdline").read_bytes()
            sizes[each] = resident(each)
        except OSError:  # has just ended
            continue
        if parent in sizes and programs[each] == programs[parent]:
            total += max(0, sizes[each] - sizes[parent])
        else:
            total += sizes[each]
    return total


def descendants(process_id: int) -> list[int]:
    """A process and all that it started, parents first."""
    return list(_families(process_id))


def _families(process_id: int) -> dict[int, int]:
    """A process and all that it started, each with its parent, which comes before it."""
    parents: dict[int, int] = {}
    for folder in PROCESSES.glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = {process_id: parents.get(process_id, 0)}
    level = [process_id]
    while level:
        level = [each for each, parent in parents.items() if parent in level and each not in found]
        found |= {each: parents[each] for each in level}
    return found
