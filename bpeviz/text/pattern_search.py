"""Searching with a custom pattern: here on short texts, in another process on long ones (pattern_tasks)."""

from array import array

import regex

__all__ = ["Fault", "compile_pattern", "ends_of_matches", "spans_of_matches"]

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
