"""The word that a person picks in the text of a run."""

from bpeviz.core.gap_ranks import pre_token_around
from bpeviz.runs.run import Run

__all__ = ["MOST_BYTES", "word_at"]

#: A longer pre-token is not taken whole: a text may have no split pattern.
MOST_BYTES = 240


def word_at(run: Run, start: int, end: int) -> str:
    """Return the pre-token of the run's text that holds the bytes from ``start`` to ``end``.

    If that is too long, only the characters that these bytes belong to.
    """
    text = run.text.encode("utf-8")
    first, last = pre_token_around(run.gap_ranks, start, end)
    if last - first > MOST_BYTES:
        first, last = _whole_characters(text, start, min(end, start + MOST_BYTES))
    return text[first:last].decode("utf-8", "replace")


def _whole_characters(text: bytes, start: int, end: int) -> tuple[int, int]:
    """Return the bytes from ``start`` to ``end``, with the rest of the characters at both ends."""
    while start > 0 and _continues(text[start]):
        start -= 1
    while end < len(text) and _continues(text[end]):
        end += 1
    return start, end


def _continues(byte: int) -> bool:
    """Return whether a byte is not the first of a character in UTF-8."""
    return byte & 0xC0 == 0x80
