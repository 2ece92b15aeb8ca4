"""Mergeable ranks: how tiktoken writes a byte tokenizer, as the rank of every token by its bytes.

    {b"a": 0, b"b": 1, …, b"ab": 256, b"abc": 257}

Base bytes count too. The file names no merges: tiktoken merges the two neighbours that together spell the
token of the lowest rank. To find the two halves of a token, merge its bytes with the ranks below its own.

For all tokens of a file that takes seconds. Their halves are tokens too, whose halves are known: it is enough
to find the cut whose two sides stay apart until the token's own merge (``_stay_apart``).
"""

from collections.abc import Mapping
from typing import AnyStr

from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.formats.source import FaultError
from bpeviz.text.token_text import visible

__all__ = ["all_halves", "from_mergeable_ranks", "halves"]

Halves = tuple[bytes, bytes]


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
    known = all_halves(ranks)
    for token in by_rank[256:]:
        if token not in known:
            raise FaultError(
                f"no two tokens of lower rank make the token {visible(token)!r} of rank {ranks[token]:,}. "
                "The file is damaged, or not of a byte-pair encoding."
            )
    merges = [((ranks[left], ranks[right]), ranks[token]) for token, (left, right) in known.items()]
    return ByteVocabulary(b"".join(first), first_id), merges


def all_halves(ranks: Mapping[bytes, int]) -> dict[bytes, Halves]:
    """The halves of every token that has them, in the order of their ranks: see halves."""
    found: dict[bytes, Halves] = {}
    known: dict[bytes, Halves] = {}  # those whose parts are made alone too, not only inside longer tokens
    for token in sorted(ranks, key=ranks.__getitem__):
        if len(token) < 2:
            continue
        if two := _cut(token, ranks, known):
            found[token] = known[token] = two
        elif two := halves(token, ranks):
            found[token] = two
    return found


def _cut(token: bytes, ranks: Mapping[bytes, int], known: Mapping[bytes, Halves]) -> Halves | None:
    """The halves of a token, if both are bytes or ``known``, as are all their parts; None otherwise."""
    own = ranks[token]
    for i in range(1, len(token)):
        left, right = token[:i], token[i:]
        if (
            ranks.get(left, own) < own
            and ranks.get(right, own) < own
            and (len(left) == 1 or left in known)
            and (len(right) == 1 or right in known)
            and _stay_apart(left, right, own, ranks, known)
        ):
            return left, right
    return None


def _stay_apart(
    left: bytes, right: bytes, own: int, ranks: Mapping[bytes, int], known: Mapping[bytes, Halves]
) -> bool:
    """Whether no merge of a rank below ``own`` crosses the border of two tokens while these are made.

    Takes the tokens at the border back in time: the one that was made last falls into its halves, of which
    one is at the border.
    """
    limit = own
    while True:
        if ranks.get(left + right, limit) < limit:
            return False
        left_rank, right_rank = ranks[left], ranks[right]
        if left in known and (left_rank > right_rank or right not in known):
            left, limit = known[left][1], left_rank
        elif right in known:
            right, limit = known[right][0], right_rank + 1
        else:
            return True


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
