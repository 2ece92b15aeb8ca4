"""A pipeline: which library prepares a text, and how, as a value that can be sent to another process."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

from bpeviz.cached import cached_property

__all__ = ["Library", "Pipeline"]

Library = Literal["huggingface", "sentencepiece", "llms-from-scratch"]


@dataclass(frozen=True, eq=False)
class Pipeline:
    """What ``library`` does to a text before the merges, by its ``definition``.

    ``symbol_bytes``: the bytes of each base symbol by id; ``token_texts``: how the library writes each token,
    by id, to decode (empty if it decodes ids); ``isolated``: whether it runs in a worker within limits, not
    in this process, because a visitor gave the file.
    """

    library: Library
    definition: bytes = field(repr=False)
    symbol_bytes: Mapping[int, bytes] = field(repr=False)
    token_texts: Mapping[int, str] = field(repr=False)
    isolated: bool = False

    @property
    def decodes(self) -> bool:
        """Whether the library decodes ids in its own way, not by joining the bytes of the tokens."""
        return self.library == "sentencepiece" or bool(self.token_texts)

    @cached_property
    def key(self) -> bytes:
        """The same for pipelines that do the same."""
        return sha256(self.library.encode() + self.definition).digest()
