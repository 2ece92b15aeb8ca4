"""How often a text uses each token: in its encoding, and as a step on the way to another token.

    text       the the then        merges t+h, th+e, the+n
    encoding   the the then        the 2, then 1
    steps      th th th, the       th 3, the 1: "th" is only a step on the way

Of "then" the steps are "th" and "the". The share of uses in the end is LiteToken's FI ratio: uses in the end
/ (uses in the end + steps), arXiv 2602.04706.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpeviz.analysis.vocabulary import uses_of
from bpeviz.core.reach import unreachable_merges
from bpeviz.tokenizer.symbol_merger import in_making_order
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["Uses", "making_pairs", "uses_in"]

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Uses:
    """What the encoding of a text uses: the number of all its tokens, and for each token of the vocabulary,
    ids ascending, how often it is in the encoding (``final``) and how often it is a step on the way to
    another token (``steps``)."""

    token_total: int
    final: Numbers
    steps: Numbers


def uses_in(tokenizer: Tokenizer, ids: Numbers) -> Uses:
    """Return the uses of all tokens in a text, given the ids of its encoding.

    A token that a whole pre-token becomes at once counts as made by its merges too. One that no merge makes
    has no steps. An id that the vocabulary lacks is not counted.
    """
    final = uses_of(tokenizer, ids)
    known = list(tokenizer.vocabulary)
    steps = _steps(tokenizer, {i: uses for i, uses in zip(known, final.tolist(), strict=True) if uses})
    return Uses(len(ids), final, np.array([steps.get(i, 0) for i in known], np.int64))


def _steps(tokenizer: Tokenizer, final: Mapping[int, int]) -> dict[int, int]:
    """Return how often each token is a half of one that is made. The last made comes first, so that all the
    uses of a token are known when its own halves are counted."""
    steps: dict[int, int] = {}
    for token_id, (left, right) in reversed(making_pairs(tokenizer).items()):
        if times := final.get(token_id, 0) + steps.get(token_id, 0):
            steps[left] = steps.get(left, 0) + times
            steps[right] = steps.get(right, 0) + times
    return steps


def making_pairs(tokenizer: Tokenizer) -> dict[int, tuple[int, int]]:
    """Return the pair of which each token is made, in the order in which they are made: that of its first
    merge that can be made. Base symbols have none, even if a merge makes one again."""
    never = unreachable_merges(tokenizer.paired)
    paired_rank = iter(range(len(never)))
    can_be_made = [pair is None or not never[next(paired_rank)] for pair in tokenizer.merges]
    base = set(tokenizer.base.symbol_ids)
    pairs: dict[int, tuple[int, int]] = {}
    ranked = tokenizer.ranked
    for rank in in_making_order(tokenizer.base.symbol_ids, ranked):
        pair, token_id = ranked[rank]
        if pair is not None and can_be_made[rank] and token_id not in base:
            pairs.setdefault(token_id, pair)
    return pairs
