"""Two vocabularies, compared by the bytes of their tokens: what both learned, what only one, and how early.

    a learns   th the at      b learns   at th ca
    both       th 0:1, at 2:0     only a  the 1     only b  ca 2        rank in a : rank in b

Ids are never compared, and neither are the pairs that a token is made of: compare.compare_merges does that.
Special tokens are left out, because no merge makes them. This needs no text; compare.compare says how two
tokenizers cut one.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.cached import cached_property
from bpeviz.errors import TrainingSettingsError
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["VocabularyOverlap", "vocabulary_overlap"]


@dataclass(frozen=True, eq=False)
class VocabularyOverlap:
    """The merged tokens of two tokenizers ``a`` and ``b``, of ``num_merges_a`` and ``num_merges_b`` merges.

    - ``tokens``: a row for every token that a merge makes in either, in the order in which the first of the
      two makes it. Columns: ``token`` (bytes); ``rank_a``, ``rank_b`` (Int64), the first rank at which a
      merge makes these bytes, <NA> if none does; ``in_vocabulary``: "both", "a" or "b";
    - ``learned``: int64, for k = 0 … num_merges_a, how many of the first k merges of ``a`` make a token that
      ``b`` has.

    A base symbol has no rank. So a token that is merged in one and a base symbol in the other, such as é in
    bytes and in characters, is in both vocabularies with only one rank: it counts as shared and as learned,
    but not as displaced.
    """

    num_merges_a: int
    num_merges_b: int
    tokens: pd.DataFrame
    learned: npt.NDArray[np.int64]

    @cached_property
    def both(self) -> int:
        """How many tokens are in both vocabularies."""
        return self._count("both")

    @cached_property
    def only_a(self) -> int:
        return self._count("a")

    @cached_property
    def only_b(self) -> int:
        return self._count("b")

    def _count(self, where: str) -> int:
        return int((self.tokens["in_vocabulary"] == where).sum())

    @cached_property
    def share_learned(self) -> npt.NDArray[np.float64]:
        """For k = 0 … num_merges_a, the share (0 to 1) of the first k merges of ``a`` whose token ``b`` has;
        NaN for k = 0, which has no share."""
        shares = np.full(len(self.learned), np.nan)
        shares[1:] = self.learned[1:] / np.arange(1, len(self.learned))
        return shares

    @cached_property
    def ranked(self) -> pd.DataFrame:
        """The tokens that both made by a merge: columns ``token``, ``rank_a``, ``rank_b`` (int64) and
        ``displacement``: log2 of (rank_b + 1) / (rank_a + 1), above 0 if ``a`` has it earlier."""
        ranked = self.tokens[["token", "rank_a", "rank_b"]].dropna()
        ranked = ranked.astype({"rank_a": "int64", "rank_b": "int64"}).reset_index(drop=True)
        return ranked.assign(displacement=np.log2((ranked["rank_b"] + 1) / (ranked["rank_a"] + 1)))

    def most_displaced(self, count: int, earlier_in: Literal["a", "b"] | None = None) -> pd.DataFrame:
        """Return the ``count`` rows of ``ranked`` whose ranks are furthest apart, furthest first; or only
        those that one of the two has earlier.

        The ratio of the ranks counts, not their difference. How often a merge is made falls roughly as a
        power of its rank, so 3 against 30 means as much as 3,000 against 30,000; by difference the last
        merges of the larger vocabulary would always come first. On logarithmic axes the ratio is also the
        distance from the diagonal.
        """
        ranked = self.ranked
        if earlier_in is not None:
            ranked = ranked[
                (ranked["displacement"] > 0) if earlier_in == "a" else (ranked["displacement"] < 0)
            ]
        return ranked.sort_values("displacement", key=lambda d: -d.abs(), kind="stable").head(count)


def vocabulary_overlap(
    a: Tokenizer, b: Tokenizer, *, num_merges_a: int | None = None, num_merges_b: int | None = None
) -> VocabularyOverlap:
    """Return the overlap of the vocabularies of ``a`` and ``b``; if a number is given, after so many merges.

    Raises TrainingSettingsError for a number of merges that a tokenizer does not have.
    """
    made_a, made_b = _made(a, num_merges_a), _made(b, num_merges_b)
    ranks_a, ranks_b = _first_ranks(made_a), _first_ranks(made_b)
    base_a, base_b = set(a.base.symbols), set(b.base.symbols)
    tokens = _in_order(ranks_a, ranks_b)
    in_a = np.array([t in ranks_a or t in base_a for t in tokens], bool)
    in_b = np.array([t in ranks_b or t in base_b for t in tokens], bool)
    shared = [t in ranks_b or t in base_b for t in made_a]
    return VocabularyOverlap(
        num_merges_a=len(made_a),
        num_merges_b=len(made_b),
        tokens=pd.DataFrame(
            {
                "token": pd.Series(tokens, dtype=object),
                "rank_a": pd.array([ranks_a.get(t) for t in tokens], "Int64"),
                "rank_b": pd.array([ranks_b.get(t) for t in tokens], "Int64"),
                "in_vocabulary": np.where(in_a & in_b, "both", np.where(in_a, "a", "b")),
            }
        ),
        learned=np.concatenate([[0], np.cumsum(np.array(shared, np.int64))]),
    )


def _made(tokenizer: Tokenizer, num_merges: int | None) -> list[bytes]:
    """Return the bytes of the token that each merge makes, by rank."""
    ids = tokenizer.merge_token_ids
    if num_merges is not None and not 0 <= num_merges <= len(ids):
        raise TrainingSettingsError(
            f"This tokenizer has {len(ids):,} merges, so its first {num_merges:,} cannot be compared.",
        )
    return [tokenizer.token_bytes(token_id) for token_id in ids[:num_merges]]


def _first_ranks(made: list[bytes]) -> dict[bytes, int]:
    ranks: dict[bytes, int] = {}
    for rank, token in enumerate(made):
        ranks.setdefault(token, rank)
    return ranks


def _in_order(ranks_a: dict[bytes, int], ranks_b: dict[bytes, int]) -> list[bytes]:
    """Return the tokens of both by their lower rank, those of ``a`` first among equals."""
    never = max(len(ranks_a), len(ranks_b), *ranks_a.values(), *ranks_b.values(), 0) + 1
    return sorted(ranks_a | ranks_b, key=lambda t: min(ranks_a.get(t, never), ranks_b.get(t, never)))
