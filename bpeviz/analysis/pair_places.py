"""Where a pair occurs in the text of a training, after any number of merges.

Pre-tokens differ between recipes, so two trainings can only be compared byte by byte.
"""

import re

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.core.gap_ranks import SKIPPED, is_token_end
from bpeviz.training.result import TrainingResult

__all__ = ["Halves", "end_of_word", "places"]

#: The two halves of a pair, by their bytes: ids of different recipes cannot be compared.
Halves = tuple[bytes, bytes]


def end_of_word(result: TrainingResult) -> bytes:
    """Return the mark on the last symbol of each pre-token; empty for most recipes."""
    base = result.base
    return base.end_of_word.encode("utf-8") if isinstance(base, CharacterVocabulary) else b""


def places(result: TrainingResult, halves: Halves, num_merges: int) -> npt.NDArray[np.int64]:
    """Return the offsets of a pair in the text after ``num_merges`` merges, ascending. The pre-tokens of the
    text must be known."""
    left, right = halves
    within = _standing(result, left, right, num_merges)
    end = end_of_word(result)
    if not end:
        return within
    found = [within[~result.walls[within + len(left + right) - 1]]]
    if right.endswith(end):
        bare = right.removesuffix(end)
        last = _standing(result, left, bare, num_merges) if bare else within[:0]
        found.append(last[result.walls[last + len(left + bare) - 1]])
    return np.unique(np.concatenate(found))


def _standing(result: TrainingResult, left: bytes, right: bytes, num_merges: int) -> npt.NDArray[np.int64]:
    """Where these bytes are two tokens of one pre-token, with or without an end-of-word mark."""
    sought = re.compile(b"(?=" + re.escape(left + right) + b")")
    starts = np.array([m.start() for m in sought.finditer(result.text_bytes)], np.int64)
    ends = is_token_end(result.gap_ranks, num_merges)
    skipped = result.gap_ranks == SKIPPED
    # one more byte in front, for the beginning of the text
    opens = np.r_[True, ends | skipped]
    closed = np.r_[0, np.cumsum(ends)]
    middles, stops = starts + len(left), starts + len(left) + len(right)
    two = closed[stops] - closed[starts] == 2
    here = opens[starts] & two & ends[middles - 1] & ends[stops - 1] & ~result.walls[middles - 1]
    left_out = np.r_[0, np.cumsum(skipped)]
    found: npt.NDArray[np.int64] = starts[here & (left_out[stops] == left_out[starts])]
    return found
