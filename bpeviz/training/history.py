"""MergeHistory: the corpus after any number of merges, computed from gap ranks without snapshots.

history.token_total(k)      history.pair_counts(k)      history.gap_ranks(text)
history.count_changes(k)    history.overlaps(k, pair)   history.pair_life(pair)
history.top_pairs(n)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.core.base_vocabulary import BaseVocabulary
from bpeviz.core.gap_ranks import NEVER, WALL, GapRanks, gather, per_byte, tokens_at
from bpeviz.core.merged_ranks import MergedRanks, merged_ranks
from bpeviz.core.pair_index import LengthLimit, TieRule, shortest_first
from bpeviz.core.pair_lives import PairLife, PairLives
from bpeviz.core.pair_stretches import find_stretches
from bpeviz.core.token_chain import Pair
from bpeviz.core.top_pairs import TopPairs, find_top_pairs
from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import CorpusError, TrainingSettingsError
from bpeviz.shown import PlayerPage, player_of
from bpeviz.text.pre_token_ends import pre_tokens
from bpeviz.text.utf8 import check_text
from bpeviz.training.choice import checked_pair
from bpeviz.words import in_short

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
    ``length_limit``: the recipe's rules; ``result``: the training result, for its player.
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
        length_limit: LengthLimit | None = None,
        result: object = None,
    ) -> None:
        self.corpus = corpus
        self.result = result
        self.num_merges = len(merges)
        self._merges = tuple(merges)
        self._spelling = base.spell(corpus.pre_tokens)
        self._gap_ranks = symbol_gap_ranks
        counts = np.fromiter(corpus.counts.values(), np.int64, len(corpus.counts))
        self._weights = np.repeat(counts, self._spelling.lengths)
        self._made_ids = np.fromiter((token_id for _, token_id in merges), np.int32, len(merges))
        self._tie = tie
        self._length_limit = length_limit
        self._tokens = tokens
        self._spelled = [shortest_first(token) for token in tokens]
        self._lengths = np.fromiter((length for length, _ in self._spelled), np.int64, len(tokens))
        alphabetical = sorted(range(len(tokens)), key=tokens.__getitem__)
        self._place = np.empty(len(tokens), np.int64)
        self._place[alphabetical] = np.arange(len(tokens))
        self._token_totals = self._count_tokens()
        self._per_byte = per_byte(self._spelling, symbol_gap_ranks)

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
        now = self._mergeable.counts_at(k)
        left, right = now.pairs >> 32, now.pairs & 0xFFFFFFFF
        order = np.lexsort((*self._tie_keys(left, right, now.gaps), -now.counts))
        return pd.DataFrame({"left": left[order], "right": right[order], "count": now.counts[order]})

    def count_changes(self, k: int) -> "pd.DataFrame":
        """Return the pairs whose count merge ``k`` changes, the merged one among them: columns ``left``,
        ``right``, ``before``, ``after`` and ``change``. Greatest change first; among equals, the greater
        ``before``."""
        import pandas as pd

        self._check(k, last=self.num_merges - 1)
        changes = self._mergeable.changes_at(k)
        order = np.lexsort((changes.pairs, -changes.before, -abs(changes.change)))
        columns = {
            "left": changes.pairs >> 32,
            "right": changes.pairs & 0xFFFFFFFF,
            "before": changes.before,
            "after": changes.before + changes.change,
            "change": changes.change,
        }
        return pd.DataFrame({name: column[order] for name, column in columns.items()})

    def overlaps(self, k: int, pair: Pair) -> Overlaps:
        """How often ``pair`` is counted after ``k`` merges, and how often one merge replaces it."""
        self._check(k)
        pair = checked_pair(pair)
        if pair[0] != pair[1]:
            counted = self._lives.count(pair, k)
            return Overlaps(counted, counted, ())
        ids, ends = tokens_at(self._spelling.ids, self._gap_ranks, self._made_ids, k)
        walls = self._gap_ranks[ends] == WALL
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
        return self._lives.life(checked_pair(pair))

    def top_pairs(self, most: int) -> TopPairs:
        """Return the first ``most`` rows of ``pair_counts`` after every number of merges, all in one
        computation."""
        number = as_whole_number(most)
        if number is None or number < 0:
            raise TrainingSettingsError(
                f"most must be a whole number of 0 or more, not {in_short(repr(most))}."
            )
        return find_top_pairs(self._mergeable.stretches, self.num_merges, number, self._tie_keys)

    @cached_property
    def merged_ranks(self) -> MergedRanks:
        """How frequent the pair of each merge was among all pairs when it was merged."""
        numbers = np.array([left << 32 | right for (left, right), _ in self._merges], np.int64)
        stretches = self._mergeable.stretches
        # a merge ends all stretches of its pair that are left, and they began before it
        ends = np.flatnonzero(stretches.end <= self.num_merges)
        ends = ends[stretches.pairs[ends] == numbers[stretches.end[ends] - 1]]
        counts = np.zeros(self.num_merges, np.int64)
        np.add.at(counts, stretches.end[ends] - 1, stretches.weights[ends])
        return merged_ranks(stretches, counts)

    @cached_property
    def _index(self) -> dict[str, int]:
        """The place of each pre-token; the page needs it for large corpora only."""
        return {p: i for i, p in enumerate(self.corpus.pre_tokens)}

    @cached_property
    def _lives(self) -> PairLives:
        stretches = find_stretches(self._spelling.ids, self._gap_ranks, self._weights, self._made_ids)
        return PairLives(stretches, self._merges)

    @cached_property
    def _mergeable(self) -> PairLives:
        """Without pairs that would make a token longer than allowed."""
        limit = self._length_limit
        if limit is None:
            return self._lives
        stretches = self._lives.stretches
        lengths = np.fromiter(map(limit.length, self._tokens), np.int64, len(self._tokens))
        lengths_of_pairs = lengths[stretches.lefts] + lengths[stretches.rights]
        return PairLives(stretches.where(lengths_of_pairs <= limit.longest), self._merges)

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
        """Return the gap ranks that training gave a text, one per byte.

        Raises CorpusError if the text has a pre-token that the corpus lacks.
        """
        return self.gap_ranks_of(self.pre_token_indices(text))

    def player(self, text: str | None = None, **options: Any) -> PlayerPage:
        """Return the merges on ``text``, as a player: see Trainer.player. Raises PlayerError."""
        return player_of(self, text, **options)

    def pre_token_indices(self, text: str) -> npt.NDArray[np.int64]:
        """Return the index in the corpus of each pre-token of a text. Raises CorpusError."""
        check_text(text)
        try:
            cut = pre_tokens(text, self.corpus.split)
            return np.fromiter(map(self._index.__getitem__, cut), np.int64, len(cut))
        except KeyError as error:
            raise CorpusError(
                f"The corpus does not hold the pre-token {in_short(repr(error.args[0]))}, so training "
                "didn't split it. Use the tokenizer's gap_ranks for a text that was not trained on."
            ) from None

    def gap_ranks_of(self, pre_token_indices: npt.NDArray[np.int64]) -> GapRanks:
        """Return the gap ranks of a text, given the indices of its pre-tokens, so that it is not split
        again. Raises CorpusError for anything but an array of indices in the corpus."""
        indices = np.asarray(pre_token_indices)
        if indices.ndim != 1 or (indices.size and indices.dtype.kind not in "iu"):
            raise CorpusError("gap_ranks_of takes the indices of pre_token_indices(text).")
        distinct = len(self.corpus.counts)
        if indices.size and not 0 <= int(indices.min()) <= int(indices.max()) < distinct:
            raise CorpusError(f"The corpus has {distinct:,} pre-tokens. Give indices below that.")
        return gather(*self._per_byte, indices.astype(np.int64))

    def _check(self, k: int, last: int | None = None) -> None:
        last = self.num_merges if last is None else last
        number = as_whole_number(k)
        if number is None or not 0 <= number <= last:
            raise TrainingSettingsError(
                f"There are {self.num_merges:,} merges; ask for a number from 0 to {last:,}, "
                f"not {in_short(k if number is not None else repr(k))}.",
            )
