"""Short names for runs: ``Run A``, ``Run B``; forks are ``Fork A``, ``Fork B``."""

import re
from collections.abc import Collection
from string import ascii_uppercase

__all__ = ["FORK_NAME", "RUN_NAME", "free_name"]

#: The names that a request asks for; a session gives the next free one.
RUN_NAME, FORK_NAME = "Run A", "Fork A"
_AUTOMATIC = re.compile(r"(Run|Fork) [A-Z]")


def free_name(name: str, taken: Collection[str]) -> str:
    """``name`` if no other run has it; else the next letter, or the name with a number."""
    if name not in taken:
        return name
    if _AUTOMATIC.fullmatch(name):
        word = name.split(maxsplit=1)[0]
        for letter in ascii_uppercase:
            if (lettered := f"{word} {letter}") not in taken:
                return lettered
    number = 2
    while (numbered := f"{name} {number}") in taken:
        number += 1
    return numbered
