"""Pipelines in other processes, within limits: a regular expression of a file may take any time.

A process loads one pipeline and answers for many texts. There are only a few processes: if another pipeline
needs one, the process that has waited longest ends. A process also ends after some time without a text,
because it holds memory.
"""

import atexit
import os
import signal
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

import msgspec

from bpeviz.core.base_vocabulary import Spelling
from bpeviz.pipelines.errors import PipelineError
from bpeviz.pipelines.here import PipelineHere, PipelineSpelling
from bpeviz.pipelines.pipeline import Library, Pipeline
from bpeviz.processes.child_process import Child, answers, command, end, pipes, start
from bpeviz.processes.messages import Array, read_message, write_message
from bpeviz.processes.sharing import Slots, cores
from bpeviz.text.pattern_worker import limit_this_process

__all__ = ["MOST_PROCESSES", "decode_in_process", "failed", "spell_in_process"]

#: How long one request may take, and how much longer for each megabyte of text.
SECONDS, SECONDS_PER_MEGABYTE = 10.0, 5.0
MEMORY_BYTES = 3 * 2**30
MOST_PROCESSES = 2 * cores()
#: How long a process waits for another text. A new one takes half a second to start.
IDLE_SECONDS = 15.0


class _Load(msgspec.Struct, frozen=True):
    library: Library
    definition: bytes
    symbol_bytes: dict[int, bytes]
    token_texts: dict[int, str]


class _Spell(msgspec.Struct, frozen=True, tag="spell"):
    text: str
    added: list[str]


class _Decode(msgspec.Struct, frozen=True, tag="decode"):
    ids: list[int]


class _Spelled(msgspec.Struct, frozen=True, tag="spelled"):
    ids: Array
    widths: Array
    lengths: Array
    skipped: Array
    inside: Array | None
    wholes: Array


class _Decoded(msgspec.Struct, frozen=True, tag="decoded"):
    text: str


class _Failed(msgspec.Struct, frozen=True, tag="failed"):
    """What the library said."""

    why: str


class _Waiting(NamedTuple):
    """A process that waits for another text, and until when, in seconds of time.monotonic()."""

    child: Child
    until: float


_Answer = _Spelled | _Decoded | _Failed
_COMMAND = command("bpeviz.pipelines.process")
_slots = Slots(MOST_PROCESSES)
_waiting: "OrderedDict[bytes, _Waiting]" = OrderedDict()
_lock = threading.Lock()
_ending_idle = False


@atexit.register
def _end_all() -> None:
    """End the processes that wait."""
    while _waiting:
        end(_waiting.popitem()[1].child)


def spell_in_process(pipeline: Pipeline, text: str, added: Collection[str]) -> PipelineSpelling:
    """What ``running.spell`` returns. Raises PipelineError."""
    answer = _ask(pipeline, _Spell(text, sorted(added)))
    if not isinstance(answer, _Spelled):
        raise PipelineError("the process that prepares texts for this tokenizer gave another answer")
    inside = answer.inside.array() if answer.inside else None
    spelling = Spelling(
        answer.ids.array(), answer.widths.array(), answer.lengths.array(), answer.skipped.array(), inside
    )
    return PipelineSpelling(spelling, answer.wholes.array())


def decode_in_process(pipeline: Pipeline, ids: list[int]) -> str:
    """What ``running.decode`` returns. Raises PipelineError."""
    answer = _ask(pipeline, _Decode(ids))
    if not isinstance(answer, _Decoded):
        raise PipelineError("the process that prepares texts for this tokenizer gave another answer")
    return answer.text


def _ask(pipeline: Pipeline, request: _Spell | _Decode) -> _Answer:
    seconds = _seconds(request)
    with _process(pipeline) as child:
        asked, answered = pipes(child)
        late = threading.Event()

        def stop() -> None:
            late.set()
            child.kill()

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            write_message(request, asked)
            answer: _Answer = read_message(answered, _Answer)
        except (OSError, EOFError, ValueError):
            child.wait()
            used_up = child.returncode == -getattr(signal, "SIGPROF", 0)
            why = _TOO_LONG.format(seconds=seconds) if late.is_set() or used_up else _TOO_LARGE
            raise PipelineError(why, _SHORTER) from None
        finally:
            timer.cancel()
    if isinstance(answer, _Failed):
        raise failed(RuntimeError(answer.why))
    return answer


def _seconds(request: _Spell | _Decode) -> float:
    size = len(request.text if isinstance(request, _Spell) else request.ids)
    return SECONDS + SECONDS_PER_MEGABYTE * size / 1_000_000


