"""A pipeline loaded into this process."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import Spelling
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.pipelines.symbols import FoundSymbols, place_symbols

__all__ = ["PipelineHere", "PipelineSpelling"]


class _Runnable(Protocol):
    def find(self, text: str, added: Collection[str]) -> FoundSymbols: ...
    def leaves_nothing(self, part: str) -> bool: ...


@dataclass(frozen=True, eq=False)
class PipelineSpelling:
    """A text in base symbols: its pre-tokens in order, the last one empty; and for each pre-token but the
    last the id of the token that it is as a whole, -1 if none (``wholes`` is empty if there are no such
    tokens)."""

    spelling: Spelling
    wholes: npt.NDArray[np.int32]


class PipelineHere:
    """A pipeline that runs in this process."""

    def __init__(self, pipeline: Pipeline) -> None:
        # imported here: a page without such a tokenizer needs neither library
        self._symbol_bytes = pipeline.symbol_bytes
        self._token_texts = pipeline.token_texts
        if pipeline.library == "huggingface":
            from bpeviz.pipelines.huggingface import HuggingFacePipeline

            library = HuggingFacePipeline(pipeline.definition)
            self._library: _Runnable = library
            self._decode: Callable[[list[int]], str] = lambda ids: library.decode(
                [self._token_texts[i] for i in ids]
            )
        else:
            from bpeviz.pipelines.sentencepiece import SentencePiecePipeline

            model = SentencePiecePipeline(pipeline.definition)
            self._library = model
            self._decode = model.decode

    def spell(self, text: str, added: Collection[str]) -> PipelineSpelling:
        found = self._library.find(text, added)
        placed = place_symbols(text.encode("utf-8"), found, self._symbol_bytes, self._library.leaves_nothing)
        return PipelineSpelling(placed, found.wholes)

    def decode(self, ids: list[int]) -> str:
        return self._decode(ids)
