"""Tokenizer files read in another process, within limits.

Parsing a file of some megabytes blocks all other threads for a second, and takes ten times its size in
memory. The process sends back the parts of the tokenizer: numbers and short texts.
"""

import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

import msgspec
import numpy as np

from bpeviz.base_error import BpevizError
from bpeviz.core.base_vocabulary import ByteVocabulary, CharacterVocabulary, ListedVocabulary
from bpeviz.formats import read_tokenizer
from bpeviz.formats.errors import TokenizerFileError
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.processes.child_process import answers, command, end_with_the_other, ended, pipes, start
from bpeviz.processes.messages import Array, Failure, read_message, write_message
from bpeviz.processes.sharing import Slots, cores
from bpeviz.text.pattern_worker import lift_memory_limit, limit_this_process
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.symbol_merger import Merge
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["READ_BYTES", "READ_SECONDS", "read_in_process"]

#: The largest accepted files take a fifth of this time, and a quarter of the memory.
READ_SECONDS = 30.0
READ_BYTES = 3 * 2**30


class _Request(msgspec.Struct, frozen=True):
    files: dict[str, bytes]
    split: str | None
    split_timeout: float


class _Parts(msgspec.Struct, frozen=True, tag="tokenizer"):
    """The parts of a tokenizer; all but one of the bases are None. A merge without a pair has the pair
    (-1, -1)."""

    bytes_base: ByteVocabulary | None
    characters_base: CharacterVocabulary | None
    listed_base: ListedVocabulary | None
    split: SplitPattern
    pipeline: Pipeline | None
    unmade: dict[int, bytes]
    special_tokens: dict[str, int]
    found_last: list[str]
    pairs: Array
    token_ids: Array


_NO_PAIR = (-1, -1)
_COMMAND = command("bpeviz.formats.reading_process")

#: How many of these processes run at the same time, for all visitors together; the others wait.
MOST_AT_ONCE = cores()
_slots = Slots(MOST_AT_ONCE)


def read_in_process(
    files: Mapping[str, bytes],
    *,
    split: str | None,
    split_timeout: float,
    on_wait: Callable[[], object] = lambda: None,
) -> Tokenizer:
    """Read a tokenizer as ``read_tokenizer`` does, in another process.

    ``on_wait`` is called several times a second until a process may start; what it raises ends the wait.
    Raises what ``read_tokenizer`` raises, and TokenizerFileError if the files need too much time or memory,
    or if the process ends before it is done.
    """
    name = " + ".join(files)
    with _slots.hold(on_wait):
        try:
            child = start(_COMMAND)
        except OSError:
            raise TokenizerFileError(name, _NO_PROCESS) from None
        with ended(child):
            asked, answered = pipes(child)
            with suppress(OSError, EOFError, ValueError), asked, answered:
                write_message(_Request(dict(files), split, split_timeout), asked)
                answer: _Parts | Failure = read_message(answered, _Parts | Failure)
                if isinstance(answer, Failure):
                    raise answer.error()
                return _tokenizer(answer)
            raise TokenizerFileError(name, _how_it_ended(child.wait()))


_NO_PROCESS = (
    "the process that reads tokenizer files couldn't start, probably because memory ran out. "
    "Try again in a moment."
)
_TOO_MUCH = "reading it takes more than {}. Check that it is the right file."
_TOO_LARGE = _TOO_MUCH.format(f"{READ_BYTES >> 30} GiB of memory")


def _how_it_ended(code: int) -> str:
    """Why there is no answer. The system kills a process for memory, and by SIGPROF for time."""
    if code == -getattr(signal, "SIGPROF", 0):
        return _TOO_MUCH.format(f"{READ_SECONDS:g} seconds")
    if code == -getattr(signal, "SIGKILL", 0):
        return "the process that read it was killed, probably because memory ran out. Try again in a moment."
    return (
        f"the process that read it crashed with code {code}. Try again, and report it if that happens again."
    )


# --- in the other process ------------------------------------------------------------------------------


def work() -> None:
    """Run the other process: read the files from standard input, and answer."""
    with answers() as pipe:
        request: _Request = read_message(sys.stdin.buffer, _Request)
        end_with_the_other()
        limit_this_process(READ_SECONDS, READ_BYTES)
        answer: _Parts | Failure
        try:
            answer = _parts(
                read_tokenizer(request.files, split=request.split, split_timeout=request.split_timeout)
            )
        except BpevizError as error:
            answer = Failure.of(error)
        except MemoryError:
            answer = Failure.of(TokenizerFileError(" + ".join(request.files), _TOO_LARGE))
        lift_memory_limit()
        write_message(answer, pipe)


def _parts(tokenizer: Tokenizer) -> _Parts:
    """The parts of a tokenizer for a message."""
    if not isinstance(tokenizer.base, ByteVocabulary | CharacterVocabulary | ListedVocabulary):
        raise TypeError(f"no reader makes a base vocabulary of the type {type(tokenizer.base).__name__}")
    return _Parts(
        bytes_base=tokenizer.base if isinstance(tokenizer.base, ByteVocabulary) else None,
        characters_base=tokenizer.base if isinstance(tokenizer.base, CharacterVocabulary) else None,
        listed_base=tokenizer.base if isinstance(tokenizer.base, ListedVocabulary) else None,
        split=tokenizer.split,
        pipeline=tokenizer.pipeline,
        unmade=dict(tokenizer.unmade),
        special_tokens=tokenizer.special_tokens,
        found_last=sorted(tokenizer.found_last),
        pairs=Array.of(np.array([pair or _NO_PAIR for pair in tokenizer.merges], np.int32).ravel()),
        token_ids=Array.of(np.array(tokenizer.merge_token_ids, np.int32)),
    )


def _tokenizer(parts: _Parts) -> Tokenizer:
    base = parts.bytes_base or parts.characters_base or parts.listed_base
    if base is None:
        raise ValueError("the parts of a tokenizer without a base vocabulary")
    pairs = map(tuple, parts.pairs.array().reshape(-1, 2).tolist())
    merges: list[Merge] = [
        (None if pair == _NO_PAIR else pair, token_id)
        for pair, token_id in zip(pairs, parts.token_ids.array().tolist(), strict=True)
    ]
    return Tokenizer(
        base,
        merges,
        split=parts.split,
        special_tokens=parts.special_tokens,
        found_last=parts.found_last,
        pipeline=parts.pipeline,
        unmade=parts.unmade,
    )