@contextmanager
def _process(pipeline: Pipeline) -> Iterator[Child]:
    """A process that has loaded a pipeline. If nothing fails, it then waits for the next text."""
    with _slots.hold(lambda: None):
        child = _take(pipeline.key)
        try:
            if child is not None and child.poll() is not None:
                end(child)
                child = None
            child = child or _start(pipeline)
            yield child
        except BaseException:
            if child is not None:
                end(child)
            raise
        _put_back(pipeline.key, child)


def _take(key: bytes) -> Child | None:
    """The process that waits with a pipeline, or None: then there is room for another."""
    with _lock:
        if found := _waiting.pop(key, None):
            return found.child
        oldest = _waiting.popitem(last=False)[1] if len(_waiting) >= MOST_PROCESSES else None
    if oldest:
        end(oldest.child)
    return None


def _put_back(key: bytes, child: Child) -> None:
    """Let a process wait for the next text."""
    global _ending_idle
    with _lock:
        other = _waiting.pop(key, None)
        _waiting[key] = _Waiting(child, time.monotonic() + IDLE_SECONDS)
        first, _ending_idle = not _ending_idle, True
    if first:
        threading.Thread(target=_end_idle, daemon=True).start()
    if other:
        end(other.child)


def _end_idle() -> None:
    """End each process when it has waited too long, until none waits. Those that wait are in the order in
    which their time ends."""
    global _ending_idle  # noqa: PLW0603
    while True:
        with _lock:
            if not _waiting:
                _ending_idle = False
                return
            key, (child, until) = next(iter(_waiting.items()))
            left = until - time.monotonic()
            if left <= 0:
                del _waiting[key]
        if left <= 0:
            end(child)
        else:
            time.sleep(min(left, 1.0))  # another may wait by then, or none


def _start(pipeline: Pipeline) -> Child:
    try:
        child = start(_COMMAND)
        load = _Load(
            pipeline.library, pipeline.definition, dict(pipeline.symbol_bytes), dict(pipeline.token_texts)
        )
        with suppress(OSError):  # the answer to the first request says how it ended
            write_message(load, pipes(child)[0])
    except OSError:
        raise PipelineError(_NO_PROCESS, "Try again in a moment.") from None
    return child


_NO_PROCESS = "the process that prepares texts for this tokenizer couldn't start, probably for lack of memory"
_TOO_LONG = "the normalizer or pre-tokenizer of this file took more than {seconds:.0f} seconds on this text"
_TOO_LARGE = "the normalizer or pre-tokenizer of this file needs more memory than there is on this text"
_SHORTER = "Try a shorter text, or look for nested repetitions such as (a+)+ in its regular expressions."


def failed(error: BaseException) -> PipelineError:
    """The error for what a library said."""
    said = "".join(c if c.isprintable() else " " for c in str(error)[:200])
    return PipelineError(f"the library that prepares texts for this tokenizer failed: {said}", said=said)


# --- in the other process ------------------------------------------------------------------------------


def work() -> None:
    """Run the other process: load a pipeline, then answer until the pipe ends."""
    asked, answered = sys.stdin.buffer, answers()
    os.environ["RUST_BACKTRACE"] = "0"  # a panic of a library would print a page
    here: PipelineHere | None = None
    with suppress(EOFError, OSError):
        load: _Load = read_message(asked, _Load)
        limit_this_process(SECONDS, MEMORY_BYTES)
        while True:
            request: _Spell | _Decode = read_message(asked, _Spell | _Decode)
            signal.setitimer(signal.ITIMER_PROF, _seconds(request))
            try:
                here = here or PipelineHere(
                    Pipeline(load.library, load.definition, load.symbol_bytes, load.token_texts)
                )
                answer: _Answer = _answer(here, request)
            except MemoryError:
                return
            except BaseException as error:  # a panic of the library is no Exception
                answer = _Failed(str(error)[:200])
            write_message(answer, answered)


def _answer(here: PipelineHere, request: _Spell | _Decode) -> _Answer:
    if isinstance(request, _Decode):
        return _Decoded(here.decode(request.ids))
    spelled = here.spell(request.text, request.added)
    parts = spelled.spelling
    return _Spelled(
        Array.of(parts.ids),
        Array.of(parts.widths),
        Array.of(parts.lengths),
        Array.of(parts.skipped),
        None if parts.inside is None else Array.of(parts.inside),
        Array.of(spelled.wholes),
    )
