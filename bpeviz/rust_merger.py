"""Merging many pre-tokens at once by tiktoken's compiled encoder.

tiktoken merges neighbours by the bytes they make together, we by the pair. The two agree for tokenizers of
bytes in which every token's bytes are its own and every merge can be reached: then, where two neighbours
spell a token, they are its halves. Only such tokenizers are taken here; splitting is not tiktoken's part,
since its tables of Unicode are of another version than ours.
"""

from collections.abc import Iterable, Mapping, Sequence

import tiktoken

from bpeviz.base_vocabulary import BaseVocabulary, ByteVocabulary
from bpeviz.gap_ranks import NEVER, WALL
from bpeviz.reach import unreachable_merges
from bpeviz.token_chain import Pair

__all__ = ["RustMerger"]


class RustMerger:
    """Merges pre-tokens as the tokenizer would that it was made of."""

    def __init__(self, merges: Sequence[tuple[Pair, int]], tokens: Mapping[int, bytes]) -> None:
        self._merges = merges
        self._rank = {token_id: rank for rank, (_, token_id) in enumerate(merges)}
        self._encoding = tiktoken.Encoding(
            "bpeviz",
            pat_str=r"[\s\S]+",
            # base tokens and merges in the order of their ranks; ids may be in another
            mergeable_ranks={token: i for i, token in enumerate(tokens.values())},
            special_tokens={},
        )
        self._ids = list(tokens)
        self._inner: dict[int, list[int]] = {}

    @classmethod
    def of(cls, base: BaseVocabulary, merges: Sequence[tuple[Pair, int]]) -> "RustMerger | None":
        """The merger of a tokenizer, None where tiktoken would not merge alike."""
        if not isinstance(base, ByteVocabulary) or len(base.values) != 256:
            return None
        tokens = dict(enumerate(base.symbols, base.first_id))
        for (left, right), token_id in merges:
            tokens[token_id] = tokens[left] + tokens[right]
        distinct = len(set(tokens.values())) == 256 + len(merges)
        return cls(merges, tokens) if distinct and not unreachable_merges(merges).any() else None

    def merge(self, pre_tokens: Iterable[str]) -> tuple[list[list[int]], list[int]]:
        """The token ids of each pre-token, and the gap rank after each byte of all of them."""
        ids_of: list[list[int]] = []
        gap_ranks: list[int] = []
        for pre_token in pre_tokens:
            ids = [self._ids[i] for i in self._encoding.encode_ordinary(pre_token)]
            for token_id in ids:
                gap_ranks += self._gaps_within(token_id)
                gap_ranks.append(NEVER)
            if ids:
                gap_ranks[-1] = WALL
            ids_of.append(ids)
        return ids_of, gap_ranks

    def _gaps_within(self, token_id: int) -> list[int]:
        """The gap ranks within a token: of its left half, its own, of its right half."""
        known = self._inner.get(token_id)
        if known is not None:
            return known
        gaps: list[int] = []
        waiting = [token_id]  # tokens to be opened, and as ~rank the gaps between them
        while waiting:
            item = waiting.pop()
            if item < 0:
                gaps.append(~item)
            elif item in self._rank:
                rank = self._rank[item]
                left, right = self._merges[rank][0]
                waiting += [right, ~rank, left]
        self._inner[token_id] = gaps
        return gaps
