"""Which merge of a list makes each token, if the list names several pairs for one token.

    Ġ + t, h + e, Ġt + he, Ġth + e      Ġthe is made by Ġt + he; Ġth + e never acts

The symbols of a token merge the same way in every text. So one pair makes the token and no other pair ever
does: the last two tokens that are left when its symbols are merged. The list may use a token before a merge
makes it.
"""

from collections.abc import Iterable, Sequence

from bpeviz.core.reach import TokenMerging
from bpeviz.core.token_chain import Pair
from bpeviz.formats.source import FaultError
from bpeviz.tokenizer.symbol_merger import Merge, in_making_order

__all__ = ["acting_merges", "with_whole_tokens"]


def acting_merges(
    base_ids: Sequence[int], merges: Sequence[tuple[Pair, int]], *, all_tokens: bool
) -> tuple[list[tuple[Pair, int]], set[int]]:
    """Return the merges with one for each token, the one that acts, in the order of their ranks; and the
    tokens that are known not to be made at all. Of such a token the first merge stays. Merges of tokens that
    nothing makes are left out.

    Tokens with one pair are not checked, unless ``all_tokens``. Raises FaultError if the tokens are so long
    that this takes too much time.
    """
    ranks_of: dict[int, list[int]] = {}
    order = list(in_making_order(base_ids, merges))
    for rank in sorted(order):
        ranks_of.setdefault(merges[rank][1], []).append(rank)
    if not all_tokens and len(ranks_of) == len(merges):
        return list(merges), set()
    finder = _Finder(base_ids, merges, order)
    kept: list[int] = []
    unmade: set[int] = set()
    for token_id, ranks in ranks_of.items():
        if len(ranks) == 1 and not all_tokens:
            kept += ranks
            finder.made_by(token_id, ranks)  # quick, and the tokens after it need to know
            continue
        acting = finder.acting(token_id, ranks)
        kept.append(ranks[0] if acting is None else acting)
        if acting is None:
            unmade.add(token_id)
    return [merges[rank] for rank in sorted(kept)], unmade


class _Finder:
    """Finds the merge that makes a token; tokens are asked for in the order of their first merges."""

    def __init__(
        self, base_ids: Sequence[int], merges: Sequence[tuple[Pair, int]], order: Sequence[int]
    ) -> None:
        self._base_ids = set(base_ids)
        self._merges = merges
        self._merge_of_pair = {pair: (rank, token_id) for rank, (pair, token_id) in enumerate(merges)}
        self._known: dict[int, int] = {}
        self._halves: dict[int, Pair] = {}
        for rank in order:
            if (token_id := merges[rank][1]) not in self._base_ids:
                self._halves.setdefault(token_id, merges[rank][0])
        self._merging = TokenMerging(self._halves, self._merge_of_pair)

    def acting(self, token_id: int, ranks: Iterable[int]) -> int | None:
        """Return the rank of the merge that makes a token; None if none does."""
        rank = self.made_by(token_id, ranks)
        return self._by_merging(token_id) if rank is None else rank

    def made_by(self, token_id: int, ranks: Iterable[int]) -> int | None:
        """Return the same, if the halves of a token show it; None if they don't."""
        for rank in ranks:
            if self._is_made_by(rank):
                self._known[token_id] = rank
                return rank
        return None

    def _is_made_by(self, own: int) -> bool:
        """Return whether both halves of a merge are made before it, and no other merge crosses their border.

        Takes the tokens at the border back in time: the one that was made last falls into its halves, of
        which one is at the border. core/reach.py does the same for all merges at once, in arrays, because it
        knows how each token is made. Here that is known only after the tokens before it: of Ġ + t, h + e,
        Ġt + he and Ġth + e, the last two are one token.
        """
        (left, right), _ = self._merges[own]
        known, base = self._known, self._base_ids
        for half in (left, right):
            if half not in base and known.get(half, own) >= own:
                return False
        limit = own
        while True:
            crossing = self._merge_of_pair.get((left, right))
            if crossing is not None and crossing[0] < limit:
                return False
            left_rank, right_rank = known.get(left, -1), known.get(right, -1)
            if left_rank > right_rank:
                left, limit = self._merges[left_rank][0][1], left_rank
            elif right_rank >= 0:
                right, limit = self._merges[right_rank][0][0], right_rank + 1
            else:
                return True

    def _by_merging(self, token_id: int) -> int | None:
        """Return the same by merging the symbols of the token."""
        if token_id not in self._halves:
            return None
        try:
            return self._merging.rank_that_makes(token_id, self._halves[token_id])
        except OverflowError:
            raise FaultError(
                "its tokens are so long that finding the merges that make them would take too much time. "
                "Check that it is the right file."
            ) from None


def with_whole_tokens(merges: Sequence[tuple[Pair, int]], wholes: Iterable[int]) -> list[Merge]:
    """Return the merges with an entry for each token that only a whole pre-token becomes, in the place that
    its id has among the ids that merges make."""
    listed: list[Merge] = []
    waiting = sorted(wholes, reverse=True)
    for merge in merges:
        while waiting and waiting[-1] < merge[1]:
            listed.append((None, waiting.pop()))
        listed.append(merge)
    return [*listed, *((None, token_id) for token_id in reversed(waiting))]
