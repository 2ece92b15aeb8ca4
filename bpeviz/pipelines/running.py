"""Running a pipeline: here, or in a worker within limits."""

from collections.abc import Collection
from weakref import WeakKeyDictionary

from bpeviz.pipelines.here import PipelineHere, PipelineSpelling, failures
from bpeviz.pipelines.isolated import decode_in_worker, spell_in_worker
from bpeviz.pipelines.pipeline import Pipeline

__all__ = ["decode", "spell"]

_loaded: "WeakKeyDictionary[Pipeline, PipelineHere]" = WeakKeyDictionary()


def spell(pipeline: Pipeline, text: str, added: Collection[str] = ()) -> PipelineSpelling:
    """Return the base symbols of a text. Of the added tokens, only ``added`` are found in it; each is a
    pre-token of one symbol. Raises PipelineError."""
    if pipeline.isolated:
        return spell_in_worker(pipeline, text, added)
    with failures():
        return _here(pipeline).spell(text, added)


def decode(pipeline: Pipeline, ids: list[int]) -> str:
    """Return the text that known ids spell. Raises PipelineError."""
    if pipeline.isolated:
        return decode_in_worker(pipeline, ids)
    with failures():
        return _here(pipeline).decode(ids)


def _here(pipeline: Pipeline) -> PipelineHere:
    """Return the pipeline in this process, loaded once."""
    if pipeline not in _loaded:
        _loaded[pipeline] = PipelineHere(pipeline)
    return _loaded[pipeline]
