"""Compile a custom split pattern, and search with it, in another process within limits.

The package ``regex`` has no limit for memory or for the time to compile, and while it compiles no other
thread runs. So a worker compiles the pattern first, and searches long texts: if the pattern is too large,
only that worker ends. If the system can't limit memory (Windows, macOS), only the time is limited.

Patterns that are clearly too large are refused at once, by an estimate of their compiled size:

    (a+)+    a compiles twice, for "once" and "any more"; the group around it twice again: 4 times

So each nested repetition doubles the size: 61 characters can take 2 GB. The estimate does not read every
notation, so it is not a safeguard; the worker is.
"""

import re
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TypeVar

import msgspec
import regex

from bpeviz.errors import SplitPatternBusyError, SplitPatternError
from bpeviz.text.pattern_search import Fault, compile_pattern, ends_of_matches, spans_of_matches, too_large
from bpeviz.workers import workers
from bpeviz.workers.pool import MOMENT_SECONDS, PATIENCE
from bpeviz.workers.task import Limit, Task, WorkerError

__all__ = [
    "COMPILE_BYTES",
    "COMPILE_SECONDS",
    "DOES_NOT_FIT",
    "check_pattern",
    "compiled_size",
    "find_ends",
    "find_spans",
]


Answer = TypeVar("Answer")

#: Common patterns compile with less than a tenth of this memory, and in a hundredth of the time.
COMPILE_BYTES = 16 * 2**20
COMPILE_SECONDS = 0.5
#: The ends of the matches take at most 16 bytes per character; the rest is for the pattern's own memory.
SEARCH_BYTES, SEARCH_BYTES_PER_CHARACTER = 128 * 2**20, 32

DOES_NOT_FIT = (
    "The split pattern does not compile in the memory there is for it "
    f"({COMPILE_BYTES >> 20} MiB) and in {COMPILE_SECONDS:g} seconds. "
    "Nest fewer repetitions, such as (a+)+, and repeat fewer times."
)


class Search(msgspec.Struct, frozen=True):
    """A pattern, a text to search, and the seconds for it. Both are UTF-8, lone surrogates as they are."""

    pattern: bytes
    text: bytes
    seconds: float


class Found(msgspec.Struct, frozen=True):
    """Where the matches end, or start and then end, as 64-bit numbers; and the first place where they don't
    cover the text."""

    places: bytes
    fault: Fault | None = None


@lru_cache(maxsize=256)  # the strings have limited length; errors are not cached
def check_pattern(pattern: str) -> bool:
    """Return whether a pattern matches the empty string.

    Raises SplitPatternError if it doesn't compile within the limits. A pattern that passes is safe to compile
    in this process too.
    """
    return _answer(CHECK, pattern, "", COMPILE_SECONDS, COMPILE_BYTES)


def find_ends(pattern: str, text: str, seconds: float) -> tuple["array[int]", Fault | None]:
    """Return where the matches of a pattern end, and the first place where they don't cover the text.

    Raises SplitPatternError if the pattern doesn't compile, or takes too long or too much memory.
    """
    found = _answer(FIND_ENDS, pattern, text, seconds, _search_bytes(text))
    return _numbers(found.places), found.fault


def find_spans(pattern: str, text: str, seconds: float) -> tuple["array[int]", "array[int]"]:
    """Return where the matches of a pattern start and end, which need not cover the text.

    Raises what find_ends raises.
    """
    spans = _numbers(_answer(FIND_SPANS, pattern, text, seconds, _search_bytes(text)).places)
    half = len(spans) // 2
    return spans[:half], spans[half:]


def _search_bytes(text: str) -> int:
    return SEARCH_BYTES + SEARCH_BYTES_PER_CHARACTER * len(text)


def _numbers(data: bytes) -> "array[int]":
    numbers = array("q")
    numbers.frombytes(data)
    return numbers


class _TooLateError(Exception):
    """The machine is busy: the time ran out before the worker was done, or before its turn."""


