"""What a page shows without JavaScript, and on paper: the text in tokens, and the merges as a table."""

from collections.abc import Iterable
from html import escape

import numpy as np

from bpeviz.core.gap_ranks import SKIPPED, GapRanks
from bpeviz.runs.run import Run
from bpeviz.text.token_text import hex_bytes

__all__ = ["MOST_BYTES", "heading", "merges_table", "tokens_of"]

#: Of a longer text only the beginning is there: with every token marked, a megabyte takes several.
MOST_BYTES = 100_000


def heading(title: str, about: Iterable[str]) -> str:
    """Return the title, and sentences below it."""
    return f"<h1>{_plain(title)}</h1>\n" + "".join(f"<p>{_plain(each)}</p>\n" for each in about)


def tokens_of(text: bytes, gap_ranks: GapRanks, step: int, *, name: str = "tokens") -> str:
    """Return the text after ``step`` merges: every second token is marked. paper.js finds it by its
    ``name``."""
    ends = np.flatnonzero(gap_ranks[:MOST_BYTES] >= step) + 1
    parts: list[str] = []
    start = 0
    for number, end in enumerate(ends.tolist()):
        shown = _token(text[start:end])
        parts.append(f"<b>{shown}</b>" if number % 2 and gap_ranks[end - 1] != SKIPPED else shown)
        start = end
    rest = f"\n<p>These are the first {start:,} of {len(text):,} bytes.</p>" if start < len(text) else ""
    # HTML drops the first line end in a <pre>
    named = f' id="{name}"' if name else ""
    return f'<pre{named} dir="auto">\n{"".join(parts)}</pre>{rest}'


def merges_table(run: Run) -> str:
    """Return a row for every merge, as text that people can read."""
    head = "<tr><th>merge<th>left<th>right<th>makes<th>count<th>tokens after"
    rows = (
        f"<tr><td>{s.rank + 1}<td>{_label(run, s.pair[0])}<td>{_label(run, s.pair[1])}"
        f"<td>{_label(run, s.token_id)}<td>{s.count}<td>{s.token_total}"
        for s in run.steps
    )
    return f"<table>\n{head}\n{chr(10).join(rows)}\n</table>"


def _label(run: Run, token_id: int) -> str:
    return escape(run.label(token_id))


def _token(token: bytes) -> str:
    """Return a token as HTML text; bytes that are no whole characters in hexadecimal digits."""
    try:
        return _plain(token.decode("utf-8"))
    except UnicodeDecodeError:
        return f"<i>{hex_bytes(token, 16)}</i>"


def _plain(text: str) -> str:
    """Text for HTML; control characters, which HTML doesn't allow, become their code."""
    return "".join(
        character if character.isprintable() or character in "\n\t " else _unprintable(character)
        for character in escape(text)
    )


def _unprintable(character: str) -> str:
    """Return a line end stays one; an invisible mark of a script stays; a control character becomes a
    sign."""
    if character == "\r":
        return "&#13;"
    code = ord(character)
    return "\ufffd" if code < 32 or 127 <= code < 160 else character
