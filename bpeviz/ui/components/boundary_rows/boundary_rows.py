"""Send a line of text as several tokenizers cut it to the browser, which draws it with ``textContent``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bpeviz.analysis.aligned_rows import AlignedRows
from bpeviz.ui.components.shared.load import load_component

__all__ = ["mount_rows", "pack_rows"]

_HERE = Path(__file__).parent
_SHARED = _HERE.parent / "shared"
_STYLES = (_SHARED / "base.css", _SHARED / "text_view.css", _HERE / "boundary_rows.css")


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


def mount_rows(data: dict[str, Any], *, key: str) -> None:
    """Show a result of pack_rows."""
    load_component("bpeviz_boundary_rows", _HERE / "boundary_rows.js", _STYLES)(key=key, data=data)
