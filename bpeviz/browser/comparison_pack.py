"""Pack one text with the gap ranks of two tokenizers, and the boundaries of others, for the comparer.

The gap ranks are one number for each byte and a table of pairs of ranks. A megabyte has only about 10,000
different pairs. So the table gives all boundary counts of the text.

    text       a  b  c  a  b
    first      0  N  N  0  W        W: wall   N: never closed
    second     N  1  N  N  W
    numbers    0  1  2  0  3        the pairs: 0 N, N 1, N N, W W

The other tokenizers are each at one number of merges: a number whose bits say which of them end a token is a
part of the pair then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.browser.pack import pack, short_gap_ranks
from bpeviz.core.gap_ranks import GapRanks, is_token_end
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["RankPairs", "Rival", "pack_comparison", "rank_pairs"]


@dataclass(frozen=True, eq=False)
class Rival:
    """One side of a comparison: its tokenizer, the text in its tokens, and the number of merges to begin
    with."""

    name: str
    tokenizer: Tokenizer
    encoded: EncodedText
    num_merges: int


def pack_comparison(
    text: str,
    rivals: tuple[Rival, Rival],
    others: Sequence[Rival] = (),
    *,
    locked: bool,
    serial: int,
) -> bytes:
    """Pack the comparison: about three bytes for each byte of text, and five for each merge.

    The ``others`` stay at their numbers of merges; each adds four bytes for each of its tokens.
    """
    bits = _ends_of(others) if others else None
    pairs = rank_pairs(rivals[0].encoded.gap_ranks, rivals[1].encoded.gap_ranks, bits)
    arrays: dict[str, Any] = {
        "text": np.frombuffer(text.encode("utf-8"), np.uint8),
        "numbers": pairs.numbers.view(np.uint8),
        "first": pairs.first,
        "second": pairs.second,
        "other_ends": pairs.others,
        "counts": pairs.counts,
    }
    for i, rival in enumerate(rivals):
        arrays[f"hidden_{i}"] = rival.encoded.hidden_ranks
        arrays[f"symbols_{i}"] = short_gap_ranks(rival.encoded.symbol_ids)  # it has the same special values
        arrays[f"ids_{i}"] = _short(rival.tokenizer.merge_ids)
        arrays[f"new_{i}"] = np.diff(rival.tokenizer.vocab_sizes).astype(np.uint8)
    for i, other in enumerate(others, len(rivals)):
        arrays[f"ids_{i}"] = _short(_ids_at_ends(other))
    sides = [_header(rival) for rival in rivals]
    rows = [{"name": r.name, "tokens": r.encoded.token_total(r.num_merges)} for r in others]
    return pack({"sides": sides, "others": rows, "locked": locked, "serial": serial}, **arrays)


def _ends_of(others: Sequence[Rival]) -> npt.NDArray[np.uint8]:
    """For each byte, the bits of those that end a token there."""
    ends = [is_token_end(other.encoded.gap_ranks, other.num_merges) for other in others]
    bits: npt.NDArray[np.uint8] = np.packbits(ends, axis=0, bitorder="little")[0]
    return bits


def _ids_at_ends(rival: Rival) -> npt.NDArray[np.int64]:
    """Return the ids of the tokens in the text, one for each byte that ends one. A byte that ends several has
    the last of them. Empty if the text has other tokens after the rival's merges than after all."""
    encoded = rival.encoded
    totals = np.cumsum(encoded.token_counts(rival.num_merges))
    ids = np.array(encoded.ids, np.int64)
    if not len(totals) or totals[-1] != len(ids):
        return ids[:0]
    return ids[totals[is_token_end(encoded.gap_ranks, rival.num_merges)] - 1]


def _short(ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int32] | npt.NDArray[np.float64]:
    """Return ids as int32; as float64, which holds the ids that the browser can count to, if one is too
    high."""
    return ids.astype(np.int32) if ids.max(initial=0) < 2**31 else ids.astype(np.float64)


def _header(rival: Rival) -> dict[str, Any]:
    return {
        "name": rival.name,
        "start": rival.num_merges,
        "base_size": int(rival.tokenizer.vocab_sizes[0]),
        "base_ids": _base_ids(rival.tokenizer),
    }


def _base_ids(tokenizer: Tokenizer) -> dict[str, int]:
    """Return the ids of the base symbols by their bytes; empty if the pack has the id of each symbol in the
    text, whose bytes may be others."""
    if tokenizer.pipeline is not None:
        return {}
    base = tokenizer.base
    return {symbol.hex(): i for i, symbol in zip(base.symbol_ids, base.symbols, strict=True)}


@dataclass(frozen=True, eq=False)
class RankPairs:
    """For each byte the number of its pair of gap ranks; the pairs, as the ranks of both sides and the bits
    of the ``others``; how many bytes have each pair.

    ``numbers`` are uint16, or uint32 if there are more than 65,536 pairs.
    """

    numbers: npt.NDArray[np.uint16] | npt.NDArray[np.uint32]
    first: GapRanks
    second: GapRanks
    others: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.int32]


def rank_pairs(first: GapRanks, second: GapRanks, others: npt.NDArray[np.uint8] | None = None) -> RankPairs:
    """Return numbers for the pairs of gap ranks of a text; ``others`` has bits for each byte."""
    # a table of hashes; sorting, as np.unique does, takes twice as long
    numbers, pairs = pd.factorize((first.astype(np.int64) << 32) | second.view(np.uint32))
    bits = np.zeros(len(pairs), np.uint8)
    if others is not None:
        numbers, kinds = pd.factorize((numbers << 8) | others)
        pairs, bits = pairs[kinds >> 8], kinds.astype(np.uint8)
    return RankPairs(
        numbers.astype(np.uint16) if len(pairs) <= 1 << 16 else numbers.astype(np.uint32),
        (pairs >> 32).astype(np.int32),
        pairs.astype(np.uint32).view(np.int32),
        bits,
        np.bincount(numbers, minlength=len(pairs)).astype(np.int32),
    )
