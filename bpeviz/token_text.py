r"""Token bytes as a person can read them: every byte visible, nothing taken for something else.

    b" the"      ->  "␣the"
    b"\n\t"      ->  "⏎⇥"
    b"\xe3\x81"  ->  "E3 81"      part of a character: hex, never U+FFFD

The result is plain text, not markup: whoever puts it into HTML, markdown or a chart label escapes it there.
"""

import unicodedata

__all__ = ["count_characters", "hex_bytes", "shorten", "visible"]

_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
_GLYPHS = {" ": "␣", "\n": "⏎", "\r": "␍", "\t": "⇥"}


def visible(token: bytes, limit: int = 40) -> str:
    """One line of text for ``token``; of more than ``limit`` characters, the middle is left out."""
    try:
        text = token.decode("utf-8")
    except UnicodeDecodeError:
        return shorten(hex_bytes(token), limit)
    shown = "".join(map(_visible_character, text))
    if text and unicodedata.category(text[0]).startswith("M"):
        shown = "◌" + shown
    return shorten(shown, limit)


def count_characters(token: bytes) -> int:
    """How many characters begin in ``token``."""
    return len(token.translate(None, _CONTINUATION_BYTES))


def hex_bytes(token: bytes) -> str:
    """The bytes as pairs of hexadecimal digits: ``E3 81``."""
    return token.hex(" ").upper()


def _visible_character(character: str) -> str:
    if character in _GLYPHS:
        return _GLYPHS[character]
    return character if character.isprintable() else f"\\u{ord(character):04x}"


def shorten(text: str, limit: int) -> str:
    """At most ``limit`` characters of ``text``: its ends, with … for what is left out."""
    half = (limit - 1) // 2
    return text if len(text) <= limit else f"{text[:half]}…{text[-half:]}"
