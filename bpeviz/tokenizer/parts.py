"""A tokenizer as a message to another process: its parts, in numbers and short texts."""

from dataclasses import replace

import msgspec
import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import ByteVocabulary, CharacterVocabulary, ListedVocabulary
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.symbol_merger import Merge
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["TokenizerParts"]

_NO_PAIR = (-1, -1)


class TokenizerParts(msgspec.Struct, frozen=True):
    """The parts of a tokenizer; all but one of the bases are None. A merge without a pair has the pair
    (-1, -1)."""

    bytes_base: ByteVocabulary | None
    characters_base: CharacterVocabulary | None
    listed_base: ListedVocabulary | None
    split: SplitPattern
    pipeline: Pipeline | None
    decoder: Pipeline | None
    unmade: dict[int, bytes]
    ignores_merges: bool
    special_tokens: dict[str, int]
    found_last: list[str]
    found_always: list[str]
    pairs: npt.NDArray[np.int32]
    token_ids: npt.NDArray[np.int32]
    cautions: list[str]

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> "TokenizerParts":
        """Return the message that carries a tokenizer."""
        base = tokenizer.base
        if not isinstance(base, ByteVocabulary | CharacterVocabulary | ListedVocabulary):
            raise TypeError(f"no tokenizer has a base vocabulary of the type {type(base).__name__}")
        return cls(
            bytes_base=base if isinstance(base, ByteVocabulary) else None,
            characters_base=base if isinstance(base, CharacterVocabulary) else None,
            listed_base=base if isinstance(base, ListedVocabulary) else None,
            split=tokenizer.split,
            pipeline=tokenizer.pipeline,
            decoder=None if tokenizer.decoder is tokenizer.pipeline else tokenizer.decoder,
            unmade=dict(tokenizer.unmade),
            ignores_merges=tokenizer.ignores_merges,
            special_tokens=tokenizer.special_tokens,
            found_last=sorted(tokenizer.found_last),
            found_always=sorted(tokenizer.found_always),
            pairs=np.array([pair or _NO_PAIR for pair in tokenizer.merges], np.int32).reshape(-1, 2),
            token_ids=np.array(tokenizer.merge_token_ids, np.int32),
            cautions=list(tokenizer.cautions),
        )

    def tokenizer(self, *, isolated: bool) -> Tokenizer:
        """Return the tokenizer itself. If ``isolated``, its pipeline runs in workers, because a visitor gave
        the file."""
        base = self.bytes_base or self.characters_base or self.listed_base
        if base is None:
            raise ValueError("the parts of a tokenizer without a base vocabulary")
        pairs = map(tuple, self.pairs.tolist())
        merges: list[Merge] = [
            (None if pair == _NO_PAIR else pair, token_id)
            for pair, token_id in zip(pairs, self.token_ids.tolist(), strict=True)
        ]
        tokenizer = Tokenizer(
            base,
            merges,
            split=self.split,
            special_tokens=self.special_tokens,
            found_last=self.found_last,
            found_always=self.found_always,
            pipeline=replace(self.pipeline, isolated=isolated) if self.pipeline else None,
            decoder=replace(self.decoder, isolated=isolated) if self.decoder else None,
            unmade=self.unmade,
            ignores_merges=self.ignores_merges,
        )
        tokenizer.cautions = tuple(self.cautions)
        return tokenizer
