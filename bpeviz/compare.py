"""Two tokenizers on one text, or merge by merge: compare their gap ranks and the bytes of their tokens.

Ids are never compared: GPT-2's single-byte ids are permuted, and every tokenizer numbers its own merges.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.corpus import check_text
from bpeviz.gap_ranks import GapRanks, token_ends
from bpeviz.tokenizer import Tokenizer

__all__ = ["Comparison", "TextTokens", "compare", "compare_merges", "tokenize"]


@dataclass(frozen=True)
class TextTokens:
    """One tokenizer's view of a text: ``gap_ranks`` a byte, cut after ``num_merges`` merges, and ``ids``."""

    gap_ranks: GapRanks
    num_merges: int
    ids: tuple[int, ...]

    @cached_property
    def token_ends(self) -> npt.NDArray[np.intp]:
        """The offset of each token's last byte."""
        return token_ends(self.gap_ranks, self.num_merges)

    @property
    def token_total(self) -> int:
        return len(self.ids)

    @property
    def bytes_per_token(self) -> float:
        """Bytes of the text for each token; 0 for an empty text."""
        return len(self.gap_ranks) / len(self.ids) if self.ids else 0.0


@dataclass(frozen=True)
class Comparison:
    """A text of ``byte_total`` bytes as two tokenizers cut it."""

    byte_total: int
    a: TextTokens
    b: TextTokens

    @cached_property
    def shared_boundaries(self) -> int:
        """Token ends that both have, the end of the text left out."""
        return max(0, len(np.intersect1d(self.a.token_ends, self.b.token_ends)) - 1)

    @cached_property
    def only_a(self) -> npt.NDArray[np.intp]:
        """Offsets of token ends that only ``a`` has."""
        return np.setdiff1d(self.a.token_ends, self.b.token_ends)

    @cached_property
    def only_b(self) -> npt.NDArray[np.intp]:
        """Offsets of token ends that only ``b`` has."""
        return np.setdiff1d(self.b.token_ends, self.a.token_ends)


def tokenize(text: str, tokenizer: Tokenizer) -> TextTokens:
    """The gap ranks and ids of ``text``, special tokens taken as plain text."""
    ids, gap_ranks = tokenizer.encode_with_gap_ranks(text)
    return TextTokens(gap_ranks, len(tokenizer.merges), tuple(ids))


def compare(text: str, a: Tokenizer, b: Tokenizer) -> Comparison:
    """Tokenize ``text`` with ``a`` and with ``b``. Raises what Tokenizer.encode raises."""
    check_text(text)
    return Comparison(len(text.encode("utf-8")), tokenize(text, a), tokenize(text, b))


def compare_merges(a: Tokenizer, b: Tokenizer) -> pd.DataFrame:
    """The merges of both, told apart by the bytes they join: columns ``left``, ``right`` (bytes), and
    ``rank_a``, ``rank_b``, the rank each has it at, <NA> where it has not; in the order in which the first
    of the two makes them. A merge that a tokenizer makes again, of tokens spelled alike, is a row again."""
    ranks_a, ranks_b = _ranks_by_bytes(a), _ranks_by_bytes(b)
    merges = list(ranks_a | ranks_b)
    rows = pd.DataFrame(
        {
            "left": [left for left, _, _ in merges],
            "right": [right for _, right, _ in merges],
            "rank_a": pd.array([ranks_a.get(merge) for merge in merges], "Int64"),
            "rank_b": pd.array([ranks_b.get(merge) for merge in merges], "Int64"),
        }
    )
    first = rows[["rank_a", "rank_b"]].min(axis=1)
    return rows.loc[first.sort_values(kind="stable").index].reset_index(drop=True)


def _ranks_by_bytes(tokenizer: Tokenizer) -> dict[tuple[bytes, bytes, int], int]:
    """The rank of each merge by the bytes of both halves, and how often they were merged before."""
    seen: Counter[tuple[bytes, bytes]] = Counter()
    ranks: dict[tuple[bytes, bytes, int], int] = {}
    for rank, (left, right) in enumerate(tokenizer.merges):
        halves = tokenizer.token_bytes(left), tokenizer.token_bytes(right)
        ranks[*halves, seen[halves]] = rank
        seen[halves] += 1
    return ranks
