"""Running a pipeline: in this process, or in a worker within limits if somebody gave its file to a server.

What a library does with such a file is unknown: a regular expression may take any time, a replacement any
memory, and a model any processor time while no other thread of its process runs. So a worker runs it.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from weakref import WeakKeyDictionary

import msgspec

from bpeviz.errors import PipelineError
from bpeviz.pipelines.pipeline import Library, Pipeline, PipelineHere, PipelineSpelling, failures
from bpeviz.workers import workers
from bpeviz.workers.task import Answer, Limit, OnEvent, Request, Task, WorkerError, why_it_ended

__all__ = ["COUNT", "DECODE", "SPELL", "decode", "pre_token_totals", "spell"]

#: How long one call may take, and how much longer for each megabyte of text.
SECONDS, SECONDS_PER_MEGABYTE = 5.0, 5.0
MEMORY_BYTES = 3 * 2**29
#: The symbols that a text may become, so that the answer stays small: the composed characters that
#: normalization takes apart most have 33 bytes for 3. Short texts may grow more.
MOST_SYMBOLS_PER_BYTE, MOST_SYMBOLS_OF_ANY = 12, 100_000
#: The characters that ids may become.
MOST_CHARACTERS = 20_000_000
#: How many pipelines a worker keeps: those of the tokenizers that a page compares.
KEPT = 4


_pipelines_here: "WeakKeyDictionary[Pipeline, PipelineHere]" = WeakKeyDictionary()


def spell(pipeline: Pipeline, text: str, added: Collection[str] = ()) -> PipelineSpelling:
    """Return the base symbols of a text. Of the added tokens, only ``added`` are found in it; each is a
    pre-token of one symbol. Raises PipelineError."""
    if pipeline.isolated:
        return _spell_in_worker(pipeline, text, added)
    with failures():
        return _in_this_process(pipeline).spell(text, added)


def decode(pipeline: Pipeline, ids: list[int]) -> str:
    """Return the text that known ids spell. Raises PipelineError."""
    ids = pipeline.known_ids(ids)
    if pipeline.isolated:
        return _decode_in_worker(pipeline, ids)
    with failures():
        return _in_this_process(pipeline).decode(ids)


def pre_token_totals(pipeline: Pipeline, texts: Sequence[str]) -> list[int]:
    """Return how many pre-tokens each text is, standing alone; added tokens are plain text. Raises
    PipelineError."""
    if pipeline.isolated:
        size = sum(map(len, texts))
        return _ask(COUNT, lambda sent: _Count(pipeline.key, sent, list(texts)), pipeline, size)
    with failures():
        return _in_this_process(pipeline).pre_token_totals(texts)


def _in_this_process(pipeline: Pipeline) -> PipelineHere:
    """Return the pipeline in this process, loaded once."""
    if pipeline not in _pipelines_here:
        _pipelines_here[pipeline] = PipelineHere(pipeline)
    return _pipelines_here[pipeline]


# --- asking a worker -----------------------------------------------------------------------------------


class _Loadable(msgspec.Struct, frozen=True):
    """A pipeline as a message."""

    library: Library
    definition: bytes
    symbol_bytes: dict[int, bytes]
    token_texts: dict[int, str]


class _Spell(msgspec.Struct, frozen=True):
    """A text for the pipeline of a key, which the worker may not have loaded yet."""

    key: bytes
    pipeline: _Loadable | None
    text: str
    added: list[str]


class _Decode(msgspec.Struct, frozen=True):
    key: bytes
    pipeline: _Loadable | None
    ids: list[int]


class _Count(msgspec.Struct, frozen=True):
    key: bytes
    pipeline: _Loadable | None
    texts: list[str]


def _spell_in_worker(pipeline: Pipeline, text: str, added: Collection[str]) -> PipelineSpelling:
    """Return what ``spell`` returns. Raises PipelineError."""
    return _ask(SPELL, lambda sent: _Spell(pipeline.key, sent, text, sorted(added)), pipeline, len(text))


def _decode_in_worker(pipeline: Pipeline, ids: list[int]) -> str:
    """Return what ``decode`` returns. Raises PipelineError."""
    return _ask(DECODE, lambda sent: _Decode(pipeline.key, sent, ids), pipeline, len(ids))


def _ask(
    task: Task[Request, Answer | None],
    request: Callable[[_Loadable | None], Request],
    pipeline: Pipeline,
    size: int,
) -> Answer:
    """Return the answer to a request about a text or ids of some size. The pipeline is sent only to a worker
    that has not loaded it, and so has no answer: it may have megabytes."""
    limit = Limit(SECONDS + SECONDS_PER_MEGABYTE * size / 1_000_000, MEMORY_BYTES)
    try:
        answer = workers().run(task, request(None), limit)
        if answer is None:
            answer = workers().run(task, request(_loadable(pipeline)), limit)
    except WorkerError as error:
        raise PipelineError(*why_it_ended(error.why, _WHAT, _SMALLER)) from None
    if answer is None:
        raise PipelineError(f"{_WHAT} crashed")
    return answer


def _loadable(pipeline: Pipeline) -> _Loadable:
    return _Loadable(
        pipeline.library, pipeline.definition, dict(pipeline.symbol_bytes), dict(pipeline.token_texts)
    )


_WHAT = "preparing this text as its tokenizer file says"
_SMALLER = "Try a shorter text, or look for nested repetitions such as (a+)+ in its regular expressions."


# --- in the worker -------------------------------------------------------------------------------------

_loaded: "OrderedDict[bytes, PipelineHere]" = OrderedDict()


def _spell(request: _Spell, _tell: OnEvent) -> PipelineSpelling | None:
    here = _here(request.key, request.pipeline)
    if here is None:
        return None
    with failures():
        spelled = here.spell(request.text, request.added)
    most = max(MOST_SYMBOLS_OF_ANY, MOST_SYMBOLS_PER_BYTE * len(request.text.encode("utf-8")))
    if len(spelled.spelling.ids) > most:
        raise PipelineError(
            f"the normalizer of this file makes more than {most:,} symbols of this text", _LESS
        )
    return spelled


def _decode(request: _Decode, _tell: OnEvent) -> str | None:
    here = _here(request.key, request.pipeline)
    if here is None:
        return None
    with failures():
        text = here.decode(request.ids)
    if len(text) > MOST_CHARACTERS:
        raise PipelineError(f"this tokenizer file makes more than {MOST_CHARACTERS:,} characters", _LESS)
    return text


def _count(request: _Count, _tell: OnEvent) -> list[int] | None:
    here = _here(request.key, request.pipeline)
    if here is None:
        return None
    with failures():
        return here.pre_token_totals(request.texts)


_LESS = "Try a shorter text, or another file."


def _here(key: bytes, pipeline: _Loadable | None) -> PipelineHere | None:
    """Return the pipeline of a key, loaded; None if this worker has not loaded it and does not get it now."""
    if pipeline is not None:
        with failures():
            _loaded[key] = PipelineHere(
                Pipeline(pipeline.library, pipeline.definition, pipeline.symbol_bytes, pipeline.token_texts)
            )
    if key in _loaded:
        _loaded.move_to_end(key)
    while len(_loaded) > KEPT:
        _loaded.popitem(last=False)
    return _loaded.get(key)


_PLACE = "bpeviz.pipelines.running"
SPELL = Task(f"{_PLACE}:SPELL", _Spell, PipelineSpelling | None, _spell)
COUNT = Task(f"{_PLACE}:COUNT", _Count, list[int] | None, _count)
DECODE = Task(f"{_PLACE}:DECODE", _Decode, str | None, _decode)
