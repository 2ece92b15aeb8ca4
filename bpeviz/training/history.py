"""MergeHistory: the corpus after any number of merges, computed from gap ranks without snapshots.

history.token_total(k)      history.pair_counts(k)      history.gap_ranks(text)
history.count_changes(k)    history.overlaps(k, pair)   history.pair_life(pair)
history.top_pairs(n)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import BaseVocabulary
from bpeviz.core.errors import TrainingSettingsError
from bpeviz.core.gap_ranks import NEVER, WALL, GapRanks, gather, per_byte, tokens_at
from bpeviz.core.large_stretches import PART_SYMBOLS, summed_stretches
from bpeviz.core.pair_lives import PairLife, PairLives
from bpeviz.core.ties import TieRule, shortest_first
from bpeviz.core.token_chain import Pair
from bpeviz.core.top_pairs import TopPairs, find_top_pairs
from bpeviz.corpus.corpus import Corpus
from bpeviz.text.errors import CorpusError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MergeHistory", "Overlaps"]

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Overlaps:
    """How often a pair is counted, and how often one merge replaces it.

    ``counted``: how often the pair occurs, overlaps included; ``replaced``: how many of these one merge
    replaces, left to right; ``runs``: for a pair of a token with itself, the lengths of the unbroken runs of
    that token, shortest first, and how often each occurs. A run of 4 is counted 3 times and replaced 2 times.
    """

    counted: int
    replaced: int
    runs: tuple[tuple[int, int], ...]


class MergeHistory:
    """What a trainer did to its corpus.

    ``merges``: the pair and the token id of each merge, by rank; ``symbol_gap_ranks``: the gap rank after
    each base symbol of the distinct pre-tokens; ``tokens``: the bytes of each token, by id; ``tie`` and
    ``max_token_length``: the recipe's rules.
    """

    def __init__(
        self,
        corpus: Corpus,
        base: BaseVocabulary,
        merges: Sequence[tuple[Pair, int]],
        symbol_gap_ranks: GapRanks,
        *,
        tokens: Sequence[bytes],
        tie: TieRule,
        max_token_length: int | None = None,
    ) -> None:
        self.corpus = corpus
        self.num_merges = len(merges)
        self._merges = tuple(merges)
        self._spelling = base.spell(corpus.pre_tokens)
        self._gap_ranks = symbol_gap_ranks
        counts = np.fromiter(corpus.counts.values(), np.int64, len(corpus.counts))
        self._weights = np.repeat(counts, self._spelling.lengths)
        self._made_ids = np.fromiter((token_id for _, token_id in merges), np.int32, len(merges))
        self._tie = tie
        self._max_token_length = max_token_length
        self._spelled = [shortest_first(token) for token in tokens]
        self._lengths = np.fromiter((length for length, _ in self._spelled), np.int64, len(tokens))
        alphabetical = sorted(range(len(tokens)), key=tokens.__getitem__)
        self._place = np.empty(len(tokens), np.int64)
        self._place[alphabetical] = np.arange(len(tokens))
        self._token_totals = self._count_tokens()
        self._per_byte = per_byte(self._spelling, symbol_gap_ranks)
        self._index = {p: i for i, p in enumerate(corpus.pre_tokens)}

    def __repr__(self) -> str:
        return f"<MergeHistory: {self.num_merges:,} merges of {self.corpus!r}>"

    def _count_tokens(self) -> npt.NDArray[np.int64]:
        closed = self._gap_ranks < NEVER
        replaced = np.zeros(self.num_merges, np.int64)
        np.add.at(replaced, self._gap_ranks[closed], self._weights[closed])
        totals: npt.NDArray[np.int64] = self._weights.sum() - np.r_[0, np.cumsum(replaced)]
        return totals

    @property
    def token_totals(self) -> npt.NDArray[np.int64]:
        """How many tokens the corpus has after 0, 1, … all merges."""
        return self._token_totals

    def token_total(self, k: int) -> int:
        """How many tokens the corpus has after ``k`` merges, repeats of pre-tokens included."""
        self._check(k)
        return int(self._token_totals[k])

    def pair_counts(self, k: int) -> "pd.DataFrame":
        """Every pair after ``k`` merges: columns ``left``, ``right`` (ids) and ``count``.

        Most frequent first; pairs of equal count in the order in which the recipe chooses.
        """
        # imported here: pandas takes longer to import than all that trains and encodes, and more memory
        import pandas as pd

        self._check(k)
        pairs, counts, first = self._pairs_at(k)
        left, right = pairs >> 32, pairs & 0xFFFFFFFF
        order = np.lexsort((*self._tie_keys(left, right, first), -counts))
        return pd.DataFrame({"left": left[order], "right": right[order], "count": counts[order]})

    def count_changes(self, k: int) -> "pd.DataFrame":
        """The pairs whose count merge ``k`` changes, the merged one among them: columns ``left``, ``right``,
        ``before``, ``after`` and ``change``. Greatest change first; among equals, the greater ``before``."""
        import pandas as pd

        self._check(k, last=self.num_merges - 1)
        pairs, before, change = self._changes_at(k)
        order = np.lexsort((pairs, -before, -abs(change)))
        columns = {
            "left": pairs >> 32,
            "right": pairs & 0xFFFFFFFF,
            "before": before,
            "after": before + change,
            "change": change,
        }
        return pd.DataFrame({name: column[order] for name, column in columns.items()})

    def _changes_at(self, k: int) -> tuple[Counts, Counts, Counts]:
        """The pairs whose count merge ``k`` changes, ascending; their counts before it; and the changes.

        Only pairs beside a token that the merge takes or makes can change, so it looks at no others.
        """
        ids, ends = self._tokens_at(k)
        taken = np.flatnonzero(self._gap_ranks[ends] == k)  # the left halves; each right half follows
        gone, weights_gone = self._joined(ids, ends, np.unique([taken - 1, taken, taken + 1]))
        made = taken - np.arange(len(taken))  # each replacement further left removed one token
        born, weights_born = self._joined(*self._tokens_at(k + 1), np.unique([made - 1, made]))
        pairs, places = np.unique(np.r_[gone, born], return_inverse=True)
        before, change = np.zeros((2, len(pairs)), np.int64)
        np.add.at(change, places, np.r_[-weights_gone, weights_born])
        everywhere, weights = self._joined(ids, ends, np.arange(len(ids)))
        places = np.minimum(np.searchsorted(pairs, everywhere), len(pairs) - 1)
        here = pairs[places] == everywhere
        np.add.at(before, places[here], weights[here])
        changed = change != 0
        return pairs[changed], before[changed], change[changed]

    def _pairs_at(self, k: int) -> tuple[Counts, Counts, npt.NDArray[np.intp]]:
        """Every pair after ``k`` merges, ascending; its count; and its first index among all neighbours."""
        ids, ends = self._tokens_at(k)
        keys, weights = self._joined(ids, ends, np.arange(len(ids)))
        # part by part: sorting all keys of a large corpus at once takes several times their memory
        starts = range(0, len(keys), PART_SYMBOLS) or [0]
        parts = [_counted(keys[i : i + PART_SYMBOLS], weights[i : i + PART_SYMBOLS]) for i in starts]
        if len(parts) == 1:
            return parts[0]
        firsts = np.concatenate([first + i for i, (_, _, first) in zip(starts, parts, strict=True)])
        pairs, counts, first = _counted(
            *(np.concatenate(each) for each in list(zip(*parts, strict=True))[:2])
        )
        return pairs, counts, firsts[first]

    def _joined(
        self, ids: npt.NDArray[np.int32], ends: npt.NDArray[np.intp], lefts: npt.NDArray[np.intp]
    ) -> tuple[Counts, Counts]:
        """The pairs that begin at the tokens ``lefts`` (indices), as numbers with the left id in the upper 32
        bits; and how often the pre-token around each occurs. Leaves out neighbours that cannot merge."""
        lefts = lefts[lefts >= 0]
        lefts = lefts[self._gap_ranks[ends[lefts]] != WALL]
        if self._max_token_length is not None:
            lengths = self._lengths[ids[lefts]] + self._lengths[ids[lefts + 1]]
            lefts = lefts[lengths <= self._max_token_length]
        return (ids[lefts].astype(np.int64) << 32) | ids[lefts + 1], self._weights[ends[lefts]]

    def overlaps(self, k: int, pair: Pair) -> Overlaps:
        """How often ``pair`` is counted after ``k`` merges, and how often one merge replaces it."""
        self._check(k)
        ids, ends = self._tokens_at(k)
        walls = self._gap_ranks[ends] == WALL
        if pair[0] != pair[1]:
            here = (ids[:-1] == pair[0]) & (ids[1:] == pair[1]) & ~walls[:-1]
            counted = int(self._weights[ends[:-1][here]].sum())
            return Overlaps(counted, counted, ())
        is_token = ids == pair[0]
        # a run starts if the token before it differs, or after a wall
        starts = is_token & np.r_[True, ~is_token[:-1] | walls[:-1]][: len(ids)]
        first = np.flatnonzero(starts)
        lengths = np.bincount(np.cumsum(starts)[is_token] - 1, minlength=len(first))
        weights = self._weights[ends[first]]
        runs = {int(n): int(weights[lengths == n].sum()) for n in np.unique(lengths[lengths > 1])}
        return Overlaps(
            counted=sum((n - 1) * places for n, places in runs.items()),
            replaced=sum(n // 2 * places for n, places in runs.items()),
            runs=tuple(runs.items()),
        )

    def pair_life(self, pair: Pair) -> PairLife:
        """How often ``pair`` occurs after every number of merges, and how it ends."""
        return self._lives.life(pair)

    def top_pairs(self, most: int) -> TopPairs:
        """The first ``most`` rows of ``pair_counts`` after every number of merges, all in one computation."""
        if len(self._gap_ranks) > PART_SYMBOLS:
            stretches = summed_stretches(self._spelling.ids, self._gap_ranks, self._weights, self._merges)
        else:
            stretches = self._lives.stretches()
        if self._max_token_length is not None:
            lengths = self._lengths[stretches.lefts] + self._lengths[stretches.rights]
            stretches = stretches.where(lengths <= self._max_token_length)
        return find_top_pairs(stretches, self.num_merges, most, self._tie_keys)

    @cached_property
    def _lives(self) -> PairLives:
        return PairLives(self._spelling.ids, self._gap_ranks, self._weights, self._merges)

    def _tokens_at(self, k: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
        return tokens_at(self._spelling.ids, self._gap_ranks, self._made_ids, k)

    def _tie_keys(
        self, left: npt.NDArray[np.int64], right: npt.NDArray[np.int64], first: npt.NDArray[np.intp]
    ) -> tuple[npt.NDArray[np.int64], ...]:
        """Sort keys for pairs of equal count, the most important last, as lexsort takes them."""
        match self._tie:
            case "first-seen":
                return (first.astype(np.int64),)
            case "smallest-ids":
                return right, left
            case "greatest-tokens":
                return -self._place[right], -self._place[left]
            case "shortest-token":
                spelled = [letters for _, letters in self._spelled]
                pairs, numbers = np.unique((left << 32) | right, return_inverse=True)
                ids = zip((pairs >> 32).tolist(), (pairs & 0xFFFFFFFF).tolist(), strict=True)
                made = [spelled[a] + spelled[b] for a, b in ids]
                place = np.empty(len(made), np.int64)
                place[sorted(range(len(made)), key=made.__getitem__)] = np.arange(len(made))
                return place[numbers], self._lengths[left] + self._lengths[right]

    def gap_ranks(self, text: str) -> GapRanks:
        """The gap ranks that training gave a text, one per byte.

        Raises CorpusError if the text has a pre-token that the corpus lacks.
        """
        return self.gap_ranks_of(self.pre_token_indices(text))

    def pre_token_indices(self, text: str) -> npt.NDArray[np.int64]:
        """The index in the corpus of each pre-token of a text. Raises CorpusError."""
        try:
            return np.array([self._index[p] for p in self.corpus.split.split(text)], np.int64)
        except KeyError as error:
            raise CorpusError(
                f"The corpus does not hold the pre-token {error.args[0]!r}, so training says nothing of it. "
                "Use the tokenizer's gap_ranks for a text that was not trained on."
            ) from None

    def gap_ranks_of(self, pre_token_indices: npt.NDArray[np.int64]) -> GapRanks:
        """The gap ranks of a text, given the indices of its pre-tokens, so that it is not split again."""
        return gather(*self._per_byte, pre_token_indices)

    def _check(self, k: int, last: int | None = None) -> None:
        last = self.num_merges if last is None else last
        if not 0 <= k <= last:
            raise TrainingSettingsError(
                f"There are {self.num_merges:,} merges; ask for a number from 0 to {last:,}, not {k:,}.",
                setting="k",
            )


def _counted(keys: Counts, weights: Counts) -> tuple[Counts, Counts, npt.NDArray[np.intp]]:
    """The distinct keys, ascending; the sum of the weights of each; and its first index."""
    distinct, first, places = np.unique(keys, return_index=True, return_inverse=True)
    sums = np.zeros(len(distinct), np.int64)
    np.add.at(sums, places, weights)
    return distinct, sums, first
