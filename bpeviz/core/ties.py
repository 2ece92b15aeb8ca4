"""Ties: which of several pairs with the same count a trainer merges."""

from typing import Literal

from bpeviz.text.token_text import count_characters

__all__ = ["TieRule", "shortest_first"]

TieRule = Literal["first-seen", "smallest-ids", "greatest-tokens", "shortest-token"]


def shortest_first(token: bytes) -> tuple[int, bytes]:
    """A sort key: the shortest token comes first, then the first in the alphabet.

    A space sorts as SentencePiece's ▁ does.
    """
    return count_characters(token), token.replace(b" ", "▁".encode())
