"""How long a token may be: two neighbours that would make a longer one are not a pair.

SentencePiece   at most 16 characters
tokenizers      fewer than max_token_length bytes; single bytes are paired whatever the number
"""

from dataclasses import dataclass
from typing import Literal

from bpeviz.text.token_text import count_characters

__all__ = ["LengthLimit", "LengthUnit"]

LengthUnit = Literal["characters", "bytes"]


@dataclass(frozen=True)
class LengthLimit:
    """The ``longest`` length of a token in a unit; as a text, "16 characters"."""

    longest: int
    unit: LengthUnit

    def length(self, token: bytes) -> int:
        """How long a token is."""
        return count_characters(token) if self.unit == "characters" else len(token)

    def allows(self, token: bytes) -> bool:
        """Return whether a token may be made."""
        return self.length(token) <= self.longest

    def __str__(self) -> str:
        return f"{self.longest:,} {self.unit}"
