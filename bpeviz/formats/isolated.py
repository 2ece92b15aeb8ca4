"""Tokenizer files read in a worker, within limits: those that somebody gave to a server.

What a library does with such a file is unknown. Parsing one of some megabytes also blocks all other threads
for a second, and takes ten times its size in memory. The worker sends back the parts of the tokenizer:
numbers and short texts.
"""

import warnings
from collections.abc import Mapping

import msgspec

from bpeviz.errors import TokenizerFileError, TokenizerFileWarning
from bpeviz.formats.reading import read_tokenizer
from bpeviz.tokenizer.parts import TokenizerParts
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.workers import workers
from bpeviz.workers.task import Ending, Limit, OnEvent, Task, WorkerError

__all__ = ["READ", "read_in_worker"]

#: The largest accepted files take a fifth of this time, and half of the memory.
LIMIT = Limit(seconds=30.0, memory_bytes=3 * 2**29)


class _Request(msgspec.Struct, frozen=True):
    files: dict[str, bytes]
    split: str | None
    split_timeout: float


def read_in_worker(files: Mapping[str, bytes], *, split: str | None, split_timeout: float) -> Tokenizer:
    """Read a tokenizer as ``read_tokenizer`` does, in a worker. Its pipeline, if it has one, runs in workers
    too.

    Raises what ``read_tokenizer`` raises, and TokenizerFileError if the files need too much time or memory,
    or if the worker crashes.
    """
    try:
        request = _Request(dict(files), split, split_timeout)
        parts = workers().run(READ, request, LIMIT)
    except WorkerError as error:
        raise TokenizerFileError(" + ".join(files), _WHY[error.why]) from None
    return parts.tokenizer(isolated=True)


_WHY: dict[Ending, str] = {
    "time": f"reading it takes more than {LIMIT.seconds:g} seconds. Check that it is the right file.",
    "memory": f"reading it takes more than {LIMIT.memory_bytes / 2**30:g} GiB of memory, or memory ran out. "
    "Check that it is the right file.",
    "crashed": "the process that read it crashed. Try again, and report it if that happens again.",
    "not started": "the process that reads tokenizer files couldn't start, probably because memory ran out. "
    "Try again in a moment.",
}


# --- in the worker -------------------------------------------------------------------------------------


def _read(request: _Request, _tell: OnEvent) -> TokenizerParts:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", TokenizerFileWarning)
        tokenizer = read_tokenizer(request.files, split=request.split, split_timeout=request.split_timeout)
    tokenizer.cautions = tuple(str(warning.message) for warning in warned)
    return TokenizerParts.of(tokenizer)


READ = Task("bpeviz.formats.isolated:READ", _Request, TokenizerParts, _read)
