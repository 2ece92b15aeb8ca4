"""Tokenizer files read in a worker, within limits: those that a person gave to a server.

What a library does with such a file is unknown. Parsing one of some megabytes also blocks all other threads
for a second, and takes ten times its size in memory. The worker sends back the parts of the tokenizer:
numbers and short texts.
"""

import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

import msgspec

from bpeviz.core.token_chain import Pair
from bpeviz.errors import TokenizerFileError, TokenizerFileWarning
from bpeviz.formats.continued_files import continued_files
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.trimmed_files import trimmed_files
from bpeviz.tokenizer.parts import TokenizerParts
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.tokenizer.trimming import IdsAfter
from bpeviz.workers import workers
from bpeviz.workers.task import Limit, OnEvent, Task, WorkerError, why_it_ended

__all__ = ["CONTINUE", "READ", "TRIM", "continue_in_worker", "read_in_worker", "trim_in_worker"]

#: The largest accepted files take a fifth of this time, and half of the memory.
LIMIT = Limit(seconds=30.0, memory_bytes=3 * 2**29)


class _Request(msgspec.Struct, frozen=True):
    files: dict[str, bytes]
    split: str | None
    split_timeout: float


class _Trimming(msgspec.Struct, frozen=True):
    """The files, and the tokens to drop from them."""

    files: dict[str, bytes]
    split: str | None
    tokens: list[int]
    ids: IdsAfter


class _Continuing(msgspec.Struct, frozen=True):
    """The files, and the new merges."""

    files: dict[str, bytes]
    merges: list[tuple[Pair, int]]


Request = TypeVar("Request", _Request, _Trimming, _Continuing)
Answer = TypeVar("Answer", TokenizerParts, dict[str, bytes])


def read_in_worker(files: Mapping[str, bytes], *, split: str | None, split_timeout: float) -> Tokenizer:
    """Read a tokenizer as ``read_tokenizer`` does, in a worker. Its pipeline, if it has one, runs in workers
    too.

    Raises what ``read_tokenizer`` raises, and TokenizerFileError if the files need too much time or memory,
    or if the worker crashes.
    """
    return _asked(READ, _Request(dict(files), split, split_timeout)).tokenizer(isolated=True)


def trim_in_worker(
    files: Mapping[str, bytes], tokens: Collection[int], *, ids: IdsAfter, split: str | None
) -> dict[str, bytes]:
    """Return the files without tokens as ``trimmed_files`` does, in a worker. Raises what it raises, and
    what ``read_in_worker`` raises."""
    return _asked(TRIM, _Trimming(dict(files), split, list(tokens), ids))


def continue_in_worker(files: Mapping[str, bytes], merges: Sequence[tuple[Pair, int]]) -> dict[str, bytes]:
    """Return the files with new merges as ``continued_files`` does, in a worker. Raises what it raises, and
    what ``read_in_worker`` raises."""
    return _asked(CONTINUE, _Continuing(dict(files), list(merges)))


def _asked(task: Task[Request, Answer], request: Request) -> Answer:
    try:
        return workers().run(task, request, LIMIT)
    except WorkerError as error:
        ended = why_it_ended(error.why, "reading it", "Check that it is the right file.")
        raise TokenizerFileError(" + ".join(request.files), ". ".join(ended)) from None


# --- in the worker -------------------------------------------------------------------------------------


def _read(request: _Request, _tell: OnEvent) -> TokenizerParts:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", TokenizerFileWarning)
        tokenizer = read_tokenizer(request.files, split=request.split, split_timeout=request.split_timeout)
    tokenizer.cautions = tuple(str(warning.message) for warning in warned)
    return TokenizerParts.of(tokenizer)


def _trim(request: _Trimming, _tell: OnEvent) -> dict[str, bytes]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokenizerFileWarning)  # reading the files for the page has said it
        return trimmed_files(request.files, request.tokens, ids=request.ids, split=request.split)


READ = Task("bpeviz.formats.isolated:READ", _Request, TokenizerParts, _read)
TRIM = Task("bpeviz.formats.isolated:TRIM", _Trimming, dict[str, bytes], _trim)


def _continue(request: _Continuing, _tell: OnEvent) -> dict[str, bytes]:
    return continued_files(request.files, request.merges)


CONTINUE = Task("bpeviz.formats.isolated:CONTINUE", _Continuing, dict[str, bytes], _continue)
