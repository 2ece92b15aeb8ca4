"""MergeStep: one merge, and the counts when it was made."""

from dataclasses import dataclass

from bpeviz.core.token_chain import Pair

__all__ = ["MergeStep"]


@dataclass(frozen=True)
class MergeStep:
    """One merge.

    - ``rank``: how many merges were made before it;
    - ``pair``: the ids of the left and the right token;
    - ``token_id``, ``token``: the id and the bytes of the token it makes;
    - ``count``: how often the pair occurred, overlaps included;
    - ``tied``: how many pairs had that count, this one included, without vetoed pairs. It is 0 if a person
      merges a vetoed pair and no other pair has its count;
    - ``token_total``: how many tokens the corpus has after the merge.
    """

    rank: int
    pair: Pair
    token_id: int
    token: bytes
    count: int
    tied: int
    token_total: int
