"""A pipeline: which library prepares a text, and how, as a value that can be sent to another process; and the
same loaded into this process."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.core.base_vocabulary import Spelling
from bpeviz.errors import BpevizError, PipelineError
from bpeviz.pipelines.notebook import NotebookPipeline
from bpeviz.pipelines.symbols import FoundSymbols, place_symbols

__all__ = ["Library", "Pipeline", "PipelineHere", "PipelineSpelling", "failures"]

Library = Literal["huggingface", "sentencepiece", "llms-from-scratch"]


@dataclass(frozen=True, eq=False)
class Pipeline:
    """What ``library`` does to a text before the merges, by its ``definition``.

    ``symbol_bytes``: the bytes of each base symbol by id; ``token_texts``: how the library writes each token,
    by id, to decode (empty if it decodes ids); ``isolated``: whether it runs in a worker within limits, not
    in this process, because a visitor gave the file; ``halves``: the two tokens of each that the library
    doesn't know, because a training added it. To decode, the library gets these two.
    """

    library: Library
    definition: bytes = field(repr=False)
    symbol_bytes: Mapping[int, bytes] = field(repr=False)
    token_texts: Mapping[int, str] = field(repr=False)
    isolated: bool = False
    halves: Mapping[int, tuple[int, int]] = field(default_factory=dict, repr=False)

    def known_ids(self, ids: Iterable[int]) -> list[int]:
        """Return ids that the library knows, which spell the same."""
        if not self.halves:
            return list(ids)
        known = list[int]()
        for i in ids:
            known += self.known_ids(self.halves[i]) if i in self.halves else (i,)
        return known

    @property
    def decodes(self) -> bool:
        """Whether the library decodes ids in its own way, not by joining the bytes of the tokens."""
        return self.library == "sentencepiece" or bool(self.token_texts)

    @cached_property
    def key(self) -> bytes:
        """The same for pipelines that do the same."""
        return sha256(self.library.encode() + self.definition).digest()


class _Runnable(Protocol):
    def find(self, text: str, added: Collection[str], /) -> FoundSymbols: ...
    def pre_token_total(self, text: str, /) -> int: ...
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
    """A pipeline that is loaded into this process."""

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

    def pre_token_totals(self, texts: Iterable[str]) -> list[int]:
        """Return how many pre-tokens each text is."""
        return [self._library.pre_token_total(text) for text in texts]

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
