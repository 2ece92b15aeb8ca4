"""The colour of a token: one hue for the same bytes, in every text, tokenizer, chart and saved page.

``tokenHue`` in components/shared/token_hue.js is the same function in the browser.
"""

from typing import Final

__all__ = ["token_hue"]

#: How many of a token's first bytes decide its colour.
REACH: Final = 4096
MASK: Final = 0xFFFFFFFF


def token_hue(token: bytes) -> int:
    """Degrees on the colour wheel, 0 to 359: FNV-1a of the length and the bytes, then mixed, because FNV
    gives short tokens with the same end nearly the same hue."""
    hashed = 0x811C9DC5 ^ len(token)
    for byte in token[:REACH]:
        hashed = ((hashed ^ byte) * 0x01000193) & MASK
    hashed = ((hashed ^ (hashed >> 15)) * 0x2C1B3C6D) & MASK
    return (hashed ^ (hashed >> 13)) % 360
