"""The gap ranks of one text by two tokenizers, as one number for each byte and a table of pairs of ranks.

A megabyte has only about 10,000 different pairs. So the table gives all boundary counts of the text.

    text       a  b  c  a  b
    first      0  N  N  0  W        W: wall   N: never closed
    second     N  1  N  N  W
    numbers    0  1  2  0  3        the pairs: 0 N, N 1, N N, W W

Other tokenizers can be compared too, each at one number of merges: a number whose bits say which of them end
a token is a part of the pair then.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.core.gap_ranks import GapRanks

__all__ = ["RankPairs", "rank_pairs"]


@dataclass(frozen=True, eq=False)
class RankPairs:
    """For each byte the number of its pair of gap ranks; the pairs, as the ranks of both sides and the bits
    of the ``others``; how many bytes have each pair.

    ``numbers`` are uint16, or uint32 if there are more than 65,536 pairs.
    """

    numbers: npt.NDArray[np.uint16] | npt.NDArray[np.uint32]
    first: GapRanks
    second: GapRanks
    others: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.int32]


def rank_pairs(first: GapRanks, second: GapRanks, others: npt.NDArray[np.uint8] | None = None) -> RankPairs:
    """Return numbers for the pairs of gap ranks of a text; ``others`` has bits for each byte."""
    # a table of hashes; sorting, as np.unique does, takes twice as long
    numbers, pairs = pd.factorize((first.astype(np.int64) << 32) | second.view(np.uint32))
    bits = np.zeros(len(pairs), np.uint8)
    if others is not None:
        numbers, kinds = pd.factorize((numbers << 8) | others)
        pairs, bits = pairs[kinds >> 8], kinds.astype(np.uint8)
    return RankPairs(
        numbers.astype(np.uint16) if len(pairs) <= 1 << 16 else numbers.astype(np.uint32),
        (pairs >> 32).astype(np.int32),
        pairs.astype(np.uint32).view(np.int32),
        bits,
        np.bincount(numbers, minlength=len(pairs)).astype(np.int32),
    )
