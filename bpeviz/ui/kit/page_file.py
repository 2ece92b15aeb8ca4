"""Players as files that need no server."""

from threading import Lock

from bpeviz.runs.run import NamedText
from bpeviz.standalone.player import Player
from bpeviz.words import counted

__all__ = ["page_bytes", "text_caption"]

#: Names and patterns of any length have so much room in a caption.
_MOST_CHARACTERS = 200
#: A page of a long text takes seconds and some hundred megabytes.
_one_at_a_time = Lock()


def page_bytes(player: Player) -> bytes:
    """Return the page of a player as a file."""
    with _one_at_a_time:
        return player.to_html().encode("utf-8")


def text_caption(text: NamedText) -> str:
    """Which text a page shows, in a sentence or two. Of a large corpus it is a part."""
    total = text.trained_bytes
    whole = f"{_short(text.trained_name)}, {counted(total, 'byte')}."
    part = text.part
    if part is None:
        return f"Text: {whole}"
    if part.place is None:
        return f"Corpus: {whole} This page lists its distinct pre-tokens, first seen first."
    start = part.place.offset
    return (
        f"Corpus: {whole} This page shows {_short(part.file_name)}, "
        f"bytes {start + 1:,} to {start + part.byte_total:,}."
    )


def _short(name: str) -> str:
    return name if len(name) <= _MOST_CHARACTERS else f"{name[:_MOST_CHARACTERS]}…"
