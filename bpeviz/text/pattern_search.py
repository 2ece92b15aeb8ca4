"""Searching with a pattern, and its errors: time or memory runs out, or the matches do not cover the text.

A custom pattern searches short texts here, and long ones in another process (pattern_tasks).
"""

import time
from array import array
from collections.abc import Callable
from typing import TypeVar

import regex

from bpeviz.errors import SplitPatternError

__all__ = [
    "Fault",
    "compile_pattern",
    "ends_of_matches",
    "findall",
    "spans_of_matches",
    "too_large",
    "too_slow",
    "uncovered",
]

T = TypeVar("T")

#: How long a search may block other threads. Otherwise ``regex`` lets them run at each match and then, beside
#: a busy thread, waits some milliseconds for its turn: a search of 0.03 seconds would take 30.
ALONE_SECONDS = 0.25

#: What is wrong with the matches: "empty" or "gap", where the covered text ends, where the next match starts.
Fault = tuple[str, int, int]


def compile_pattern(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern without keeping it in the package's cache. Raises what regex.compile raises."""
    try:
        return regex.compile(pattern, cache_pattern=False)
    finally:
        regex.purge()  # it remembers every pattern that it ever compiled


def ends_of_matches(
    compiled: "regex.Pattern[str]", text: str, *, timeout: float, concurrent: bool
) -> tuple["array[int]", Fault | None]:
    """Where the matches end, and the first place where they do not cover the text. Raises TimeoutError."""
    starts, ends = spans_of_matches(compiled, text, timeout=timeout, concurrent=concurrent)
    return ends, _first_fault(starts, ends, len(text))


def spans_of_matches(
    compiled: "regex.Pattern[str]", text: str, *, timeout: float, concurrent: bool
) -> tuple["array[int]", "array[int]"]:
    """Where the matches start and end, ascending. Raises TimeoutError."""
    starts, ends = array("q"), array("q")
    for match in compiled.finditer(text, timeout=timeout, concurrent=concurrent):
        start, end = match.span()
        starts.append(start)
        ends.append(end)
    if compiled.flags & regex.REVERSE:  # such a pattern matches from the end of the text
        starts.reverse()
        ends.reverse()
    return starts, ends


def _first_fault(starts: "array[int]", ends: "array[int]", length: int) -> Fault | None:
    covered = 0
    for start, end in zip(starts, ends, strict=True):
        if end == start:
            return "empty", covered, start
        if start != covered:
            return "gap", covered, start
        covered = end
    return None if covered == length else ("gap", covered, length)


def too_slow(pattern: str, timeout: float) -> SplitPatternError:
    """Return the error of a search that takes too long."""
    return SplitPatternError(
        f"The split pattern took more than {timeout:g} seconds on this text. Use a shorter text.",
        pattern=pattern,
    )


def too_large(pattern: str) -> SplitPatternError:
    """Return the error of a search that needs too much memory."""
    return SplitPatternError(
        "The split pattern needs too much memory on this text. Simplify it.", pattern=pattern
    )


def uncovered(pattern: str, text: str, fault: Fault) -> SplitPatternError:
    """Return the error of a pattern whose matches do not cover a text."""
    kind, covered, start = fault
    if kind == "empty":
        return SplitPatternError(
            f"The split pattern matches the empty string at character {start:,}. "
            "Every alternative must match at least one character: + in place of *, for instance.",
            pattern=pattern,
        )
    missed = text[covered:start]
    excerpt = repr(missed[:20]) + (" …" if len(missed) > 20 else "")
    offset = len(text[:covered].encode("utf-8", "surrogatepass"))
    last = offset + len(missed.encode("utf-8", "surrogatepass")) - 1
    return SplitPatternError(
        f"The split pattern leaves bytes {offset:,} to {last:,} uncovered: {excerpt}. "
        r"Add an alternative that matches them, such as |\s+ or |[\s\S] at the end.",
        pattern=pattern,
        byte_offset=offset,
    )


def findall(search: Callable[..., list[T]], text: str, ends: float) -> list[T]:
    """Return everything that ``search`` finds. Other threads run meanwhile only if it takes long. ``ends`` is
    when it must be done, by the clock that ``regex`` uses. Raises TimeoutError."""
    try:
        return search(text, timeout=min(_left(ends), ALONE_SECONDS), concurrent=False)
    except TimeoutError:
        return search(text, timeout=_left(ends), concurrent=True)


def _left(ends: float) -> float:
    left = ends - time.process_time()
    if left <= 0:
        raise TimeoutError
    return left
