"""Where a pair occurs in a text, after any number of the merges that were learned from it.

Pre-tokens differ between recipes, so what two of them did can only be compared byte by byte of the text.
"""

import re

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.core.gap_ranks import SKIPPED, GapRanks, is_token_end
from bpeviz.training.result import TrainingResult

__all__ = ["Halves", "PairPlaces", "end_of_word"]

#: The two halves of a pair, by their bytes: ids of different recipes cannot be compared.
Halves = tuple[bytes, bytes]


def end_of_word(result: TrainingResult) -> bytes:
    """The end-of-word mark on the last symbol of a pre-token; mostly empty."""
    base = result.base
    return base.end_of_word.encode("utf-8") if isinstance(base, CharacterVocabulary) else b""


class PairPlaces:
    """Finds pairs in the text of a training ``result``, whose pre-tokens must be known."""

    def __init__(self, result: TrainingResult) -> None:
        self.result = result
        self.end_of_word = end_of_word(result)

    @property
    def data(self) -> bytes:
        """The text in UTF-8."""
        return self.result.text_bytes

    @property
    def gap_ranks(self) -> GapRanks:
        """The gap ranks of the text, one per byte."""
        return self.result.gap_ranks

    @property
    def walls(self) -> npt.NDArray[np.bool_]:
        """Of every byte of the text, whether it is the last of a pre-token."""
        return self.result.walls

    def places(self, halves: Halves, num_merges: int) -> npt.NDArray[np.int64]:
        """The offsets of a pair in the text after ``num_merges`` merges, ascending."""
        left, right = halves
        end = self.end_of_word
        if not end:
            return self._standing(left, right, num_merges)
        within = self._standing(left, right, num_merges)
        found = [within[~self.walls[within + len(left + right) - 1]]]
        if right.endswith(end):
            bare = right.removesuffix(end)
            last = self._standing(left, bare, num_merges) if bare else within[:0]
            found.append(last[self.walls[last + len(left + bare) - 1]])
        return np.unique(np.concatenate(found))

    def _standing(self, left: bytes, right: bytes, num_merges: int) -> npt.NDArray[np.int64]:
        """Where these bytes are two tokens of one pre-token, with or without an end-of-word mark."""
        sought = re.compile(b"(?=" + re.escape(left + right) + b")")
        starts = np.array([m.start() for m in sought.finditer(self.data)], np.int64)
        ends = is_token_end(self.gap_ranks, num_merges)
        skipped = self.gap_ranks == SKIPPED
        # one more byte in front, for the beginning of the text
        opens = np.r_[True, ends | skipped]
        closed = np.r_[0, np.cumsum(ends)]
        middles, stops = starts + len(left), starts + len(left) + len(right)
        two = closed[stops] - closed[starts] == 2
        here = opens[starts] & two & ends[middles - 1] & ends[stops - 1] & ~self.walls[middles - 1]
        left_out = np.r_[0, np.cumsum(skipped)]
        found: npt.NDArray[np.int64] = starts[here & (left_out[stops] == left_out[starts])]
        return found
