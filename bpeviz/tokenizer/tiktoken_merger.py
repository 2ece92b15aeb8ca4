"""Merging a whole text at once by tiktoken's compiled encoder.

tiktoken merges neighbours by the bytes they make together, bpeviz by the pair. The two agree for tokenizers
of bytes in which no two tokens have the same bytes and every merge can be reached: then, if two neighbours
spell a token, they are its halves. Only such tokenizers have a merger.

tiktoken does not do the splitting, because its Unicode tables are of another version than ours. A character
between the pre-tokens tells it where they end, and the pattern that it gets only skips this character:

    "the cat's", [3, 7, 9]  ->  "the␞ cat␞'s"

The bytes of a token merge the same way in every text (see bpeviz.core.reach), so one table gives the gap
ranks from the tokens alone.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import tiktoken

from bpeviz.cached import cached_property
from bpeviz.core.base_vocabulary import BaseVocabulary
from bpeviz.core.gap_ranks import NEVER, WALL, GapRanks, gather
from bpeviz.core.reach import unreachable_merges
from bpeviz.core.token_chain import Pair
from bpeviz.text.characters import byte_offsets, characters

__all__ = ["SEPARATOR", "TiktokenMerger"]

IntArray = npt.NDArray[np.int64]

#: The separator between pre-tokens: a code point that Unicode guarantees never to be a character.
SEPARATOR = "\uffff"


class TiktokenMerger:
    """Merges pre-tokens exactly as the tokenizer that it was made from.

    A text comes with the ``ends`` of its pre-tokens, counted in characters, ascending; the last is the end of
    the text. The text must not hold SEPARATOR.
    """

    def __init__(self, merges: Sequence[tuple[Pair, int]], tokens: Mapping[int, bytes]) -> None:
        self._merges = merges
        # tiktoken identifies a token by its place: base tokens, then merges in the order of their ranks
        self._ids = np.fromiter(tokens, np.int64, len(tokens))
        self._sizes = np.fromiter(map(len, tokens.values()), np.int64, len(tokens))
        self._encoding = tiktoken.Encoding(
            "bpeviz",
            pat_str=f"[^{SEPARATOR}]+",
            mergeable_ranks={token: place for place, token in enumerate(tokens.values())},
            # never used, but without one encode_to_numpy looks for one at every byte
            special_tokens={SEPARATOR * 2: len(tokens)},
        )

    @classmethod
    def of(cls, base: BaseVocabulary, merges: Sequence[tuple[Pair, int]]) -> "TiktokenMerger | None":
        """Return the merger of a tokenizer; None if tiktoken would merge differently."""
        if len(base.symbols) != 256 or {*map(len, base.symbols)} != {1}:
            return None
        tokens = dict(zip(base.symbol_ids, base.symbols, strict=True))
        for (left, right), token_id in merges:
            if left not in tokens or right not in tokens:
                return None  # a later merge makes it: a file may have merges in any order
            tokens[token_id] = tokens[left] + tokens[right]
        distinct = len(set(tokens.values())) == 256 + len(merges)
        return cls(merges, tokens) if distinct and not unreachable_merges(merges).any() else None

    def encode(self, text: str, ends: IntArray) -> list[int]:
        """Return the token ids of a text."""
        ids: list[int] = self._ids[self._merge(text, ends)].tolist()
        return ids

    def encode_with_gap_ranks(self, text: str, ends: IntArray) -> tuple[list[int], GapRanks]:
        """Return the token ids of a text, and the gap rank after each of its bytes."""
        places = self._merge(text, ends)
        gap_ranks = gather(self._gaps_within, self._sizes, places)
        walls = byte_offsets(text)[ends] - 1
        gap_ranks[walls[walls >= 0]] = WALL  # an empty pre-token at the start has none
        return self._ids[places].tolist(), gap_ranks

    def _merge(self, text: str, ends: IntArray) -> IntArray:
        """Return the place of each token of a text."""
        parted = np.insert(characters(text), ends, ord(SEPARATOR)).tobytes().decode("utf-32-le")
        return self._encoding.encode_to_numpy(parted, disallowed_special=()).astype(np.int64)

    @cached_property
    def _gaps_within(self) -> GapRanks:
        """The gap ranks of every token by place, one after the other: those of its left half, its own rank,
        those of its right half. The gap after its last byte is NEVER closed. There are as many numbers as
        the tokens have bytes, 4 bytes each."""
        within = dict.fromkeys(self._ids[: len(self._ids) - len(self._merges)].tolist(), b"")
        for rank, ((left, right), token_id) in enumerate(self._merges):
            within[token_id] = within[left] + rank.to_bytes(4, "little") + within[right]
        never = NEVER.to_bytes(4, "little")
        return np.frombuffer(never.join([*within.values(), b""]), "<i4").astype(np.int32)
