"""A pipeline loaded into this process."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import Spelling
from bpeviz.errors import BpevizError, PipelineError
from bpeviz.pipelines.notebook import NotebookPipeline
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.pipelines.symbols import FoundSymbols, place_symbols

__all__ = ["PipelineHere", "PipelineSpelling", "failures"]


class _Runnable(Protocol):
    def find(self, text: str, added: Collection[str], /) -> FoundSymbols: ...
    def leaves_nothing(self, part: str, /) -> bool: ...
    def decode(self, ids: list[int]) -> str: ...


@dataclass(frozen=True, eq=False)
class PipelineSpelling:
    """A text in base symbols: its pre-tokens in order, the last one empty. ``wholes`` has for each other
    pre-token the id of the token that replaces all of it, or -1. Empty for a file without such tokens.
    """

    spelling: Spelling
    wholes: npt.NDArray[np.int32]


class PipelineHere:
    """A pipeline that runs in this process."""

    def __init__(self, pipeline: Pipeline) -> None:
        # imported here: a page without such a tokenizer needs neither library
        self._symbol_bytes = pipeline.symbol_bytes
        self._library: _Runnable
        if pipeline.library == "huggingface":
            from bpeviz.pipelines.huggingface import HuggingFacePipeline

            self._library = HuggingFacePipeline(pipeline.definition, pipeline.token_texts)
        elif pipeline.library == "llms-from-scratch":
            self._library = NotebookPipeline(pipeline.definition)
        else:
            from bpeviz.pipelines.sentencepiece import SentencePiecePipeline

            self._library = SentencePiecePipeline(pipeline.definition)

    def spell(self, text: str, added: Collection[str]) -> PipelineSpelling:
        """Return the base symbols of a text: see running.spell."""
        found = self._library.find(text, added)
        placed = place_symbols(text.encode("utf-8"), found, self._symbol_bytes, self._library.leaves_nothing)
        return PipelineSpelling(placed, found.wholes)

    def decode(self, ids: list[int]) -> str:
        """Return the text that known ids spell."""
        return self._library.decode(ids)


@contextmanager
def failures() -> Iterator[None]:
    """Turn what a library raises into a PipelineError; errors of bpeviz stay as they are."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, MemoryError, BpevizError):
        raise
    except BaseException as error:  # a panic of the library is no Exception
        said = "".join(c if c.isprintable() else " " for c in str(error)[:200])
        raise PipelineError(
            f"the library that prepares texts for this tokenizer failed: {said}", said=said
        ) from None
