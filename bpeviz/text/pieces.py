"""Pieces: where a long text can be cut so that each part splits the same way wherever it occurs.

    the cat; the cat sat  ->  the| cat;| the| cat| sat

A piece begins at white space that follows anything else. No named pattern has a pre-token across such a
place, or looks across it to decide. So a text may be split piece by piece, and pieces in any order may be
joined and split together.

A piece is one or more stretches (see split_patterns), which a regular expression finds. Pieces are found by
whole-array steps, an order of magnitude faster. If a pattern includes line ends after punctuation, no piece
begins at a line end: what comes before it would matter.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bpeviz.text.characters import characters, kinds_of
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern

__all__ = ["has_pieces", "piece_ends"]

#: Kinds of characters by the stretch of a pattern: white space that begins no piece, and white space that
#: begins one if it follows a character of neither kind.
_KINDS = {
    SPLIT_PATTERNS["gpt2"].stretch: (r"(?!)", r"\s"),
    SPLIT_PATTERNS["cl100k"].stretch: (r"[\r\n]", r"[^\S\r\n]"),
    SPLIT_PATTERNS["whitespace"].stretch: (r"(?!)", r"[\s\x1c-\x1f]"),
    SPLIT_PATTERNS["spaces"].stretch: (r"(?!)", r"[ \r\n]"),
    SPLIT_PATTERNS["sentencepiece"].stretch: (r"(?!)", r"[ \n\x00\x1f]"),
}
_OTHER, _BEGINS = 0, 2


def has_pieces(pattern: SplitPattern) -> bool:
    """Return whether texts can be cut into pieces for this pattern."""
    return pattern.stretch in _KINDS


def piece_ends(
    texts: Sequence[str], pattern: SplitPattern
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Where the pieces end, in characters of the joined texts, and which of them must be split alone.

    Those are pieces at the start of a text that do not begin as other pieces do, and pieces that end with
    white space. The texts are not empty, and the pattern has pieces.
    """
    joined = "".join(texts)
    codes = np.frombuffer(joined.encode(), np.uint8) if joined.isascii() else characters(joined)
    kinds = kinds_of(codes, _KINDS[pattern.stretch])
    is_end = np.diff(kinds, append=kinds[-1]) == _BEGINS - _OTHER
    is_end[np.cumsum([len(text) for text in texts]) - 1] = True
    ends = np.flatnonzero(is_end) + 1
    starts = np.concatenate(([0], ends[:-1]))
    return ends, (kinds[starts] != _BEGINS) | (kinds[ends - 1] != _OTHER)
