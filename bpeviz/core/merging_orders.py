"""The orders in which the symbols of one pre-token are merged.

    by rank         the pair of lowest rank first, the leftmost among equals: GPT-2's rule
    with dropout    the same, but at each step any pair may be left out by chance: BPE-dropout
    left to right   any known pair as it comes, again and again: a notebook of "LLMs from scratch"

Both work on lists of token ids, not on text.
"""

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import pairwise
from random import Random

from bpeviz.core.gap_ranks import NEVER, WALL
from bpeviz.core.token_chain import Pair

__all__ = ["MergeOfPair", "gap_ranks_by_rank", "merge_by_rank", "merge_left_to_right", "merge_with_dropout"]

#: For each pair the rank of its merge, and the id of the token that it makes.
MergeOfPair = Mapping[Pair, tuple[int, int]]

#: Marks a symbol that is part of the token before it.
_NOTHING = -1


def merge_by_rank(ids: list[int], merges: MergeOfPair) -> Iterator[tuple[int, int, int]]:
    """Merge ``ids`` in place, lowest rank first and leftmost among equals.

    The slot of a token's first symbol holds the token, its other slots hold -1. Yields for each merge its
    rank and the symbols it covers, as a start and an end (the end excluded).
    """
    following = list(range(1, len(ids) + 1))
    preceding = list(range(-1, len(ids) - 1))
    known = merges.get
    heap = [(m[0], i) for i in range(len(ids) - 1) if (m := known((ids[i], ids[i + 1])))]
    heapify(heap)
    while heap:
        rank, i = heappop(heap)
        j = following[i]
        if j == len(ids) or not (merge := known((ids[i], ids[j]))) or merge[0] != rank:
            continue
        k = following[i] = following[j]
        ids[i], ids[j] = merge[1], -1
        if k < len(ids):
            preceding[k] = i
            if m := known((ids[i], ids[k])):
                heappush(heap, (m[0], i))
        h = preceding[i]
        if h >= 0 and (m := known((ids[h], ids[i]))):
            heappush(heap, (m[0], h))
        yield rank, i, k


def gap_ranks_by_rank(symbols: list[int], merges: MergeOfPair) -> list[int]:
    """Return the gap rank after each symbol of one pre-token, which is merged in place as by merge_by_rank.

    A merge that can only happen after one of a higher rank gets that rank: with fewer merges it would not
    happen.
    """
    if not symbols:
        return []
    ranks = [NEVER] * (len(symbols) - 1) + [WALL]
    latest = 0
    right_start = list(range(1, len(symbols) + 1))
    for rank, start, end in merge_by_rank(symbols, merges):
        latest = max(latest, rank)
        ranks[right_start[start] - 1] = latest
        right_start[start] = end
    return ranks


def merge_with_dropout(
    symbols: Iterable[int], merges: MergeOfPair, probability: float, random: Random
) -> list[int]:
    """Return where the tokens of one pre-token end, as numbers of symbols, if each pair is left out with a
    ``probability`` at each step: BPE-dropout, algorithm 1 of Provilkov et al. 2020 (arXiv 1910.13267).

    With 0 these are the tokens of merge_by_rank, with 1 the symbols. Each step looks at all pairs.
    """
    ids = [*symbols]
    ends = [*range(1, len(ids) + 1)]
    while True:
        kept = [
            (merges[pair][0], place)
            for place, pair in enumerate(pairwise(ids))
            if pair in merges and random.random() >= probability
        ]
        if not kept:
            return ends
        _, place = min(kept)
        ids[place : place + 2] = [merges[ids[place], ids[place + 1]][1]]
        del ends[place]


def merge_left_to_right(symbols: list[int], merges: MergeOfPair) -> list[int]:
    """Return the token ids of one pre-token, with known pairs merged as they come until none is left.

    Only a pair with a token of the previous round can be new, so a round looks at no other pairs. Otherwise
    merges that each lengthen one token would take as many rounds over all symbols.
    """
    ids = [*symbols]
    following = list(range(1, len(ids) + 1))
    preceding = list(range(-1, len(ids) - 1))
    starts: Iterable[int] = range(len(ids) - 1)
    while made := _round_from_the_left(ids, following, preceding, merges, starts):
        beside = (start for i in made for start in (preceding[i], i) if start >= 0)
        starts = [*dict.fromkeys(beside)]
    return [i for i in ids if i != _NOTHING]


def _round_from_the_left(
    ids: list[int],
    following: list[int],
    preceding: list[int],
    merges: MergeOfPair,
    starts: Iterable[int],
) -> list[int]:
    """Merge each known pair that begins at one of ``starts``, which ascend; returns where tokens were made.
    A token made in this round is not part of another pair in the same round."""
    made: list[int] = []
    for i in starts:
        j = following[i]
        if ids[i] == _NOTHING or j == len(ids) or not (known := merges.get((ids[i], ids[j]))):
            continue
        ids[i], ids[j] = known[1], _NOTHING
        k = following[i] = following[j]
        if k < len(ids):
            preceding[k] = i
        made.append(i)
    return made
