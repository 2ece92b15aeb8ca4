"""Tokenizer files read in another process, within limits.

To parse a file of some megabytes takes a second in which no other thread runs, and ten times its size in
memory. What comes back is the tokenizer's parts: numbers and short texts.
"""

import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import numpy as np

from bpeviz.base_error import BpevizError
from bpeviz.core.base_vocabulary import BaseVocabulary, ByteVocabulary, CharacterVocabulary
from bpeviz.formats import read_tokenizer
from bpeviz.formats.errors import TokenizerFileError
from bpeviz.processes.child_process import answers, command, end_with_the_other, ended, pipes, start
from bpeviz.processes.messages import Arrays, read_error, read_frame, write_error, write_frame
from bpeviz.processes.sharing import Slots, cores
from bpeviz.text.pattern_worker import lift_memory_limit, limit_this_process
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["READ_BYTES", "READ_SECONDS", "read_in_process"]

#: The largest files that are read take a fifth of this time, and a quarter of the memory.
READ_SECONDS = 30.0
READ_BYTES = 3 * 2**30

_COMMAND = command("bpeviz.formats.reading_process")

#: How many of these processes work at the same time, for all who ask; the others wait.
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

    ``on_wait`` is called several times a second until there is a place; what it raises ends the wait. Raises
    what ``read_tokenizer`` raises, and TokenizerFileError where the files need too much time or memory, or
    the process ends before it is done.
    """
    name = " + ".join(files)
    with _slots.hold(on_wait):
        try:
            child = start(_COMMAND)
        except OSError:
            raise TokenizerFileError(name, _NO_PROCESS) from None
        with ended(child):
            asked, answered = pipes(child)
            fields: dict[str, Any] = {"names": list(files), "split": split, "split_timeout": split_timeout}
            contents: Arrays = [np.frombuffer(data, np.uint8) for data in files.values()]
            with suppress(OSError, EOFError, ValueError), asked, answered:
                write_frame(asked, "files", fields, contents)
                kind, fields, arrays = read_frame(answered)
                return _tokenizer(fields, arrays) if kind == "tokenizer" else _raise(fields)
            raise TokenizerFileError(name, _how_it_ended(child.wait()))


def _raise(fields: dict[str, Any]) -> Tokenizer:
    raise read_error(fields)


_NO_PROCESS = (
    "the process that reads tokenizer files couldn't start, probably because memory ran out. "
    "Try again in a moment."
)


_TOO_MUCH = "reading it takes more than {}. Look whether it is the right file."
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
    """Be the other process: read the files that come on standard input, and answer."""
    with answers() as pipe:
        _, fields, contents = read_frame(sys.stdin.buffer)
        end_with_the_other()
        limit_this_process(READ_SECONDS, READ_BYTES)
        files = {name: data.tobytes() for name, data in zip(fields.pop("names"), contents, strict=True)}
        try:
            tokenizer = read_tokenizer(files, **fields)
        except BpevizError as error:
            write_error(error, pipe)
        except MemoryError:
            lift_memory_limit()
            write_error(TokenizerFileError(" + ".join(files), _TOO_LARGE), pipe)
        else:
            lift_memory_limit()
            write_frame(pipe, "tokenizer", *_parts(tokenizer))


def _parts(tokenizer: Tokenizer) -> tuple[dict[str, Any], Arrays]:
    """What a tokenizer is made of, as a message holds it."""
    pairs = np.array(tokenizer.merges, np.int32).ravel()
    fields = {
        "base": {"kind": type(tokenizer.base).__name__, **_base_fields(tokenizer.base)},
        "split": asdict(tokenizer.split),
        "special_tokens": tokenizer.special_tokens,
        "found_last": sorted(tokenizer.found_last),
    }
    return fields, [pairs, np.array(tokenizer.merge_token_ids, np.int32)]


def _base_fields(base: BaseVocabulary) -> dict[str, Any]:
    match base:
        case ByteVocabulary():
            return {"values": list(base.values), "first_id": base.first_id}
        case CharacterVocabulary():
            return asdict(base)
    raise TypeError(f"no reader makes a base vocabulary of the type {type(base).__name__}")


def _tokenizer(fields: dict[str, Any], arrays: Arrays) -> Tokenizer:
    pairs, token_ids = arrays
    base = fields["base"]
    made = (
        ByteVocabulary(bytes(base["values"]), base["first_id"])
        if base.pop("kind") == ByteVocabulary.__name__
        else CharacterVocabulary(**base)
    )
    return Tokenizer(
        made,
        list(zip(map(tuple, pairs.reshape(-1, 2).tolist()), token_ids.tolist(), strict=True)),
        split=SplitPattern(**fields["split"]),
        special_tokens=fields["special_tokens"],
        found_last=fields["found_last"],
    )
