"""Show how a split pattern cuts a text, and learn what the person types into the pattern's field."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from bpeviz.charts.token_color import token_hue
from bpeviz.text.pattern_check import Piece
from bpeviz.text.token_text import visible
from bpeviz.ui.components.shared.load import load_component

__all__ = ["mount_check", "typed_pattern"]

PIECE_CHARACTERS = 40

_HERE = Path(__file__).parent
_SHARED = _HERE.parent / "shared"
_STYLES = (_SHARED / "base.css", _SHARED / "text_view.css", _HERE / "pattern_check.css")


def typed_pattern(state: object, most: int) -> str | None:
    """Return what the browser reports as typed; None if it reports nothing of at most so many characters."""
    typed = state.get("typed") if isinstance(state, Mapping) else None
    return typed if isinstance(typed, str) and len(typed) <= most else None


def mount_check(
    *, key: str, field: str, said: str, bad: bool = False, pieces: Sequence[Piece] = (), formats: str = ""
) -> None:
    """Show what was found about the pattern in the text field with the key ``field``: a sentence, which is a
    warning if ``bad``, the first pieces of the text, and a sentence on ``formats``."""
    data = {
        "field": f"st-key-{field}",
        "said": said,
        "bad": bad,
        "pieces": [_packed(piece) for piece in pieces],
        "formats": formats,
    }
    check = load_component("bpeviz_pattern_check", _HERE / "pattern_check.js", _STYLES)
    check(key=key, data=data, on_typed_change=lambda: None)


def _packed(piece: Piece) -> tuple[str, int, bool]:
    encoded = piece.text.encode("utf-8", "surrogatepass")
    return visible(encoded, PIECE_CHARACTERS), token_hue(encoded), piece.covered