def _answer(task: Task[Search, Answer], pattern: str, text: str, seconds: float, most_bytes: int) -> Answer:
    """Return the answer of a worker. Raises SplitPatternError; SplitPatternBusyError if none could work."""
    search = Search(_encoded(pattern), _encoded(text), seconds)
    patience = MOMENT_SECONDS + PATIENCE * seconds
    due = time.monotonic() + patience

    def wait(_: bool) -> None:
        if time.monotonic() > due:
            raise _TooLateError

    try:
        return workers().run(task, search, Limit(seconds, most_bytes), wait)
    except _TooLateError:
        raise SplitPatternBusyError(
            f"The split pattern was stopped after {patience:g} seconds, because the machine is busy. "
            "Try again in a moment.",
            pattern=pattern,
        ) from None
    except WorkerError as error:
        if error.why == "not started":
            raise SplitPatternBusyError(
                "The process that runs split patterns couldn't start, probably because memory ran out. "
                "Try again in a moment.",
                pattern=pattern,
            ) from None
        if task is CHECK:
            raise SplitPatternError(DOES_NOT_FIT, pattern=pattern) from None
        raise (_too_slow(pattern, seconds) if error.why == "time" else too_large(pattern)) from None


def _too_slow(pattern: str, seconds: float) -> SplitPatternError:
    return SplitPatternError(
        f"The split pattern took more than {seconds:g} seconds on this text. "
        "Look for nested repetitions such as (a+)+ and make them possessive: (a++)+.",
        pattern=pattern,
    )


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


# --- in the worker ------------------------------------------------------------------------------------


@contextmanager
def _compiled(search: Search) -> "Iterator[regex.Pattern[str]]":
    """Yield the compiled pattern; errors of compiling it and of the block become errors of ours."""
    pattern = search.pattern.decode("utf-8", "surrogatepass")
    try:
        yield compile_pattern(pattern)
    except MemoryError:  # the worker tells it
        raise
    except TimeoutError:
        raise _too_slow(pattern, search.seconds) from None
    except Exception as error:
        why = str(error) or type(error).__name__
        raise SplitPatternError(f"The split pattern does not compile: {why}.", pattern=pattern) from None


def _check(search: Search, _: object) -> bool:
    with _compiled(search) as compiled:
        return compiled.fullmatch("", timeout=search.seconds) is not None


def _find_ends(search: Search, _: object) -> Found:
    with _compiled(search) as compiled:
        ends, fault = ends_of_matches(compiled, _text(search), timeout=search.seconds, concurrent=True)
    return Found(b"" if fault else ends.tobytes(), fault)


def _find_spans(search: Search, _: object) -> Found:
    with _compiled(search) as compiled:
        starts, ends = spans_of_matches(compiled, _text(search), timeout=search.seconds, concurrent=True)
    return Found((starts + ends).tobytes())


def _text(search: Search) -> str:
    return search.text.decode("utf-8", "surrogatepass")


_PLACE = "bpeviz.text.pattern_tasks:"
CHECK = Task(f"{_PLACE}CHECK", Search, bool, _check, fresh=True)
FIND_ENDS = Task(f"{_PLACE}FIND_ENDS", Search, Found, _find_ends)
FIND_SPANS = Task(f"{_PLACE}FIND_SPANS", Search, Found, _find_spans)


# --- the estimate ---------------------------------------------------------------------------------------


_PIECE = re.compile(
    r"""(?P<open> \( )
      | (?P<close> \) )
      | (?: (?P<more> \+ ) | \{ (?P<least> [0-9]+ ) (?P<range> ,[0-9]* )? \} ) [?+]?
      | \\. | \[ \^? \]? (?: \\. | [^\\\]] )* \]   # one character
      | .""",
    re.VERBOSE | re.DOTALL,
)


def compiled_size(pattern: str) -> float:
    """About how many characters and groups a pattern has when its repetitions are written out."""
    sizes = [0.0]  # of the open groups, from the outside in
    last = 0.0  # of the part that a repetition would repeat
    for piece in _PIECE.finditer(pattern):
        if piece["open"]:
            sizes.append(0.0)
            last = 0.0
        elif piece["close"]:
            last = 1.0 + (sizes.pop() if len(sizes) > 1 else 0.0)
            sizes[-1] += last
        elif (times := _times(piece)) > 1:
            sizes[-1] += last * (times - 1)
            last *= times
        elif not piece["least"]:
            last = 1.0
            sizes[-1] += last
    return sum(sizes)


def _times(piece: "re.Match[str]") -> float:
    """How often a repetition compiles what it repeats; 1 if it is not a repetition."""
    if piece["more"]:
        return 2.0
    least = float(piece["least"] or 0)
    return least + 1 if piece["range"] and least else max(1.0, least)
