"""Running a pipeline: here, or in another process within limits if it could take any time."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from bpeviz.pipelines.here import PipelineHere, PipelineSpelling
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.pipelines.process import decode_in_process, failed, spell_in_process

__all__ = ["decode", "spell"]

_loaded: "WeakKeyDictionary[Pipeline, PipelineHere]" = WeakKeyDictionary()


def spell(pipeline: Pipeline, text: str, added: Collection[str] = ()) -> PipelineSpelling:
    """The base symbols of a text. Of the added tokens, only ``added`` are found in it; each is a pre-token of
    one symbol. Raises PipelineError."""
    if not pipeline.trusted:
        return spell_in_process(pipeline, text, added)
    with _failures():
        return _here(pipeline).spell(text, added)


def decode(pipeline: Pipeline, ids: list[int]) -> str:
    """The text that known ids spell. Raises PipelineError."""
    if not pipeline.trusted:
        return decode_in_process(pipeline, ids)
    with _failures():
        return _here(pipeline).decode(ids)


@contextmanager
def _failures() -> Iterator[None]:
    """Turn what a library raises into a PipelineError."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # a panic of the library is no Exception
        raise failed(error) from None


def _here(pipeline: Pipeline) -> PipelineHere:
    """The pipeline in this process, loaded once."""
    if pipeline not in _loaded:
        _loaded[pipeline] = PipelineHere(pipeline)
    return _loaded[pipeline]
