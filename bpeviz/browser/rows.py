"""Pack a line of text as several tokenizers cut it, for the part ``boundary_rows``."""

from collections.abc import Sequence
from typing import Any

from bpeviz.analysis.aligned_rows import AlignedRows

__all__ = ["pack_rows"]


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
