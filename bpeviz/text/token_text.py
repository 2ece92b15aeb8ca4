r"""How a token looks: its bytes as readable text, and its colour.

Every byte is visible, and nothing looks like something else:

    b" the"      ->  "␣the"
    b"\n\t"      ->  "⏎⇥"
    b"\xe3\x81"  ->  "E3 81"      part of a character: hex, never U+FFFD

The result is plain text, not markup: callers that put it into HTML, markdown or a chart label must escape it.
"""

import unicodedata
from typing import Final, TypeVar

__all__ = ["count_characters", "hex_bytes", "isolated", "shorten", "token_hue", "visible"]

_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
_GLYPHS = {" ": "␣", "\n": "⏎", "\r": "␍", "\t": "⇥"}

Part = TypeVar("Part", str, bytes)


def visible(token: bytes, limit: int = 40) -> str:
    """One line of text for ``token``; if it has more than ``limit`` characters, without the middle.

    Only the ends of a long token are decoded: a token may have millions of bytes.
    """
    try:
        text = token.decode("utf-8")
    except UnicodeDecodeError:
        return shorten(hex_bytes(_ends(token, limit)), limit)
    shown = "".join(map(_visible_character, _ends(text, limit)))
    if text and unicodedata.category(text[0]).startswith("M"):
        shown = "◌" + shown
    return shorten(shown, limit)


def count_characters(token: bytes) -> int:
    """How many characters begin in ``token``."""
    return len(token.translate(None, _CONTINUATION_BYTES))


def hex_bytes(token: bytes, limit: int | None = None) -> str:
    """Return the bytes as pairs of hexadecimal digits: ``E3 81``. If there are more than ``limit``, the first
    and last ones: ``E3 81 … 82``."""
    if limit is None or len(token) <= limit:
        return token.hex(" ").upper()
    last = limit // 2
    return f"{token[: limit - last].hex(' ')} … {token[len(token) - last :].hex(' ')}".upper()


def _visible_character(character: str) -> str:
    if character in _GLYPHS:
        return _GLYPHS[character]
    return character if character.isprintable() else f"\\u{ord(character):04x}"


def _ends(whole: Part, limit: int) -> Part:
    """Return the first and the last ``limit`` elements: enough for what shorten() keeps."""
    return whole if len(whole) <= 2 * limit else whole[:limit] + whole[-limit:]


def shorten(text: str, limit: int) -> str:
    """At most ``limit`` characters of ``text``: its ends, with … for what is left out."""
    half = (limit - 1) // 2
    return text if len(text) <= limit else f"{text[:half]}…{text[-half:]}"


def isolated(text: str) -> str:
    """Return the text, isolated if it runs from the right, so that it does not reorder what is around it."""
    runs_left = any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in text)
    return f"\u2068{text}\u2069" if runs_left else text


#: How many of a token's first bytes decide its colour.
HUE_BYTES: Final = 4096
LOW_BITS: Final = 0xFFFFFFFF


def token_hue(token: bytes) -> int:
    """Return the colour of a token, the same in every text, tokenizer, chart and saved page, in degrees on
    the colour wheel, 0 to 359. ``tokenHue`` in browser/shared/token_hue.js is the same function.

    It is FNV-1a of the length and the bytes, then mixed, because FNV gives short tokens with the same end
    nearly the same hue.
    """
    hashed = 0x811C9DC5 ^ len(token)
    for byte in token[:HUE_BYTES]:
        hashed = ((hashed ^ byte) * 0x01000193) & LOW_BITS
    hashed = ((hashed ^ (hashed >> 15)) * 0x2C1B3C6D) & LOW_BITS
    return (hashed ^ (hashed >> 13)) % 360
