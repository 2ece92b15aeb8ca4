"""Texts over the limit: what the server keeps of them, and how it knows their length.

The browser sends every field with every click. For a text over the limit the server keeps only the beginning,
just longer than the limit, and a note of the full length. The field in the browser keeps the whole text.
"""

import re

__all__ = ["byte_length", "shortened"]

_NOTE = "\0bpeviz cut this text of {} bytes\0"
_NOTED = re.compile("\0bpeviz cut this text of ([0-9]{1,12}) bytes\0")
_LONGEST_NOTE = 60


def shortened(text: str, most: int) -> str:
    """Return a text of at most ``most`` bytes unchanged; for a longer one the beginning and a note of its
    length."""
    if len(text) * 4 <= most or (length := len(text.encode())) <= most:
        return text
    return text[: most + 1].encode()[: most + 1].decode(errors="ignore") + _NOTE.format(length)


def byte_length(text: str) -> int:
    """How many bytes a text has in UTF-8, or had before ``shortened`` cut it."""
    noted = _NOTED.fullmatch(text, max(0, text.rfind("\0bpeviz", -_LONGEST_NOTE)))
    return int(noted[1]) if noted else len(text.encode())
