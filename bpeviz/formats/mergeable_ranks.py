"""Mergeable ranks: how tiktoken writes a byte tokenizer, as the rank of every token by its bytes.

    {b"a": 0, b"b": 1, …, b"ab": 256, b"abc": 257}

Base bytes count too. The file names no merges: tiktoken merges the two neighbours that together spell the
token of the lowest rank. To find the two halves of a token, merge its bytes with the ranks below its own.
"""

from collections.abc import Mapping
from typing import AnyStr

from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.formats.source import FaultError
from bpeviz.text.token_text import visible

__all__ = ["from_mergeable_ranks", "halves"]


def from_mergeable_ranks(ranks: Mapping[bytes, int]) -> tuple[ByteVocabulary, list[tuple[Pair, int]]]:
    """The base vocabulary and the merges by rank, with ids that are the ranks of the file.

    The first rank is 0, or higher if special tokens have the first ids. Raises FaultError if the 256 bytes do
    not come first without gaps, or if a token is not made of two others.
    """
    by_rank = sorted(ranks, key=ranks.__getitem__)
    first = by_rank[:256]
    first_id = ranks[first[0]] if first else 0
    in_a_row = [ranks[token] for token in first] == list(range(first_id, first_id + 256))
    if not in_a_row or any(len(token) != 1 for token in first):
        raise FaultError("its first 256 ranks are not the 256 bytes. Only byte-level tokenizers can be read.")
    merges = [(_parents(token, ranks), ranks[token]) for token in by_rank[256:]]
    return ByteVocabulary(b"".join(first), first_id), merges


def _parents(token: bytes, ranks: Mapping[bytes, int]) -> Pair:
    two = halves(token, ranks)
    if two is None:
        raise FaultError(
            f"no two tokens of lower rank make the token {visible(token)!r} of rank {ranks[token]:,}. "
            "The file is damaged, or not of a byte-pair encoding."
        )
    return ranks[two[0]], ranks[two[1]]


def halves(token: AnyStr, ranks: Mapping[AnyStr, int]) -> tuple[AnyStr, AnyStr] | None:
    """The last two tokens before a token of bytes, or of characters, is merged itself; None if more than two
    are left."""
    own = ranks[token]
    parts = [token[i : i + 1] for i in range(len(token))]
    while len(parts) > 2:
        joined = [ranks.get(parts[i] + parts[i + 1], own) for i in range(len(parts) - 1)]
        lowest = min(joined)
        if lowest >= own:
            return None
        i = joined.index(lowest)
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return (parts[0], parts[1]) if len(parts) == 2 else None
