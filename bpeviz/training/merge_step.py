"""One merge, with what was true when it was made."""

from dataclasses import dataclass

from bpeviz.core.token_chain import Pair

__all__ = ["MergeStep"]


@dataclass(frozen=True)
class MergeStep:
    """One merge.

    - ``rank``: its place in the order of merges, from 0;
    - ``pair``: the ids of the left and the right token;
    - ``token_id``, ``token``: the id and the bytes of the token it makes;
    - ``count``: how often the pair occurred, overlaps included;
    - ``tied``: how many pairs shared that count, this one included, vetoed ones left out: 0 for a vetoed pair
      that is merged all the same, where no other pair has its count;
    - ``token_total``: tokens in the corpus afterwards.
    """

    rank: int
    pair: Pair
    token_id: int
    token: bytes
    count: int
    tied: int
    token_total: int
