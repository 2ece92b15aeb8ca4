"""Compile a custom split pattern, and search with it, in another process with limits.

The package ``regex`` has no limit for memory or for the time to compile, and while it compiles no other
thread runs. So another process compiles the pattern first, and searches long texts: if the pattern is too
large, only that process ends. The process is a command with two pipes, not a fork, because a server has many
threads. If the system cannot limit memory (Windows, macOS), only the time is limited.
"""

import json
import signal
import sys
import time
from array import array
from functools import lru_cache
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import Any, Literal

import regex

from bpeviz.processes.sharing import Slots, cores
from bpeviz.text import pattern_worker
from bpeviz.text.errors import SplitPatternBusyError, SplitPatternError

__all__ = [
    "COMPILE_BYTES",
    "COMPILE_SECONDS",
    "DOES_NOT_FIT",
    "MOST_AT_ONCE",
    "check_pattern",
    "find_ends",
    "find_spans",
]

#: Common patterns compile with less than a tenth of this memory, and in a hundredth of the time.
COMPILE_BYTES = 16 * 2**20
COMPILE_SECONDS = 0.5
#: The ends of the matches take at most 16 bytes per character; the rest is for the pattern's own memory.
SEARCH_BYTES, SEARCH_BYTES_PER_CHARACTER = 128 * 2**20, 32
#: On a busy machine a process gets this much time for a second of work, and a moment to start.
PATIENCE, MOMENT_SECONDS = 4.0, 10.0

#: How many of these processes run at the same time, for all visitors together; the others wait.
MOST_AT_ONCE = cores()
_slots = Slots(MOST_AT_ONCE)

_COMMAND = (sys.executable, "-I", "-S", pattern_worker.__file__, str(Path(regex.__file__).parents[1]))

Task = Literal["compile", "search", "spans"]


class _TooLongError(Exception):
    """The time ran out before the process was done, or while it waited for its turn."""


@lru_cache(maxsize=256)  # the strings have limited length; errors are not cached
def check_pattern(pattern: str) -> bool:
    """Whether a pattern matches the empty string.

    Raises SplitPatternError if it does not compile within the limits. A pattern that passes is safe to
    compile in this process too.
    """
    answer, _ = _ask("compile", pattern, "", COMPILE_SECONDS, COMPILE_BYTES)
    return bool(answer["matches_nothing"])


def find_ends(pattern: str, text: str, seconds: float) -> tuple["array[int]", pattern_worker.Fault | None]:
    """Where the matches of a pattern end, and the first place where they do not cover the text.

    Raises SplitPatternError if the pattern does not compile, or takes too long or too much memory.
    """
    answer, ends = _ask("search", pattern, text, seconds, _search_bytes(text))
    fault = answer["uncovered"]
    return ends, None if fault is None else tuple(fault)


def find_spans(pattern: str, text: str, seconds: float) -> tuple["array[int]", "array[int]"]:
    """Where the matches of a pattern start and end, which need not cover the text. Raises what find_ends
    raises."""
    _, spans = _ask("spans", pattern, text, seconds, _search_bytes(text))
    half = len(spans) // 2
    return spans[:half], spans[half:]


def _search_bytes(text: str) -> int:
    return SEARCH_BYTES + SEARCH_BYTES_PER_CHARACTER * len(text)


def _ask(
    task: Task, pattern: str, text: str, seconds: float, most_bytes: int
) -> tuple[dict[str, Any], "array[int]"]:
    """The answer of a new process. Raises SplitPatternError; SplitPatternBusyError if none could run."""
    request = {"task": task, "pattern": pattern, "seconds": seconds, "bytes": most_bytes}
    sent = json.dumps(request).encode("ascii") + b"\n" + text.encode("utf-8", "surrogatepass")
    patience = MOMENT_SECONDS + PATIENCE * seconds
    try:
        code, out = _run(sent, time.monotonic() + patience)
    except _TooLongError:
        raise SplitPatternBusyError(
            f"The split pattern was stopped after {patience:g} seconds, because the machine is busy. "
            "Try again in a moment.",
            pattern=pattern,
        ) from None
    except OSError:
        raise SplitPatternBusyError(
            "The process that runs split patterns couldn't start, probably because memory ran out. "
            "Try again in a moment.",
            pattern=pattern,
        ) from None
    line, _, data = out.partition(b"\n")
    answer = json.loads(line) if code == 0 and line else {"fault": _how_it_ended(code)}
    if "fault" in answer:
        words = _WORDS[task][answer["fault"]]
        raise SplitPatternError(words.format(seconds=seconds, why=answer.get("why")), pattern=pattern)
    found = array("q")
    found.frombytes(data)
    return answer, found


def _run(sent: bytes, ends: float) -> tuple[int, bytes]:
    """Run the process; returns its exit code and its output. Raises _TooLongError, OSError."""

    def wait() -> None:
        if time.monotonic() > ends:
            raise _TooLongError

    with (
        _slots.hold(wait),
        Popen(  # noqa: S603 - our own module in our own Python
            _COMMAND, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        ) as process,
    ):
        try:
            out, _ = process.communicate(sent, timeout=max(0.0, ends - time.monotonic()))
        except TimeoutExpired:
            raise _TooLongError from None
        finally:
            process.kill()
    return process.returncode, out


def _how_it_ended(code: int) -> str:
    """Why it ended without an answer: its time was up, or memory ran out."""
    return "time" if code == -getattr(signal, "SIGPROF", 0) else "memory"


DOES_NOT_FIT = (
    "The split pattern does not compile in the memory there is for it "
    f"({COMPILE_BYTES >> 20} MiB) and in {COMPILE_SECONDS:g} seconds. "
    "Nest fewer repetitions, such as (a+)+, and repeat fewer times."
)
_DOES_NOT_COMPILE = "The split pattern does not compile: {why}."
_OF_A_SEARCH = {
    "memory": "The split pattern needs too much memory on this text. Simplify it.",
    "time": "The split pattern took more than {seconds:g} seconds on this text. "
    "Look for nested repetitions such as (a+)+ and make them possessive: (a++)+.",
    "pattern": _DOES_NOT_COMPILE,
}
_WORDS: dict[Task, dict[str, str]] = {
    "compile": {
        "memory": DOES_NOT_FIT,
        "time": DOES_NOT_FIT,
        "pattern": _DOES_NOT_COMPILE,
    },
    "search": _OF_A_SEARCH,
    "spans": _OF_A_SEARCH,
}
