"""The two orders in which the symbols of one pre-token are merged.

    by rank         of all pairs the one of lowest rank first, the leftmost among equals: GPT-2's rule
    left to right   any known pair as it comes, again and again: that of a notebook of "LLMs from scratch"

Both merge a list of token ids in place or into a new one, and know nothing of texts.
"""

from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush

from bpeviz.gap_ranks import NEVER, WALL
from bpeviz.token_chain import Pair

__all__ = ["MergeOfPair", "gap_ranks_by_rank", "merge_by_rank", "merge_left_to_right"]

#: The rank of the merge of each pair, and the id of the token that it makes.
MergeOfPair = Mapping[Pair, tuple[int, int]]


def merge_by_rank(ids: list[int], merges: MergeOfPair) -> Iterator[tuple[int, int, int]]:
    """Merge ``ids`` in place, lowest rank first and leftmost among equals.

    The slot of a token's first symbol holds the token, its other slots -1. Gives for each merge its
    rank and the symbols it covers, from a start up to and without an end.
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
    """Merge one pre-token in place as merge_by_rank does; gives the gap rank after each of its symbols.

    A merge that can only happen after one of a higher rank takes that rank: it would not happen with
    fewer merges.
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


def merge_left_to_right(symbols: list[int], merges: MergeOfPair) -> list[int]:
    """The token ids of one pre-token, its known pairs merged as they come until there is none."""
    while True:
        merged: list[int] = []
        i = 0
        while i < len(symbols):
            known = merges.get((symbols[i], symbols[i + 1])) if i + 1 < len(symbols) else None
            merged.append(known[1] if known else symbols[i])
            i += 2 if known else 1
        if len(merged) == len(symbols):
            return symbols
        symbols = merged
