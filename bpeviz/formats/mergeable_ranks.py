"""Mergeable ranks: how tiktoken writes a byte tokenizer, as the rank of every token by its bytes.

    {b"a": 0, b"b": 1, …, b"ab": 256, b"abc": 257}

Base bytes count too. The file names no merges: tiktoken merges the two neighbours that together spell the
token of the lowest rank. To find the two halves of a token, merge its bytes until two tokens are left.

For all tokens of a file that takes seconds. Their halves are tokens too, whose halves are known: it is enough
to find the cut whose two sides stay apart until the token's own merge (``_stay_apart``).
"""

from collections.abc import Mapping
from math import inf
from typing import AnyStr

from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.formats.source import FaultError
from bpeviz.tokenizer.symbol_merger import Merge

__all__ = ["all_halves", "from_mergeable_ranks", "halves"]

Halves = tuple[AnyStr, AnyStr]


def from_mergeable_ranks(
    ranks: Mapping[bytes, int],
) -> tuple[ByteVocabulary, list[Merge], dict[int, bytes]]:
    """Return the base vocabulary, the merges by rank, and the tokens that no merge makes. Ids are the ranks.

    A token that no two others make has no pair: tiktoken gives it only for a whole pre-token, which it looks
    up before merging. The first rank is 0, or higher if special tokens have the first ids. Raises FaultError
    if the 256 bytes do not come first without gaps.
    """
    by_rank = sorted(ranks, key=ranks.__getitem__)
    first = by_rank[:256]
    first_id = ranks[first[0]] if first else 0
    in_a_row = [ranks[token] for token in first] == list(range(first_id, first_id + 256))
    if not in_a_row or any(len(token) != 1 for token in first):
        raise FaultError("its first 256 ranks are not the 256 bytes. Only byte-level tokenizers can be read.")
    known = all_halves(ranks)
    merges: list[Merge] = []
    unmade: dict[int, bytes] = {}
    for token in by_rank[256:]:
        if two := known.get(token):
            merges.append(((ranks[two[0]], ranks[two[1]]), ranks[token]))
        else:
            merges.append((None, ranks[token]))
            unmade[ranks[token]] = token
    return ByteVocabulary(b"".join(first), first_id), merges, unmade


def all_halves(ranks: Mapping[AnyStr, int]) -> dict[AnyStr, Halves[AnyStr]]:
    """Return the halves of every token that has them, in the order of their ranks: see halves."""
    found: dict[AnyStr, Halves[AnyStr]] = {}
    known: dict[
        AnyStr, Halves[AnyStr]
    ] = {}  # those whose parts are made alone too, not only inside longer tokens
    for token in sorted(ranks, key=ranks.__getitem__):
        if len(token) < 2:
            continue
        if two := _cut(token, ranks, known):
            found[token] = known[token] = two
        elif two := halves(token, ranks):
            found[token] = two
    return found


def _cut(
    token: AnyStr, ranks: Mapping[AnyStr, int], known: Mapping[AnyStr, Halves[AnyStr]]
) -> Halves[AnyStr] | None:
    """Return the halves of a token, if both are bytes or ``known``, as are all their parts; None
    otherwise."""
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
    left: AnyStr, right: AnyStr, own: int, ranks: Mapping[AnyStr, int], known: Mapping[AnyStr, Halves[AnyStr]]
) -> bool:
    """Return whether no merge of a rank below ``own`` crosses the border of two tokens while these are made.

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
    """Return the last two tokens before a token of bytes, or of characters, is merged itself; None if more
    than two are left. Their ranks may be higher than its own."""
    parts = [token[i : i + 1] for i in range(len(token))]
    while len(parts) > 2:
        joined = [ranks.get(parts[i] + parts[i + 1], inf) for i in range(len(parts) - 1)]
        lowest = min(joined)
        if lowest == inf:
            return None
        i = joined.index(lowest)
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return (parts[0], parts[1]) if len(parts) == 2 else None
