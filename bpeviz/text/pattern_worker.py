"""The other side of pattern_process: a small program that compiles a custom pattern and searches a text.

It runs as a script in a Python without site-packages and imports nothing of bpeviz, so it starts in a
twentieth of a second. It limits itself: the kernel stops it even if the starter does not.
"""

import json
import os
import signal
import sys
from array import array

try:
    import resource
except ImportError:  # on Windows; then only the process that started this one limits its time
    resource = None  # type: ignore[assignment]

sys.path.extend(sys.argv[1:] if __name__ == "__main__" else ())
import regex

__all__ = [
    "compile_pattern",
    "ends_of_matches",
    "lift_memory_limit",
    "limit_this_process",
    "spans_of_matches",
]

#: What is wrong with the matches: "empty" or "gap", where the covered text ends, where the next match starts.
Fault = tuple[str, int, int]

_NICENESS = 5


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


def _work() -> None:
    """Answer the request on standard input: a line of JSON, and the text. The answer is a line of JSON, and
    the ends of the matches as 64-bit numbers; for the task "spans" the starts, then the ends."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(_NICENESS)
    request = json.loads(sys.stdin.buffer.readline())
    text = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
    found = array("q")
    try:
        limit_this_process(request["seconds"], request["bytes"])
        answer, found = _answer(request["task"], request["pattern"], text, request["seconds"])
    except MemoryError:
        answer = {"fault": "memory"}
    except TimeoutError:
        answer = {"fault": "time"}
    except Exception as error:
        answer = {"fault": "pattern", "why": str(error) or type(error).__name__}
    lift_memory_limit()
    sys.stdout.buffer.write(json.dumps(answer).encode("ascii") + b"\n")
    sys.stdout.buffer.write(found)
    sys.stdout.buffer.flush()


def _answer(task: str, pattern: str, text: str, seconds: float) -> tuple[dict[str, object], "array[int]"]:
    compiled = compile_pattern(pattern)
    if task == "compile":
        return {"matches_nothing": compiled.fullmatch("", timeout=seconds) is not None}, array("q")
    if task == "spans":
        starts, ends = spans_of_matches(compiled, text, timeout=seconds, concurrent=False)
        return {}, starts + ends
    ends, fault = ends_of_matches(compiled, text, timeout=seconds, concurrent=False)
    return {"uncovered": fault}, ends if fault is None else array("q")


def limit_this_process(seconds: float, more_bytes: int) -> None:
    """Have the kernel end this process after ``seconds`` of computing, and limit the memory that it takes on
    top of what it has now, if the system can."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds * 1.25 + 0.25)  # ends it even if regex does not check
    if resource is not None and (size := _size()):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = size + more_bytes
        resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))


def lift_memory_limit() -> None:
    """Lift the memory limit, so that this process can build its answer."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _size() -> int:
    """The bytes of address space that this process has; 0 if the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - pathlib takes long to import
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


if __name__ == "__main__":
    _work()
