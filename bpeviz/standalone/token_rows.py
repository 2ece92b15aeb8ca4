r"""Tokens in colour, in a row for each tokenizer: for notebooks as HTML, for terminals with escape codes.

    tokens_html([Row("", [(262, b"the"), (99, b" c")])])  ->  '<div …><span title="262: the" …>the</span>…'

The same bytes have the same colour as on the page. A text is data: every character of it is escaped.
"""

import colorsys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from bpeviz.analysis.compare import Comparison
from bpeviz.text.token_text import hex_bytes, token_hue, visible
from bpeviz.words import counted

__all__ = ["MOST_TOKENS", "Row", "row_of", "rows_of_comparison", "tokens_html", "tokens_in_terminal"]

#: The most tokens of a row to show: a notebook keeps all of them.
MOST_TOKENS = 5_000

_BOX = "font-family: ui-monospace, monospace; line-height: 1.7; overflow-wrap: anywhere"
_NAME = "font-family: sans-serif; font-size: 0.85em; opacity: 0.7"
#: A terminal's escape code for black text on a colour, and the one that ends it.
_COLOURED = "\x1b[38;2;0;0;0;48;2;{};{};{}m{}\x1b[0m"


@dataclass(frozen=True)
class Row:
    """The tokens of one tokenizer, each with its id; ``name`` is above them, if any."""

    name: str
    tokens: Sequence[tuple[int, bytes]]


def row_of(ids: Sequence[int], token_bytes: Callable[[int], bytes], name: str = "") -> Row:
    """Return the row of token ids."""
    return Row(name, [(token_id, token_bytes(token_id)) for token_id in ids])


def rows_of_comparison(comparison: Comparison, names: tuple[str, str] = ("A", "B")) -> list[Row]:
    """Return the rows of both sides of a comparison that knows its tokenizers."""
    if comparison.compared is None:
        raise LookupError("the comparison doesn't know its tokenizers")
    _, *tokenizers = comparison.compared
    sides = zip((comparison.a, comparison.b), tokenizers, names, strict=True)
    return [row_of(side.ids, tokenizer.token_bytes, name) for side, tokenizer, name in sides]


def tokens_html(rows: Sequence[Row]) -> str:
    """Return HTML that shows rows of tokens in colour, with the id and bytes of the one under the pointer."""
    return "".join(f'<div style="{_BOX}">{_title(row)}{"".join(_spans(row))}</div>' for row in rows)


def _title(row: Row) -> str:
    return f'<div style="{_NAME}">{escape(_heading(row))}</div>' if row.name else ""


def _heading(row: Row) -> str:
    return f"{row.name}: {counted(len(row.tokens), 'token')}"


def _spans(row: Row) -> Iterator[str]:
    for token_id, token in row.tokens[:MOST_TOKENS]:
        style = f"background: hsl({token_hue(token)} 70% 50% / 0.28); border-radius: 3px; margin-right: 1px"
        title = escape(f"id {token_id}: {hex_bytes(token, 16)}")
        yield f'<span title="{title}" style="{style}">{escape(visible(token))}</span>{_after(token, "<br>")}'
    if left_out := len(row.tokens) - MOST_TOKENS:
        yield f" … and {counted(left_out, 'token')} more" if left_out > 0 else ""


def tokens_in_terminal(row: Row) -> Iterator[str]:
    """Yield the tokens as parts of a text with a terminal's escape codes for 24-bit colours."""
    if row.name:
        yield f"{_heading(row)}\n"
    for place, (_, token) in enumerate(row.tokens):
        lightness = 0.8 if place % 2 else 0.7  # so that equal neighbours are apart
        colour = colorsys.hls_to_rgb(token_hue(token) / 360, lightness, 0.7)
        yield _COLOURED.format(*(round(255 * part) for part in colour), visible(token))
        yield _after(token, "\n")
    yield "\n"


def _after(token: bytes, line_end: str) -> str:
    """Return a line end after a token that holds one, so that lines begin where those of the text do."""
    return line_end if b"\n" in token else ""
