"""One text as several tokenizers cut it: rows of tokens to draw under each other, and their pack for
the part ``boundary_rows``.

    text     weather|ing       pieces   weath|er|ing     every boundary that any of them has
    first    weather|ing       tokens   2, 1             how many pieces each token spans
    second   weath|ering                1, 2

A boundary that all share ends a stretch. A token differs if anyone cuts inside its stretch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bpeviz.analysis.compare import tokenize
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["AlignedRow", "AlignedRows", "AlignedToken", "align", "aligned_rows", "pack_rows"]


@dataclass(frozen=True)
class AlignedToken:
    """A token of one row: its bytes in the text, how many ``pieces`` it spans, and whether its stretch is cut
    in another way by another tokenizer."""

    spelled: bytes
    pieces: int
    differs: bool


@dataclass(frozen=True)
class AlignedRow:
    """A text as one tokenizer cuts it. ``token_total`` also counts tokens that hold no byte of the text."""

    tokens: tuple[AlignedToken, ...]
    token_total: int


@dataclass(frozen=True)
class AlignedRows:
    """A text with a row for each tokenizer; all rows span ``pieces`` pieces."""

    pieces: int
    rows: tuple[AlignedRow, ...]


def aligned_rows(text: str, tokenizers: Sequence[Tokenizer]) -> AlignedRows:
    """Return the tokens of ``text`` by each of ``tokenizers``. Raises what Tokenizer.encode raises.

    Bytes that a tokenizer drops belong to the token after them, as in bpeviz.analysis.compare.
    """
    encoded = text.encode("utf-8")
    if not encoded:
        return AlignedRows(0, tuple(AlignedRow((), 0) for _ in tokenizers))
    each = [tokenize(text, tokenizer) for tokenizer in tokenizers]
    return align(encoded, [tokens.boundaries + 1 for tokens in each], [tokens.token_total for tokens in each])


def align(encoded: bytes, cuts: Sequence[npt.NDArray[np.int64]], token_totals: Sequence[int]) -> AlignedRows:
    """Return the rows of a text in UTF-8 that is cut in several ways: ``cuts`` are the bytes before which
    each row is cut, ascending and inside the text."""
    every, shared = reduce(np.union1d, cuts), reduce(np.intersect1d, cuts)
    stretches = np.r_[0, shared, len(encoded)]
    inside = np.diff(np.searchsorted(np.setdiff1d(every, shared), stretches))

    def token(start: int, end: int) -> AlignedToken:
        pieces = 1 + np.searchsorted(every, end) - np.searchsorted(every, start, side="right")
        stretch = np.searchsorted(shared, start, side="right")
        return AlignedToken(encoded[start:end], int(pieces), bool(inside[stretch]))

    rows = (
        AlignedRow(tuple(token(*span) for span in pairwise([0, *starts.tolist(), len(encoded)])), token_total)
        for starts, token_total in zip(cuts, token_totals, strict=True)
    )
    return AlignedRows(len(every) + 1, tuple(rows))


def pack_rows(text: str, names: Sequence[str], aligned: AlignedRows) -> dict[str, Any]:
    """Return the rows as JSON: a name, the number of tokens, and these as bytes in hexadecimal, pieces, and
    whether they differ."""
    return {
        "text": text,
        "rows": [
            {
                "name": name,
                "total": row.token_total,
                "tokens": [[t.spelled.hex(), t.pieces, t.differs] for t in row.tokens],
            }
            for name, row in zip(names, aligned.rows, strict=True)
        ],
    }
